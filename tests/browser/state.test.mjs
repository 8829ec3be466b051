// The parts of the page that need no browser: coordinates, and what a hash is taken for.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';

import {
  clampBlock,
  clampZoom,
  HALF,
  parsePlace,
  roundLength,
  sampleZoom,
  shownBlock,
} from '../../web/js/geometry.js';
import { staticPath } from '../../web/js/api.js';
import { apartColours, closePairs } from '../../web/js/colours.js';
import { formatShare, LANGUAGES, t, useMessages } from '../../web/js/i18n.js';
import { createTrail } from '../../web/js/seeds.js';
import { cleanSeed, formatHash, parseHash, resolve } from '../../web/js/state.js';

const OFF = {
  blend: null, over: null, shade: null, palette: null,
  compare: null, world2: null, layer2: null, seed2: null, blend2: null, split: null,
};
const V = '0123456789abcdef-2-3';

const worlds = [
  {
    name: 'demo',
    hash: '0123456789abcdef',
    versions: { generator: 2, render: 3 },
    title: 'Demo',
    minzoom: 4,
    home: { x: 5, z: -6, zoom: 16 },
    layers: [{ name: 'biome' }, { name: 'relief' }, { name: 'terrarium' }],
  },
  { name: 'other', title: 'Other', minzoom: 8, blend: { methods: ['full', 'none'] }, home: { x: 0, z: 0, zoom: 18 }, layers: [{ name: 'biome' }] },
];

const HOME = { world: 'demo', layer: 'relief', seed: null, x: 5, z: -6, zoom: 16, ...OFF, v: V };

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
  for (const text of ['120, -340', '120 -340', '120, \u2212340', ' 120,-340 ', 'x=120 z=-340', 'x: 120, z: -340']) {
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
    const state = { world: 'demo', layer: 'relief', seed, x: -12, z: 7, zoom: 18, ...OFF, v: V };
    assert.deepEqual(resolve(parseHash(formatHash(state)), worlds), { state, said: [] });
  }
});

test('without a hash it is the home of the first world', () => {
  const { state, said } = resolve(parseHash(''), worlds);
  assert.deepEqual(state, HOME);
  assert.deepEqual(said, []);
});

test('hostile values are clamped or replaced, and said', () => {
  const hash = '#world=__proto__&layer=../../etc&seed=%ZZ&x=1e999&z=-1e999&zoom=1e9&x=3&&=&toString=1';
  const { state, said } = resolve(parseHash(hash), worlds);
  assert.deepEqual(state, {
    world: 'demo', layer: 'relief', seed: null, x: HALF - 1, z: -HALF, zoom: 22, ...OFF, v: V,
  });
  assert.equal(said.length, 2);
  const { state: odd } = resolve(parseHash('#x=NaN&z=abc&zoom=&seed='), worlds);
  assert.deepEqual(odd, HOME);
  const { state: shallow } = resolve(parseHash('#world=other&zoom=-3'), worlds);
  assert.equal(shallow.zoom, 8);
});

test('a seed is trimmed, well formed, and at most 128 bytes', () => {
  const clean = (text) => cleanSeed(text, { seed_text: 'own' });
  assert.equal(clean('  42 '), '42');
  assert.equal(clean('   '), null);
  assert.equal(clean(' own '), null);
  assert.equal(clean('\ud800x'), '\ufffdx');
  assert.equal(clean('💧'), '💧');
  assert.equal(clean('a\u0000b\n\u007f'), 'ab');
  assert.equal(clean('x'.repeat(128)), 'x'.repeat(128));
  assert.ok(clean('ü'.repeat(65)).wrong);
});

test('a world that has its own seed alone, or a few, takes no other', () => {
  const fixed = { title: 'Fixed', seed_text: '5', seeds: 'fixed' };
  const few = { title: 'Few', seed_text: '5', seeds: ['5', '1', 'hello'] };
  assert.equal(cleanSeed('5', fixed), null);
  assert.ok(cleanSeed('6', fixed).wrong);
  assert.deepEqual(['5', '1', '+1', 'hello'].map((seed) => cleanSeed(seed, few)), [null, '1', '+1', 'hello']);
  assert.ok(cleanSeed('hell', few).wrong);
  const { state, said } = resolve(parseHash('#world=demo&seed=7'), [{ ...worlds[0], seed_text: '5', seeds: 'fixed' }]);
  assert.equal(state.seed, null);
  assert.equal(said.length, 1);
});

