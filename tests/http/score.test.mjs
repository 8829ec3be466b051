// The score of a window: the same from the daemon and from the command line, refused where it cannot be.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';

import { Daemon, program, sleep } from './client.mjs';

const WINDOW = 'x0=-700&z0=-300&x1=1300&z1=1400';

describe('scores', () => {
  let daemon;
  before(async () => { daemon = await Daemon.start(); });
  after(() => daemon.stop());

  it('a window has one score, however often and by whomever it is asked', async () => {
    const url = `/api/worlds/small/score?${WINDOW}&step=4&unit_slope=0.6&building_size=5&seed=77`;
    const replies = await Promise.all([1, 2, 3, 4].map(() => daemon.get(url)));
    for (const reply of replies) {
      assert.equal(reply.status, 200);
      assert.equal(reply.headers['content-type'], 'application/json');
      assert.deepEqual(reply.json, replies[0].json);
    }
    const score = replies[0].json;
    assert.deepEqual(score.rect, [-700, -300, 1300, 1400]);
    assert.deepEqual(score.rules, { unit_slope: 0.6, unit_size: 1, building_slope: 0.125, building_size: 5 });
    assert.equal(score.seed, '77');
    assert.ok(score.upsilon <= score.access && score.beta <= score.build && score.eps > 0);
    assert.ok(Math.abs(score.omega - score.eps * score.upsilon * score.beta) < 1e-6);
    assert.ok(score.largest >= 1 && score.parts >= 1);
  });

  it('the command line says the same', async () => {
    const worlds = 'worlds: [{name: r, generator: relief, seed: 3, relief: {period: 128, ' +
      'erosion: [{kind: inverted, iterations: 5}, {kind: settle, iterations: 5}]}}]\n';
    const other = await Daemon.start({ worlds });
    try {
      const reply = await other.get(`/api/worlds/r/score?${WINDOW}`);
      const said = execFileSync(program, ['score', '--config', other.config, '--world', 'r', '--rect',
        '-700,-300,1300,1400', '--json'], { encoding: 'utf8' });
      assert.equal(reply.status, 200);
      assert.deepEqual(JSON.parse(said), reply.json);
      assert.equal(reply.json.step, 4);
    } finally {
      await other.stop();
    }
  });

  it('a stop waits for the scores that are worked out', async () => {
    const other = await Daemon.start();
    const asked = other.get(`/api/worlds/heavy/score?x0=0&z0=0&x1=1000&z1=1000`);
    await sleep(100);
    other.signal('SIGTERM');
    assert.ok([200, 503].includes((await asked).status));
    await other.stop();
  });

  it('what cannot be scored is refused with a sentence', async () => {
    for (const [query, status] of [['x0=0&z0=0&x1=0&z1=9', 400], ['x0=0&z0=0&x1=9', 400],
      ['x0=0&z0=0&x1=33554431&z1=33554431', 400], ['x0=0&z0=0&x1=9&z1=9&unit_slope=65', 400],
      ['x0=0&z0=0&x1=9&z1=9&unit_size=65', 404]]) {
      const reply = await daemon.get(`/api/worlds/small/score?${query}`);
      assert.equal(reply.status, status, query);
      assert.ok(JSON.stringify(reply.json).length > 20);
    }
    assert.equal((await daemon.get(`/api/worlds/nowhere/score?${WINDOW}`)).status, 404);
  });
});
