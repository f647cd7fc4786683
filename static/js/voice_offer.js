/** Which voices there are, before anybody uses one: the browser's microphone, its own voices, and what the page shows of them. */

/** Whether this browser, on this page, can record at all; without a certificate it cannot. */
export function canRecord({ mediaDevices = globalThis.navigator?.mediaDevices, MediaRecorder = globalThis.MediaRecorder } = {}) {
  return Boolean(mediaDevices?.getUserMedia && MediaRecorder);
}

/**
 * The browser's own voice for a language, or null. Only voices of this machine: others send what they are to say to whoever made them.
 *
 * @param {string} language
 * @param {SpeechSynthesis|undefined} speech
 */
export function voiceFor(language, speech = globalThis.speechSynthesis) {
  return speech?.getVoices().find(({ lang, localService }) => localService && lang.toLowerCase().startsWith(language)) ?? null;
}

/** Show what there is: talking, reading aloud, both. */
export function showOffer(root, { button, articles }, { listens, speaks, notes = [] }) {
  const find = (name) => root.querySelector(`[data-voice-${name}]`);
  root.hidden = !listens && !speaks;
  button.hidden = find("listening").hidden = !listens;
  find("speaking").hidden = !speaks;
  articles.toggleAttribute("data-speaks", speaks);
  const words = notes.map((note) => root.dataset[note]).join(" ");
  if (find("notes").textContent !== words) find("notes").textContent = words;
  find("notes").hidden = !notes.length;
}
