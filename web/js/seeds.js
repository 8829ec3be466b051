// The seeds that were shown, world by world, with a way back and forward through them.

import { recall, remember } from './memory.js';

const KEPT = 50; // seeds of one world
const KEPT_WORLDS = 20;

function read() {
  try {
    const found = JSON.parse(recall('seeds') ?? '{}');
    const lists = Object.entries(found).filter(
      ([, list]) => Array.isArray(list) && list.every((seed) => seed === null || typeof seed === 'string'),
    );
    return new Map(lists);
  } catch {
    return new Map();
  }
}

/** A list with one place in it; showing a seed that is neither before nor after adds it. */
export function createTrail(seeds = []) {
  let list = [...seeds];
  let at = list.length - 1;
  return {
    visit(seed) {
      const step = [0, -1, 1].find((each) => list[at + each] === seed && at + each in list);
      if (step !== undefined) {
        at += step;
        return;
      }
      list = [...list.filter((each) => each !== seed), seed].slice(-KEPT);
      at = list.length - 1;
    },
    before: () => list[at - 1],
    after: () => list[at + 1],
    list: () => list,
  };
}

export function createSeedHistory({ back, on }, store) {
  const saved = read();
  const trails = new Map();

  function trail() {
    const { world } = store.get();
    if (!trails.has(world)) {
      trails.set(world, createTrail(saved.get(world)));
    }
    return trails.get(world);
  }

  function save(world, list) {
    saved.delete(world);
    saved.set(world, list);
    remember('seeds', JSON.stringify(Object.fromEntries([...saved].slice(-KEPT_WORLDS))));
  }

  back.addEventListener('click', () => store.set({ seed: trail().before() }));
  on.addEventListener('click', () => store.set({ seed: trail().after() }));
  store.subscribe((state, before) => {
    if (state.world !== before?.world || state.seed !== before?.seed) {
      const own = trail();
      own.visit(state.seed);
      save(state.world, own.list());
      back.disabled = own.before() === undefined;
      on.disabled = own.after() === undefined;
    }
  });
}
