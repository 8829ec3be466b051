// One of a few: radio buttons that look like one bar.

import { element as make } from './dom.js';

let groups = 0;

/** `choices`: [value, text] pairs. The element fires "change". */
export function choice(label, choices) {
  const name = `choice-${++groups}`;
  const boxes = choices.map(([value, text]) => {
    const box = make('input', { type: 'radio', name, value });
    return make('label', {}, box, make('span', {}, text));
  });
  const element = make('fieldset', { class: 'choice' }, make('legend', { class: 'unseen' }, label), ...boxes);
  const inputs = () => [...element.querySelectorAll('input')];
  return {
    element,
    value: () => inputs().find(({ checked }) => checked)?.value,
    select(value) {
      inputs().forEach((input) => {
        input.checked = input.value === value;
      });
    },
  };
}