test('both sides of a comparison may have a way of blending, if their worlds have it', () => {
  const hash = '#world=other&blend=none&compare=side&world2=other&layer2=biome&blend2=full';
  const { state } = resolve(parseHash(hash), worlds);
  assert.deepEqual([state.blend, state.blend2], ['none', null]); // full is the world's own
  assert.equal(resolve(parseHash('#world=demo&blend=none'), worlds).state.blend, null);
  assert.equal(resolve(parseHash('#world=other&blend=__proto__'), worlds).state.blend, null);
});

test('a picture by address is the view, pixel for pixel where there is one that large', () => {
  const world = { name: 'demo', minzoom: 4 };
  const path = (zoom, x, y) => staticPath({ world, layer: 'relief', seed: 'a b', blend: null }, { x0: -10, z0: -20, x1: 13, z1: 16 }, zoom, { x, y });
  assert.equal(path(16, 1000, 700), 'static/demo/relief/1,-2,16/1000x700.png?seed=a%20b');
  assert.equal(path(16, 1440, 900), 'static/demo/relief/1,-2,15/720x450@2x.png?seed=a%20b');
  assert.equal(path(16, 2560, 1440), 'static/demo/relief/1,-2,14/640x360@2x.png?seed=a%20b');
  assert.equal(path(20, 1000, 700), 'static/demo/relief/1,-2,18/250x175@2x.png?seed=a%20b');
  assert.equal(path(4, 2000, 400), 'static/demo/relief/1,-2,4/1024x400.png?seed=a%20b');
});

test('overlays and comparison survive the hash, whatever else is in it', () => {
  const state = {
    ...HOME, over: 'grid,shade', shade: 80, palette: 'apart',
    compare: 'swipe', world2: 'other', layer2: 'biome', seed2: 'ü & =', blend2: 'none', split: 20,
  };
  assert.deepEqual(resolve(parseHash(formatHash(state)), worlds), { state, said: [] });
  const { state: wild } = resolve(
    parseHash('#over=shade,__proto__,grid,grid&shade=-1e9&compare=swipe&split=1e9&world2=demo&layer2=biome'),
    worlds,
  );
  assert.deepEqual([wild.over, wild.shade, wild.split], ['grid,shade', 0, 100]);
  assert.equal(resolve(parseHash('#compare=<b>&seed2=7'), worlds).state.seed2, null);
});

test('a comparison goes no farther out than both of its worlds', () => {
  const zoomOf = (hash) => resolve(parseHash(hash), worlds).state.zoom;
  assert.equal(zoomOf('#world=demo&zoom=5'), 5);
  assert.equal(zoomOf('#world=demo&zoom=5&compare=side&world2=other'), 8);
  assert.equal(zoomOf('#world=other&zoom=5&compare=diff&world2=demo'), 8);
  assert.equal(zoomOf('#world=demo&zoom=5&world2=other'), 5);
});

test('a link made for another version of the world says so, and no other link does', () => {
  const said = (v) => resolve(parseHash(`#world=demo&v=${v}`), worlds).said;
  assert.deepEqual(said(V), []);
  assert.deepEqual(said('fedcba9876543210-2-3'), ['link.changed']);
  assert.deepEqual(said('fedcba9876543210-1-3'), ['link.newer']);
  assert.deepEqual(said('<script>'), []);
});

test('seeds that were shown are found again, back and forward', () => {
  const trail = createTrail(['1', '2']);
  trail.visit('3');
  assert.deepEqual([trail.before(), trail.after()], ['2', undefined]);
  trail.visit('2');
  assert.deepEqual([trail.before(), trail.after()], ['1', '3']);
  trail.visit(null);
  assert.deepEqual(trail.list(), ['1', '2', '3', null]);
  trail.visit('1');
  assert.deepEqual(trail.list(), ['2', '3', null, '1']);
  for (let seed = 0; seed < 100; seed++) {
    trail.visit(`s${seed}`);
  }
  assert.equal(trail.list().length, 50);
});

