/**
 * Replies read aloud, without a browser: reduce(state, event) -> state, with `changes` to make for that one step.
 *
 * The server cuts a reply into sentences; here they are numbers from 0. `turn` counts what is read, so that what still
 * arrives of something interrupted is passed over. Events:
 *   switch {on} | begin {reply} | ask {reply} | interrupt
 *   fetched {turn} | notyet {turn} | over {turn} | unfetched {turn, code, text, byBrowser} | played {turn}
 *
 * Rules kept here:
 *   - A reply is spoken from its beginning, sentence by sentence and in order, while more of it is still being written.
 *   - While one sentence is heard the next is fetched, and no more than that.
 *   - A reply that is asked for is spoken whether or not replies are; asked for while it is spoken, it falls silent.
 *   - What was interrupted stays silent; the next reply is spoken again.
 *   - Where the server has no voice for a reply, the browser's own speaks it.
 */

const SILENT = { reply: null, by: "server", next: 0, isOver: false, fetching: null, ready: null, playing: null };

export function createState({ on }) {
  return { ...SILENT, on, turn: 0, problem: null, changes: [] };
}

export function reduce(state, event) {
  const step = EVENTS[event.type];
  const isLate = "turn" in event && event.turn !== state.turn;
  const next = { ...state, changes: [] };
  return step && !isLate ? step(next, event) : next;
}

/** Whether there is something that can be interrupted. */
export const isSpeaking = (state) => state.reply !== null;

const EVENTS = {
  switch: (state, { on }) => ({ ...(on ? state : hush(state)), on, problem: null }),

  begin(state, { reply }) {
    const hushed = { ...hush(state), problem: null };
    return state.on ? advance({ ...hushed, reply }) : hushed;
  },

  ask(state, { reply }) {
    const hushed = { ...hush(state), problem: null };
    return state.reply === reply ? hushed : advance({ ...hushed, reply });
  },

  interrupt: (state) => hush(state),

  fetched: (state) => advance({ ...state, ready: state.fetching, fetching: null }),

  notyet: (state) => askFor(state, state.fetching),

  over: (state) => advance({ ...state, fetching: null, isOver: true }),

  unfetched(state, { code, text = null, byBrowser = false }) {
    if (byBrowser && state.by === "server") return askFor({ ...state, by: "browser" }, state.fetching);
    // What is there already is heard to its end; the rest of the reply stays unspoken.
    return advance({ ...state, fetching: null, isOver: true, problem: { code, text } });
  },

  played: (state) => advance({ ...state, playing: null }),
};

function hush(state) {
  const changes = isSpeaking(state) ? [{ op: "halt" }] : [];
  return { ...state, ...SILENT, turn: state.turn + 1, changes };
}

/** Begin what can begin now: hearing what is ready, and fetching what comes after it. */
function advance(state) {
  let next = state;
  if (next.playing === null && next.ready !== null) next = play(next);
  if (next.ready === null && next.fetching === null && !next.isOver) next = askFor({ ...next, next: next.next + 1 }, next.next);
  const hasMore = [next.playing, next.ready, next.fetching].some((index) => index !== null);
  return hasMore ? next : { ...next, ...SILENT };
}

function play(state) {
  const { turn, by, ready: index } = state;
  return { ...state, playing: index, ready: null, changes: [...state.changes, { op: "play", turn, by, index }] };
}

function askFor(state, index) {
  const { turn, by, reply } = state;
  return { ...state, fetching: index, changes: [...state.changes, { op: "fetch", turn, by, reply, index }] };
}
