// The parts of the page that need no browser: coordinates, and what a hash is taken for.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  clampBlock,
  clampZoom,
  HALF,
  parsePlace,
  roundLength,
  sampleZoom,
  shownBlock,
} from '../../web/js/geometry.js';
import { cleanSeed, formatHash, parseHash, resolve } from '../../web/js/state.js';

const worlds = [
  {
    name: 'demo',
    title: 'Demo',
    minzoom: 4,
    home: { x: 5, z: -6, zoom: 16 },
    layers: [{ name: 'biome' }, { name: 'relief' }],
  },
  { name: 'other', title: 'Other', minzoom: 8, home: { x: 0, z: 0, zoom: 18 }, layers: [{ name: 'biome' }] },
];

test('blocks are floored in every quadrant and never -0', () => {
  const cases = [[-1, -1], [-0.5, -1], [-0, 0], [0, 0], [0.5, 0], [1, 1], [-1.0001, -2]];
  for (const [value, block] of cases) {
    assert.ok(Object.is(clampBlock(value), block), `${value}`);
  }
});

test('blocks stay in the world square', () => {
  assert.equal(clampBlock(Infinity), HALF - 1);
  assert.equal(clampBlock(-Infinity), -HALF);
  assert.equal(clampBlock(1e300), HALF - 1);
  assert.equal(clampBlock(NaN, 7), 7);
});

test('the shown block is the one in the centre of the pixel', () => {
  assert.equal(shownBlock(-1, 18), -1);
  assert.equal(shownBlock(0.99, 18), 0);
  assert.equal(shownBlock(-1, 17), -1);
  assert.equal(shownBlock(-2, 17), -1);
  assert.equal(shownBlock(0, 16), 2);
  assert.equal(shownBlock(-1, 16), -2);
  assert.equal(shownBlock(-4.5, 16), -6);
  assert.equal(shownBlock(3.9, 22), 3);
});

test('a screen of high density samples as the next zoom does, down to single blocks', () => {
  assert.deepEqual([sampleZoom(16, false), sampleZoom(16, true)], [16, 17]);
  assert.deepEqual([sampleZoom(18, true), sampleZoom(22, false)], [18, 18]);
});

test('zooms are whole and between the limits', () => {
  assert.equal(clampZoom(Infinity, 4, 16), 22);
  assert.equal(clampZoom(-5, 4, 16), 4);
  assert.equal(clampZoom(16.4, 4, 12), 16);
  assert.equal(clampZoom(NaN, 4, 12), 12);
});

test('the scale bar takes 1, 2 or 5 times a power of ten', () => {
  const lengths = [1, 1.9, 2, 4.9, 5, 9.9, 10, 480, 7680].map(roundLength);
  assert.deepEqual(lengths, [1, 1, 2, 2, 5, 5, 10, 200, 5000]);
  assert.equal(roundLength(0.2), 1);
});

test('places are read as people write them', () => {
  const place = { x: 120, z: -340 };
  for (const text of ['120, -340', '120 -340', ' 120,-340 ', 'x=120 z=-340', 'x: 120, z: -340']) {
    assert.deepEqual(parsePlace(text), place, text);
  }
  assert.deepEqual(parsePlace('120 64 -340'), place);
  assert.deepEqual(parsePlace('/tp 120 64 -340'), place);
  assert.deepEqual(parsePlace('-0.5 0.5'), { x: -1, z: 0 });
  assert.deepEqual(parsePlace('99999999999 -99999999999'), { x: HALF - 1, z: -HALF });
});

test('what is no place is refused', () => {
  for (const text of ['', '12', 'north', '1 2 3 4', '1e5 2', '<b>1,2</b>', '1, 2; drop', '-']) {
    assert.equal(parsePlace(text), null, text);
  }
});

test('a state survives its hash, whatever the seed', () => {
  const seeds = [null, '42', '-9223372036854775808', '9007199254740993', 'a b+c&d=e#f%20', '{x}', 'ü💧'];
  for (const seed of seeds) {
    const state = { world: 'demo', layer: 'relief', seed, x: -12, z: 7, zoom: 18 };
    assert.deepEqual(resolve(parseHash(formatHash(state)), worlds), { state, said: [] });
  }
});

test('without a hash it is the home of the first world', () => {
  const { state, said } = resolve(parseHash(''), worlds);
  assert.deepEqual(state, { world: 'demo', layer: 'relief', seed: null, x: 5, z: -6, zoom: 16 });
  assert.deepEqual(said, []);
});

test('hostile values are clamped or replaced, and said', () => {
  const hash = '#world=__proto__&layer=../../etc&seed=%ZZ&x=1e999&z=-1e999&zoom=1e9&x=3&&=&toString=1';
  const { state, said } = resolve(parseHash(hash), worlds);
  assert.deepEqual(state, {
    world: 'demo', layer: 'relief', seed: null, x: HALF - 1, z: -HALF, zoom: 22,
  });
  assert.equal(said.length, 2);
  const { state: odd } = resolve(parseHash('#x=NaN&z=abc&zoom=&seed='), worlds);
  assert.deepEqual(odd, { world: 'demo', layer: 'relief', seed: null, x: 5, z: -6, zoom: 16 });
  const { state: shallow } = resolve(parseHash('#world=other&zoom=-3'), worlds);
  assert.equal(shallow.zoom, 8);
});

test('a seed is trimmed, well formed, and at most 128 bytes', () => {
  assert.equal(cleanSeed('  42 '), '42');
  assert.equal(cleanSeed('   '), null);
  assert.equal(cleanSeed('\ud800x'), '\ufffdx');
  assert.equal(cleanSeed('💧'), '💧');
  assert.equal(cleanSeed('a\u0000b\n\u007f'), 'ab');
  assert.equal(cleanSeed('x'.repeat(128)), 'x'.repeat(128));
  assert.equal(cleanSeed('ü'.repeat(65)), undefined);
});
