// What this browser keeps between visits; where it keeps nothing, the page works without.

export function recall(key) {
  try {
    return localStorage.getItem(`ecotone.${key}`);
  } catch {
    return null;
  }
}

/** True if it was kept. */
export function remember(key, value) {
  try {
    localStorage.setItem(`ecotone.${key}`, value);
    return true;
  } catch {
    return false;
  }
}
