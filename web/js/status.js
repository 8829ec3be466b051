// One line that says what went wrong, or what was made of a strange link.

/** `say(topic, message, tone)`: an empty message takes back what the topic said before. */
export function createStatus(element) {
  const said = new Map();

  return function say(topic, message, tone = 'note') {
    said.delete(topic);
    if (message) {
      said.set(topic, { message, tone });
    }
    const last = [...said.values()].at(-1);
    element.textContent = last?.message ?? '';
    element.dataset.tone = last?.tone ?? '';
  };
}
