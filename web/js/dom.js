// Small helpers to build elements; text always goes in as text.

/** element('button', { type: 'button', class: 'wide', 'aria-label': 'Hide' }, 'Hide', icon) */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) {
      made.setAttribute(name, '');
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, value);
    }
  }
  made.append(...children);
  return made;
}

export function option(value, text) {
  return element('option', { value }, text);
}

const SVG = 'http://www.w3.org/2000/svg';

export function icon(path) {
  const svg = document.createElementNS(SVG, 'svg');
  const line = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

let fields = 0;

/** A label with its control, which gets an id if it has none. */
export function field(label, control, ...more) {
  control.id ||= `field-${++fields}`;
  return element('div', { class: 'field' }, element('label', { for: control.id }, label), control, ...more);
}

/** A field whose label is too long to stand beside its control. */
export function tallField(label, control, ...more) {
  const made = field(label, control, ...more);
  made.classList.add('tall');
  return made;
}

export function check(label, attributes) {
  const box = element('input', { type: 'checkbox', ...attributes });
  return element('label', { class: 'check' }, box, element('span', {}, label));
}

/** Puts text on the clipboard, also where the page was not loaded over a secure connection. */
export async function copyText(text) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Not allowed to this page; the old way may be.
    }
  }
  const area = element('textarea', { class: 'unseen', 'aria-hidden': 'true' });
  const focused = document.activeElement;
  area.value = text;
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  focused?.focus();
  return done;
}

/** Calls `act` when the browser has nothing better to do. */
export function whenIdle(act) {
  (window.requestIdleCallback ?? ((later) => setTimeout(later, 200)))(act);
}

/** Hands the person a file. */
export function saveFile(blob, name) {
  const link = element('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
