/**
 * The chat's state and its one transition, without a browser: reduce(state, event) -> state.
 *
 * Each new state carries what the event led to: `frames` to send on the socket and `changes` to make on the page.
 * Both hold for that one step only. Events:
 *   open {awaiting, shown} | close {code} | say {clientId, text, voice, insteadOf, attachments} | again {clientId} | stop | retry {reply} | receive {frame}
 *
 * Rules kept here:
 *   - What was said is in `outbox` until the server has accepted it, and is sent again, with the same client id, on
 *     each new connection; the server answers a repeat as it answered the first.
 *   - On each new connection the server is told which messages the page does not know to be remembered (`awaiting`) and the
 *     newest it shows (`shown`), which may have gone.
 *   - `insteadOf` is the message of which it is another version; that one leaves the page once the server says so.
 *   - `attachments` are ids of what was uploaded before; they go wherever the text goes.
 *   - `voice` is what a spoken message says of itself: {spoken, sound}; it goes along, too.
 *   - A piece of a reply is taken once and in order; after a gap nothing is shown until the whole text came again.
 */

/** Close codes after which connecting again by itself is of no use. */
const ENDINGS = { 4401: "loggedout", 4404: "missing" };

export function isFinal(code) {
  return code in ENDINGS;
}

/** @param {{reply: string|null, seq: number, text: string}} resume what the page already shows of a running reply */
export function createState({ reply = null, seq = 0, text = "" } = {}) {
  return {
    phase: "connecting",
    outbox: [],
    reply: reply ? { id: reply, seq, text, waiting: false, stopping: false } : null,
    finished: [],
    frames: [],
    changes: [],
  };
}

export function reduce(state, event) {
  const step = EVENTS[event.type];
  const next = { ...state, frames: [], changes: [] };
  return step ? step(next, event) : next;
}

/** The one word the status line needs. */
export function describe(state) {
  if (state.phase !== "open") return state.phase;
  if (state.reply) return state.reply.stopping ? "stopping" : state.reply.waiting ? "catchingup" : "writing";
  return state.outbox.some((item) => item.status === "sent") ? "sending" : "ready";
}

const EVENTS = {
  open(state, { awaiting = [], shown = null }) {
    const reply = state.reply && { ...state.reply, waiting: false, stopping: false };
    const resume = { type: "chat.resume", reply: reply?.id ?? null, seq: reply?.seq ?? 0, awaiting, shown };
    const outbox = state.outbox.map((item) => (item.status === "failed" ? item : { ...item, status: "sent" }));
    const frames = [resume, ...outbox.filter((item) => item.status === "sent").map(sayFrame)];
    return { ...state, phase: "open", reply, outbox, frames };
  },

  close(state, { code }) {
    return { ...state, phase: ENDINGS[code] ?? "reconnecting" };
  },

  say(state, { clientId, text, voice = {}, insteadOf = null, attachments = [] }) {
    if ((!text.trim() && !attachments.length) || state.outbox.some((item) => item.clientId === clientId)) return state;
    const item = { clientId, text, voice, insteadOf, attachments, status: state.phase === "open" ? "sent" : "queued" };
    const frames = item.status === "sent" ? [sayFrame(item)] : [];
    return { ...state, outbox: [...state.outbox, item], frames, changes: [{ op: "pending", clientId, text }] };
  },

  again(state, { clientId }) {
    const status = state.phase === "open" ? "sent" : "queued";
    const item = state.outbox.find((one) => one.clientId === clientId && one.status === "failed");
    if (!item) return state;
    const outbox = state.outbox.map((one) => (one === item ? { ...item, status } : one));
    return { ...state, outbox, frames: status === "sent" ? [sayFrame(item)] : [], changes: [{ op: "waiting", clientId }] };
  },

  stop(state) {
    if (!state.reply || state.phase !== "open" || state.reply.stopping) return state;
    const frames = [{ type: "chat.stop", reply: state.reply.id }];
    return { ...state, frames, reply: { ...state.reply, stopping: true } };
  },

  retry(state, { reply }) {
    if (state.reply || state.phase !== "open") return state;
    const finished = state.finished.filter((id) => id !== reply);
    return { ...state, finished, retrying: reply, frames: [{ type: "chat.retry", reply }] };
  },

  receive(state, { frame }) {
    const step = FRAMES[frame.type];
    return step ? step(state, frame) : state;
  },
};

