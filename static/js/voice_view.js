/** What talking and reading aloud look like: the state's words in the page's language, and nothing decided here. */

const HELD = ["recording", "sending"];

export function createView(root, { button, articles, words = root.dataset } = {}) {
  const find = (name) => root.querySelector(`[data-voice-${name}]`);
  const [panel, level, time, draft, status, problem] = ["panel", "level", "time", "draft", "status", "problem"].map(find);
  const [again, discard, cancel, stop, toggle] = ["again", "discard", "cancel", "stop", "speaks"].map(find);
  const fill = (text, values) => Object.entries(values).reduce((said, [name, value]) => said.replace(`{${name}}`, value), text);

  /** Change a line only when it says something else: every change of it is read out. */
  function put(line, text) {
    if (line.textContent !== text) line.textContent = text;
  }

  const complaint = (found) => (found ? (found.text ?? words[found.code] ?? words.failed) : "");

  return {
    showLevel(value) {
      level.value = value;
    },
    showTalking({ phase, seconds, limitS, draft: text, problem: found, word }) {
      root.dataset.phase = phase;
      panel.hidden = !HELD.includes(phase) && !found;
      level.hidden = time.hidden = phase !== "recording";
      put(time, fill(words.time, { seconds, limit: limitS }));
      put(draft, phase === "failed" ? "" : text);
      cancel.hidden = !HELD.includes(phase);
      discard.hidden = phase !== "failed";
      again.hidden = phase !== "failed" || !found.retryable;
      button.setAttribute("aria-pressed", String(phase === "recording"));
      put(status, fill(words[word] ?? "", { limit: limitS }));
      put(problem, complaint(found));
    },
    showSpeaking({ on, reply, problem: found }, { isSpeaking }) {
      for (const aloud of articles.querySelectorAll("[data-aloud]")) aloud.setAttribute("aria-pressed", String(aloud.dataset.aloud === reply));
      toggle.checked = on;
      stop.hidden = !isSpeaking;
      put(find("unspoken"), complaint(found));
    },
    /** Nobody is left on a button that has gone. */
    focusAgain() {
      if ([document.body, button, cancel].includes(document.activeElement)) (again.hidden ? discard : again).focus();
    },
    on: { again, discard, cancel, stop, toggle },
  };
}