test('three languages have the same keys, and the markup has the English words', async () => {
  const read = async (tag) =>
    JSON.parse(await readFile(new URL(`../../web/lang/${tag}.json`, import.meta.url), 'utf8'));
  const [en, de, ru] = await Promise.all(['en', 'de', 'ru'].map(read));
  assert.deepEqual(Object.keys(de).sort(), Object.keys(en).sort());
  assert.deepEqual(Object.keys(ru).sort(), Object.keys(en).sort());
  const places = (text) => JSON.stringify(text).match(/\{\w+\}/g)?.filter((p, at, all) => all.indexOf(p) === at).sort();
  for (const key of Object.keys(en)) {
    assert.deepEqual(places(de[key]), places(en[key]), key);
    assert.deepEqual(places(ru[key]), places(en[key]), key);
  }
  const html = await readFile(new URL('../../web/index.html', import.meta.url), 'utf8');
  const marked = [...html.matchAll(/data-t="([^"]+)"[^>]*>([^<]*)</g)];
  assert.ok(marked.length > 15);
  marked.forEach(([, key, text]) => assert.equal(text, en[key], key));
  for (const [, key, label] of html.matchAll(/data-t-label="([^"]+)"\s+(?:[\w-]+="[^"]*"\s+)*?aria-label="([^"]+)"/g)) {
    assert.equal(label, en[key], key);
  }
});

test('numbers have the plural forms of the language', async () => {
  const text = await readFile(new URL('../../web/lang/ru.json', import.meta.url), 'utf8');
  useMessages('ru', JSON.parse(text));
  const said = [1, 3, 5, 21].map((count) => t('blocks', { count }));
  useMessages('en', {});
  assert.deepEqual(said, ['1 блок', '3 блока', '5 блоков', '21 блок']);
});

test('a share that is not nothing never looks like nothing', () => {
  const said = [0, 1e-9, 0.0004, 0.03, 0.0994, 0.0996, 0.5, 1].map(formatShare);
  assert.deepEqual(said, ['0%', '<0.1%', '<0.1%', '3.0%', '9.9%', '10%', '50%', '100%']);
});

test('the language is the first of those asked for that there is, and its words are asked for early', async () => {
  const source = await readFile(new URL('../../web/js/early.js', import.meta.url), 'utf8');
  const run = ({ search = '', kept = null, languages = [] }) => {
    const asked = [];
    const document = {
      documentElement: { dataset: {} },
      createElement: () => ({}),
      currentScript: { src: 'http://host/maps/0123/js/early.js' },
      head: { append: ({ href }) => asked.push(href) },
    };
    const localStorage = { getItem: (key) => (key === 'ecotone.language' ? kept : null) };
    runInNewContext(source, { document, localStorage, URL, URLSearchParams, location: { search }, navigator: { languages } });
    assert.deepEqual(asked, [`http://host/maps/0123/lang/${document.documentElement.lang}.json`]);
    return document.documentElement.lang;
  };
  assert.equal(run({ languages: ['de-AT', 'ru'] }), 'de');
  assert.equal(run({ languages: ['xx', 'RU'] }), 'ru');
  assert.equal(run({ languages: ['__proto__', 'toString'] }), 'en');
  assert.equal(run({ kept: 'ru', languages: ['de'] }), 'ru');
  assert.equal(run({ search: '?lang=de', kept: 'ru' }), 'de');
  assert.equal(run({ search: '?lang=../x', kept: 'constructor' }), 'en');
  assert.match(source, new RegExp(`\\['${Object.keys(LANGUAGES).join("', '")}'\\]`));
});

test('close colours are found for the eyes that confuse them, and the other palette has none', () => {
  const biomes = ['#c0392b', '#5a6e1f', '#2050c0', '#2152c2', '#ffffff'].map((colour, id) => ({ id, name: `${id}`, colour }));
  const pairs = closePairs(biomes.map((biome) => ({ biome, colour: biome.colour })));
  assert.deepEqual([pairs[0].a.id, pairs[0].b.id, pairs[0].eyes], [2, 3, 'all']);
  const many = { biomes: Array.from({ length: 14 }, (unused, id) => ({ id, colour: '#3a7d44' })) };
  const apart = apartColours(many);
  assert.equal(new Set(apart.values()).size, 14);
  const left = closePairs(many.biomes.map((biome) => ({ biome, colour: apart.get(biome.id) })));
  assert.deepEqual(left, []);
});