const FRAMES = {
  "chat.accepted"(state, { client_id: clientId, message_id: messageId, html }) {
    const outbox = state.outbox.filter((item) => item.clientId !== clientId);
    return { ...state, outbox, changes: [{ op: "accept", clientId, messageId, html }] };
  },

  "chat.started"(state, { reply, html }) {
    if (state.reply?.id === reply || state.finished.includes(reply)) return state;
    const started = { id: reply, seq: 0, text: "", waiting: false, stopping: false };
    const changes = [{ op: "start", reply, html, replaces: state.retrying ?? null }];
    return { ...state, reply: started, retrying: null, changes };
  },

  "chat.delta"(state, { reply: id, seq, text }) {
    if (state.finished.includes(id)) return state;
    const reply = state.reply?.id === id ? state.reply : unseenReply(id);
    if (seq <= reply.seq) return state;
    if (seq > reply.seq + 1) return askAgain(state, reply);
    const changes = [{ op: "append", reply: id, text }];
    return { ...state, changes, reply: { ...reply, seq, text: reply.text + text, waiting: false } };
  },

  "chat.drawn"(state, { reply: id, ended, growing }) {
    if (state.reply?.id !== id) return state;
    return { ...state, changes: [{ op: "drawn", reply: id, ended, growing, gap: /\s$/.test(state.reply.text) }] };
  },

  "chat.snapshot"(state, { reply: id, seq, text }) {
    if (state.finished.includes(id)) return state;
    const reply = state.reply?.id === id ? state.reply : unseenReply(id);
    if (seq < reply.seq) return state;
    return { ...state, reply: { ...reply, seq, text, waiting: false }, changes: [{ op: "text", reply: id, text }] };
  },

  "chat.done"(state, { reply: id, html, state: ending }) {
    const changes = [{ op: "finish", reply: id, html, ending }];
    return { ...endReply(state, id), changes };
  },

  "chat.noted"(state, { reply: id, html }) {
    return { ...state, changes: [{ op: "noted", reply: id, html }] };
  },

  "chat.remembered"(state, { message, html }) {
    return { ...state, changes: [{ op: "remembered", message, html }] };
  },

  "chat.replaced"(state, { message }) {
    return { ...state, changes: [{ op: "replaced", message }] };
  },

  "chat.turned"(state) {
    return { ...state, changes: [{ op: "turned" }] };
  },

  "chat.title"(state, { title }) {
    return { ...state, changes: [{ op: "title", title }] };
  },

  "chat.error"(state, { client_id: clientId = null, reply = null, code, text, retryable = false }) {
    const failed = { ...(reply ? endReply(state, reply) : state), retrying: null };
    const outbox = failed.outbox.map((item) => (item.clientId === clientId ? { ...item, status: "failed" } : item));
    const kept = retryable ? outbox : outbox.filter((item) => item.clientId !== clientId);
    return { ...failed, outbox: kept, changes: [{ op: "error", clientId, reply, code, text, retryable }] };
  },
};

function sayFrame({ clientId, text, voice, insteadOf, attachments }) {
  const rest = { ...(insteadOf && { instead_of: insteadOf }), ...(attachments.length && { attachments }) };
  return { type: "chat.say", client_id: clientId, text, ...voice, ...rest };
}

function unseenReply(id) {
  return { id, seq: 0, text: "", waiting: false, stopping: false };
}

/** Ask once for what is missing; until it comes, later pieces only widen the same gap. */
function askAgain(state, reply) {
  const frames = reply.waiting ? [] : [{ type: "chat.resume", reply: reply.id, seq: reply.seq }];
  return { ...state, frames, reply: { ...reply, waiting: true } };
}

function endReply(state, id) {
  const finished = state.finished.includes(id) ? state.finished : [...state.finished, id];
  return { ...state, finished, reply: state.reply?.id === id ? null : state.reply };
}
