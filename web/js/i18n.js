// The words of the page in the language of the person. lang/*.json holds one text for each key;
// {name} stands for a value, and a text with plural forms is an object of them, chosen by `count`.

import { recall, remember } from './memory.js';

export const LANGUAGES = { en: 'English', de: 'Deutsch', ru: 'Русский' };

let language = 'en';
let messages = {};
let plural = new Intl.PluralRules('en');

/** The first of the languages asked for that there is: by the link, by choice, by the browser. */
export function chooseLanguage(wanted) {
  const known = wanted.filter(Boolean).map((tag) => tag.toLowerCase().split('-')[0]);
  return known.find((tag) => Object.hasOwn(LANGUAGES, tag)) ?? 'en';
}

export async function loadLanguage() {
  const asked = new URLSearchParams(location.search).get('lang');
  const tag = chooseLanguage([asked, recall('language'), ...navigator.languages]);
  const response = await fetch(`lang/${tag}.json`);
  if (!response.ok) {
    throw new Error(`The server answered ${response.status}.`);
  }
  useMessages(tag, await response.json());
}

export function useMessages(tag, texts) {
  language = tag;
  messages = texts;
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

export function formatNumber(value, digits = 0) {
  return new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value + 0);
}

export function formatShare(share) {
  const digits = share > 0 && share < 0.1 ? 1 : 0;
  const format = { style: 'percent', maximumFractionDigits: digits };
  return new Intl.NumberFormat(language, format).format(share);
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
  document.documentElement.lang = language;
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
