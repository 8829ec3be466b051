// The words of the page in the language of the person. lang/*.json holds one text for each key;
// {name} stands for a value, and a text with plural forms is an object of them, chosen by `count`.

import { remember } from './memory.js';

export const LANGUAGES = { en: 'English', de: 'Deutsch', ru: 'Русский' };

const LEAST_SHARE = 0.001; // with one decimal of a percent

let language = 'en';
let messages = {};
let plural = new Intl.PluralRules('en');
const formats = new Map(); // of numbers; to make one costs more than all that it is used for

/** Fetches the words of the language that early.js chose. */
export async function loadLanguage() {
  const tag = document.documentElement.lang;
  const response = await fetch(new URL(`../lang/${tag}.json`, import.meta.url));
  if (!response.ok) {
    throw new Error(`The server answered ${response.status}.`);
  }
  useMessages(tag, await response.json());
}

export function useMessages(tag, texts) {
  language = tag;
  messages = texts;
  formats.clear();
  plural = new Intl.PluralRules(tag);
}

export function currentLanguage() {
  return language;
}

/** Shows the page in another language: the same address once more. */
export function switchLanguage(tag) {
  const kept = remember('language', tag);
  const url = new URL(location.href);
  url.searchParams.delete('lang');
  if (!kept) {
    url.searchParams.set('lang', tag);
  }
  if (url.href === location.href) {
    location.reload();
  } else {
    location.replace(url);
    if (url.search === location.search) {
      location.reload();
    }
  }
}

function format(value, style, maximumFractionDigits, minimumFractionDigits = 0) {
  const key = [style, maximumFractionDigits, minimumFractionDigits].join();
  if (!formats.has(key)) {
    formats.set(key, new Intl.NumberFormat(language, { style, maximumFractionDigits, minimumFractionDigits }));
  }
  return formats.get(key).format(value + 0);
}

export function formatNumber(value, digits = 0) {
  return format(value, 'decimal', digits);
}

/** A share below a tenth has one decimal, and one that is not nothing never looks like nothing. */
export function formatShare(share) {
  const digits = share > 0 && share < 0.0995 ? 1 : 0;
  const tiny = share > 0 && share < LEAST_SHARE;
  return (tiny ? '<' : '') + format(tiny ? LEAST_SHARE : share, 'percent', digits, digits);
}

/** The text of a key; the key itself where there is none. */
export function t(key, values = {}) {
  const found = messages[key] ?? key;
  const text = typeof found === 'object' ? found[plural.select(values.count)] ?? found.other : found;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    return typeof value === 'number' ? formatNumber(value, 2) : String(value ?? whole);
  });
}

/** True where the language has a text of its own for the key. */
export function has(key) {
  return Object.hasOwn(messages, key);
}

/** The title of a layer: the server's, or ours where the language is another than the server's. */
export function layerTitle(layer) {
  const key = `layer.${layer.name}`;
  return language !== 'en' && has(key) ? t(key) : layer.title;
}

/** What the server calls a thing in this language, or in its own. */
export function nameOf(thing) {
  return thing[`name_${language}`] || thing.name;
}

export function titleOf(thing) {
  return thing[`title_${language}`] || thing.title;
}

/** Puts the words into marked elements: data-t is the text, data-t-label what a button is called. */
export function translate(root) {
  root.querySelectorAll('[data-t]').forEach((element) => {
    element.textContent = t(element.dataset.t);
  });
  root.querySelectorAll('[data-t-label]').forEach((element) => {
    const text = t(element.dataset.tLabel);
    element.setAttribute('aria-label', text);
    if (element.matches('button')) {
      element.title = text;
    }
  });
  root.querySelectorAll('[data-t-placeholder]').forEach((element) => {
    element.placeholder = t(element.dataset.tPlaceholder);
  });
}
