// Short forms of tests/fault/faults.mjs, but for those that other tests are.

import { describe, it } from 'node:test';

import { faults } from '../fault/faults.mjs';

describe('faults', () => {
  for (const { what, run, skip, elsewhere } of faults) {
    if (!elsewhere) {
      it(what, { skip }, () => run({ long: false }));
    }
  }
});
