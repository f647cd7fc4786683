/**
 * What the suggestions over the text box are in: a pure reducer of what is shown and what waits for the server.
 *
 * state:  { shown: ids in order, waiting: ids whose answer is on its way, changes: what to do on the page }
 * events: { type: "answer", id, answer } | { type: "taken", id, answer, message, draft } | { type: "failed", id }
 */

export const createState = (shown) => ({ shown, waiting: [], changes: [] });

const without = (list, id) => list.filter((other) => other !== id);

/** The text box afterwards: what somebody has begun to write stays in front. */
const joined = (draft, message) => (draft.trim() ? `${draft.trimEnd()}\n${message}` : message);

/** Whom the focus goes to when a chip goes: its neighbour, or the text box where there is none. */
function neighbour(shown, id) {
  const at = shown.indexOf(id);
  return shown[at + 1] ?? shown[at - 1] ?? null;
}

function take(state, { id, answer, message, draft }) {
  const waiting = without(state.waiting, id);
  if (!state.shown.includes(id)) return { ...state, waiting, changes: [] };
  const next = { shown: without(state.shown, id), waiting };
  const taken = answer === "chosen" && message;
  const word = taken || answer !== "chosen" ? answer : "gone";
  const focus = taken ? { op: "focusBox" } : { op: "focusNext", id: neighbour(state.shown, id) };
  const fill = taken ? [{ op: "fill", text: joined(draft, message) }] : [];
  return { ...next, changes: [...fill, focus, { op: "remove", id }, { op: "say", word }] };
}

export function reduce(state, event) {
  switch (event.type) {
    case "answer":
      if (state.waiting.includes(event.id) || !state.shown.includes(event.id)) return { ...state, changes: [] };
      return {
        ...state,
        waiting: [...state.waiting, event.id],
        changes: [{ op: "wait", id: event.id }, { op: "send", id: event.id, answer: event.answer }],
      };
    case "taken":
      return take(state, event);
    case "failed":
      return {
        ...state,
        waiting: without(state.waiting, event.id),
        changes: [{ op: "ready", id: event.id }, { op: "say", word: "failed" }],
      };
    default:
      throw new Error(`unknown event ${event.type}`);
  }
}
