/**
 * Talking to the companion, without a browser: reduce(state, event) -> state.
 *
 * Each new state carries in `changes` what is to be done now; they hold for that one step only. Times are milliseconds
 * of one clock. Events:
 *   press {at} | release {at} | opened {at, drafts} | blocked {code} | tick {at} | cut | recorded
 *   drafted {text} | undrafted {code} | transcribed {text, sound} | refused {code, text, retryable} | again | discard | cancel
 *
 * Rules kept here:
 *   - A press that is held records until it is let go; a short one until the next press.
 *   - Of what is recorded so far a draft of the words is asked for now and then, never two at a time.
 *   - A recording is kept until its words are in the text box, the person gives it up, or nothing can come of it.
 */

/** A press shorter than this leaves the recording running until the next one. */
export const SHORT_PRESS_MS = 400;
export const DRAFT_EVERY_MS = 2500;
/** So long before the limit it is said that it is near. */
export const ENDING_S = 10;
/** The recording ends so much before the limit, since its last piece takes a moment. */
const MARGIN_MS = 500;

/** The server listens to others just now; a little later it may have time. */
const BUSY = "voice.busy";

/** @param {{limitS: number}} options the longest recording that is taken */
export function createState({ limitS }) {
  return { ...AT_REST, limitS, changes: [] };
}

export function reduce(state, event) {
  const step = EVENTS[event.type];
  const next = { ...state, changes: [] };
  return step ? step(next, event) : next;
}

/** Whether something would be lost if the page went. */
export const holdsRecording = ({ phase }) => phase === "recording" || phase === "sending" || phase === "failed";

const AT_REST = {
  phase: "idle",
  pressedAt: null,
  startedAt: null,
  seconds: 0,
  draft: "",
  draftedAt: null,
  asking: false,
  drafts: false,
  problem: null,
  word: "",
};

const rest = (state, word, changes = []) => ({ ...state, ...AT_REST, word, changes });
const finish = (state) => ({ ...state, phase: "sending", word: "sending", changes: [{ op: "finish" }] });

const EVENTS = {
  press(state, { at }) {
    if (state.phase === "recording") return finish(state);
    if (state.phase === "failed" && state.problem.retryable) return { ...state, word: "kept" };
    if (state.phase !== "idle" && state.phase !== "failed") return state;
    const changes = [...(state.phase === "failed" ? [{ op: "drop" }] : []), { op: "open" }];
    return { ...state, ...AT_REST, phase: "opening", pressedAt: at, word: "opening", changes };
  },

  release(state, { at }) {
    if (state.pressedAt === null || at - state.pressedAt < SHORT_PRESS_MS) return { ...state, pressedAt: null };
    // Whoever let go to answer the browser's question about the microphone is not recorded unawares.
    if (state.phase === "opening") return rest(state, "ready", [{ op: "drop" }]);
    return state.phase === "recording" ? finish({ ...state, pressedAt: null }) : state;
  },

  opened(state, { at, drafts }) {
    if (state.phase !== "opening") return state;
    return { ...state, phase: "recording", startedAt: at, draftedAt: at, drafts, word: "recording" };
  },

  blocked(state, { code }) {
    return state.phase === "opening" ? { ...rest(state, ""), problem: { code, text: null } } : state;
  },

  tick(state, { at }) {
    if (state.phase !== "recording") return state;
    const elapsed = at - state.startedAt;
    const seconds = Math.min(Math.floor(elapsed / 1000), state.limitS);
    const timed = { ...state, seconds, word: seconds >= state.limitS - ENDING_S ? "ending" : "recording" };
    if (elapsed >= state.limitS * 1000 - MARGIN_MS) return finish(timed);
    if (state.asking || !state.drafts || at - state.draftedAt < DRAFT_EVERY_MS) return timed;
    return { ...timed, asking: true, draftedAt: at, changes: [{ op: "draft" }] };
  },

  /** The microphone went while it was recording: what there is of it counts. */
  cut: (state) => (state.phase === "recording" ? finish(state) : state),

  recorded: (state) => (state.phase === "sending" ? { ...state, asking: false, changes: [{ op: "send" }] } : state),

  drafted(state, { text }) {
    if (state.phase !== "recording") return { ...state, asking: false };
    return { ...state, asking: false, draft: text || state.draft };
  },

  /** Drafts are a convenience: where they cannot be had, the recording goes on without them. */
  undrafted: (state, { code }) => ({ ...state, asking: false, drafts: state.drafts && code === BUSY }),

  transcribed(state, { text, sound }) {
    return state.phase === "sending" ? rest(state, "transcribed", [{ op: "fill", text, sound }, { op: "drop" }]) : state;
  },

  refused(state, { code, text = null, retryable = true }) {
    if (state.phase !== "sending") return state;
    return { ...state, phase: "failed", word: "", problem: { code, text, retryable } };
  },

  again(state) {
    if (state.phase !== "failed") return state;
    return { ...state, phase: "sending", word: "sending", problem: null, changes: [{ op: "send" }] };
  },

  discard: (state) => (state.phase === "failed" ? rest(state, "discarded", [{ op: "drop" }]) : state),

  cancel(state) {
    const running = ["opening", "recording", "sending"].includes(state.phase);
    return running ? rest(state, "cancelled", [{ op: "drop" }]) : state;
  },
};
