// A seed to type, to choose where a world has a few, or only to read where it has one; and a dice.

import { option } from './dom.js';
import { cleanSeed, seedsOf } from './state.js';

function randomSeed() {
  return crypto.getRandomValues(new BigInt64Array(1))[0].toString();
}

/** One of the seeds that is not `now`; null is the world's own, the first. */
function otherSeed(seeds, now) {
  const rest = seeds.filter((seed) => seed !== (now ?? seeds[0]));
  const seed = rest[Math.floor(Math.random() * rest.length)];
  return seed === undefined || seed === seeds[0] ? null : seed;
}

/**
 * `input`, `select` and `roll`: the elements; `worldOf()`: whose seed it is, `seedOf()`: which is
 * shown; `take(seed)` is told a choice, null for the world's own; `complain(words)` what is wrong
 * with what was typed, '' for nothing. `isRolled()`: the seed that is shown came from the dice.
 */
export function createSeedBox({ input, select, roll }, { worldOf, seedOf, take, complain }) {
  let rolled = null;
  const written = () => seedOf() ?? worldOf().seed_text ?? worldOf().seed;

  function say(wrong) {
    input.setAttribute('aria-invalid', String(wrong !== ''));
    complain(wrong);
  }

  function show() {
    const seeds = seedsOf(worldOf());
    const few = seeds !== null && seeds.length > 1;
    input.hidden = few;
    select.hidden = !few;
    input.disabled = roll.disabled = seeds !== null && !few;
    select.replaceChildren(...(few ? seeds : []).map((seed) => option(seed, seed)));
    input.value = select.value = written();
    say('');
  }

  function read() {
    const seed = cleanSeed(input.value, worldOf());
    if (seed?.wrong) {
      say(seed.wrong);
    } else {
      take(seed);
      show();
    }
  }

  input.addEventListener('change', read);
  select.addEventListener('change', () => take(cleanSeed(select.value, worldOf())));
  roll.addEventListener('click', () => {
    const seeds = seedsOf(worldOf());
    rolled = seeds ? null : randomSeed();
    take(seeds ? otherSeed(seeds, seedOf()) : rolled);
  });
  return {
    show,
    read,
    isUntouched: () => input.value.trim() === written(),
    isRolled: () => rolled !== null && rolled === seedOf(),
  };
}
