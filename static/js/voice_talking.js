/** Talking: the button's events go into the state, the state's changes to microphone, server and text box. */

import { openRecorder, reasonOf } from "./voice_recorder.js";
import { createState, holdsRecording, reduce } from "./voice_state.js";

const TICK_MS = 200;
/** Only these can be read before they are whole. */
const READABLE_IN_PART = /^audio\/(webm|ogg)/;

/**
 * @param {{button: HTMLElement, view: object, server: object, offer: object, language: string, limitS: number,
 *          onTalk: () => void, onWords: (text: string, sound: object|null) => void}} parts
 *   `onTalk`: somebody begins to talk; `onWords`: what they said
 * @returns {{press: (at: number) => void, release: (at: number) => void, isTalking: () => boolean, cancel: () => void, holds: () => boolean}}
 */
export function createTalking({ button, view, server, offer, language, limitS, onTalk, onWords }) {
  let state = createState({ limitS });
  let recorder = null;
  let recording = null;
  let asking = new AbortController();

  function dispatch(event) {
    const before = state.phase;
    state = reduce(state, event);
    view.showTalking(state);
    if (state.phase === "failed" && before !== "failed") view.focusAgain();
    state.changes.forEach((change) => changes[change.op](change));
  }

  /** Give up whatever was asked for, and what was asked before stays unheard. */
  function giveUp() {
    asking.abort();
    asking = new AbortController();
  }

  /** Do something and tell the state how it went, unless it was given up meanwhile. */
  async function attempt(action, { done, failed }) {
    const { signal } = asking;
    try {
      const result = await action(signal);
      if (!signal.aborted) dispatch(done(result));
      return signal.aborted ? result : null;
    } catch (error) {
      if (!signal.aborted) dispatch(failed(error));
    }
    return null;
  }

  const changes = {
    async open() {
      giveUp();
      onTalk();
      const opened = (fresh) => {
        recorder = fresh;
        return { type: "opened", at: Date.now(), drafts: offer.partial && READABLE_IN_PART.test(fresh.soFar().type) };
      };
      const open = () => openRecorder({ onLevel: view.showLevel, onCut: () => dispatch({ type: "cut" }) });
      const unwanted = await attempt(open, { done: opened, failed: (error) => ({ type: "blocked", code: reasonOf(error) }) });
      unwanted?.close();
    },
    draft() {
      attempt((signal) => server.transcribe(recorder.soFar(), { language, isDraft: true, signal }), {
        done: ({ text }) => ({ type: "drafted", text }),
        failed: ({ code }) => ({ type: "undrafted", code }),
      });
    },
    finish() {
      giveUp();
      const done = (blob) => ((recording = blob), { type: "recorded" });
      attempt(() => recorder.finish(), { done, failed: () => ({ type: "refused", code: "microphone" }) });
    },
    send() {
      attempt((signal) => server.transcribe(recording, { language, signal }), {
        done: ({ text, sound }) => ({ type: "transcribed", text, sound }),
        failed: ({ code, text, retryable }) => ({ type: "refused", code, text, retryable }),
      });
    },
    fill: ({ text, sound }) => onWords(text, sound),
    drop() {
      giveUp();
      recorder?.close();
      recorder = recording = null;
    },
  };

  view.on.again.addEventListener("click", () => dispatch({ type: "again" }));
  view.on.discard.addEventListener("click", () => leave("discard"));
  view.on.cancel.addEventListener("click", () => leave("cancel"));
  setInterval(() => state.phase === "recording" && dispatch({ type: "tick", at: Date.now() }), TICK_MS);
  view.showTalking(state);

  /** Focus goes back to the button before what was pressed has gone. */
  function leave(type) {
    button.focus();
    dispatch({ type });
  }

  return {
    press: (at) => dispatch({ type: "press", at }),
    release: (at) => dispatch({ type: "release", at }),
    isTalking: () => ["opening", "recording", "sending"].includes(state.phase),
    cancel: () => dispatch({ type: "cancel" }),
    holds: () => holdsRecording(state),
  };
}
