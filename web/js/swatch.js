// Colours as the server names them, and the small square that shows one.

const COLOUR = /^#[0-9a-f]{6}$/i;

export function swatch(colour, { part } = {}) {
  const element = document.createElement('span');
  element.className = 'swatch';
  element.setAttribute('aria-hidden', 'true');
  if (part) {
    element.dataset.part = part;
  }
  if (COLOUR.test(colour)) {
    element.style.backgroundColor = colour;
  }
  return element;
}

