// How far apart colours are, for eyes of all kinds, and a palette whose colours are far apart.
//
// Distance: Euclidean in OKLab (B. Ottosson, 2020). Colour-blind eyes: matrices of G. Machado,
// M. Oliveira and L. Fernandes, "A physiologically-based model for simulation of color vision
// deficiency" (2009), severity 1, in linear RGB. No DOM in here.

const EYES = {
  all: null,
  protan: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deutan: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritan: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

/** OKLab distance below which two colours are hard to tell apart on a map. */
export const CLOSE = 0.045;

function linear(colour) {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

function times(m, [a, b, c]) {
  return [0, 3, 6].map((row) => m[row] * a + m[row + 1] * b + m[row + 2] * c);
}

function oklab(rgb) {
  const [r, g, b] = rgb.map((value) => Math.min(1, Math.max(0, value)));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** The colour as each kind of eyes sees it: an OKLab triple by kind. */
export function seen(colour) {
  const rgb = linear(colour);
  return Object.entries(EYES).map(([eyes, matrix]) => [eyes, oklab(matrix ? times(matrix, rgb) : rgb)]);
}

function apart(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** The smallest distance between two seen colours, and for which eyes. */
export function distance(a, b) {
  let least = { value: Infinity, eyes: 'all' };
  a.forEach(([eyes, first], at) => {
    const value = apart(first, b[at][1]);
    if (value < least.value) {
      least = { value, eyes };
    }
  });
  return least;
}

/** Pairs of biomes whose colours are hard to tell apart, the closest first. */
export function closePairs(entries) {
  const views = entries.map(({ biome, colour }) => ({ biome, seen: seen(colour) }));
  const pairs = [];
  views.forEach((a, at) => {
    views.slice(at + 1).forEach((b) => {
      const inAll = apart(a.seen[0][1], b.seen[0][1]);
      const { value, eyes } = distance(a.seen, b.seen);
      if (value < CLOSE) {
        pairs.push({ a: a.biome, b: b.biome, value, eyes: inAll < CLOSE ? 'all' : eyes });
      }
    });
  });
  return pairs.sort((a, b) => a.value - b.value);
}

function candidates() {
  const steps = [0x10, 0x30, 0x58, 0x80, 0xa8, 0xd0, 0xf4];
  const hex = (value) => value.toString(16).padStart(2, '0');
  const all = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${hex(r)}${hex(g)}${hex(b)}`)));
  return all.map((colour) => ({ colour, seen: seen(colour) }));
}

const palettes = new WeakMap();

/**
 * Colours for the biomes of a world that are as far apart as can be for all eyes, by biome id: one
 * after the other the candidate farthest from all that are taken, then each biome the one most like
 * its own colour.
 */
export function apartColours(world) {
  if (!palettes.has(world)) {
    palettes.set(world, makePalette(world.biomes));
  }
  return palettes.get(world);
}

function makePalette(biomes) {
  const pool = candidates().map((each) => ({ ...each, nearest: Infinity }));
  const taken = [];
  let next = pool.find(({ colour }) => colour === '#1030d0') ?? pool[0];
  while (taken.length < biomes.length) {
    const latest = next;
    taken.push(latest);
    pool.forEach((each) => {
      each.nearest = Math.min(each.nearest, distance(each.seen, latest.seen).value);
    });
    next = pool.reduce((a, b) => (b.nearest > a.nearest ? b : a));
  }
  return assign(biomes, taken);
}

function assign(biomes, colours) {
  const pairs = biomes.flatMap((biome) => {
    const own = seen(biome.colour)[0][1];
    return colours.map((each) => ({ biome, each, value: apart(own, each.seen[0][1]) }));
  });
  const byId = new Map();
  const used = new Set();
  for (const { biome, each } of pairs.sort((a, b) => a.value - b.value)) {
    if (!byId.has(biome.id) && !used.has(each)) {
      byId.set(biome.id, each.colour);
      used.add(each);
    }
  }
  return byId;
}
