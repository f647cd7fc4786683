import assert from "node:assert/strict";
import { test } from "node:test";

import { createState, describe, isFinal, reduce } from "../../static/js/chat_state.js";

const play = (state, ...events) => events.reduce(reduce, state);
const receive = (frame) => ({ type: "receive", frame });
const delta = (seq, text, reply = "r1") => receive({ type: "chat.delta", reply, seq, text });
const started = (reply = "r1") => receive({ type: "chat.started", reply, seq: 0, html: "<article></article>" });
const say = (clientId = "c1", text = "hello") => ({ type: "say", clientId, text });
const accepted = (clientId = "c1") =>
  receive({ type: "chat.accepted", client_id: clientId, message_id: "m1", html: "<article></article>" });
const open = { type: "open" };
const lost = { type: "close", code: 1006 };
const sayFrames = (state) => state.frames.filter((frame) => frame.type === "chat.say");

test("what is said before the socket is open is shown at once and sent on opening", () => {
  const queued = play(createState(), say());
  assert.deepEqual(queued.frames, []);
  assert.deepEqual(queued.changes, [{ op: "pending", clientId: "c1", text: "hello" }]);
  assert.deepEqual(play(queued, open).frames, [
    { type: "chat.resume", reply: null, seq: 0, awaiting: [], shown: null },
    { type: "chat.say", client_id: "c1", text: "hello" },
  ]);
});

test("what was attached goes with the message, however often it is sent", () => {
  const state = play(createState(), open, { ...say(), attachments: ["a1", "a2"] }, lost, open);
  assert.deepEqual(sayFrames(state), [{ type: "chat.say", client_id: "c1", text: "hello", attachments: ["a1", "a2"] }]);
});

test("what is said on an open socket is sent at once", () => {
  assert.deepEqual(play(createState(), open, say()).frames, [{ type: "chat.say", client_id: "c1", text: "hello" }]);
});

test("blank text is not said", () => {
  const state = play(createState(), open, say("c1", " \n\t"));
  assert.deepEqual([state.frames, state.changes, state.outbox], [[], [], []]);
});

test("an unaccepted message is sent again with the same client id, in order, on each new connection", () => {
  const state = play(createState(), open, say("c1"), say("c2"), lost, open);
  assert.deepEqual(sayFrames(state).map((frame) => frame.client_id), ["c1", "c2"]);
  assert.deepEqual(sayFrames(play(state, lost, open)).map((frame) => frame.client_id), ["c1", "c2"]);
});

test("what goes with a message needs no words", () => {
  const state = play(createState(), open, { ...say("c1", " "), attachments: ["a1"] });
  assert.deepEqual(sayFrames(state), [{ type: "chat.say", client_id: "c1", text: " ", attachments: ["a1"] }]);
});

test("another version of a message says so whenever it is sent, and makes room when the server says so", () => {
  const state = play(createState(), open, { ...say(), insteadOf: "m0" }, lost, open);
  assert.deepEqual(sayFrames(state), [{ type: "chat.say", client_id: "c1", text: "hello", instead_of: "m0" }]);
  assert.deepEqual(play(state, receive({ type: "chat.replaced", message: "m0" })).changes, [{ op: "replaced", message: "m0" }]);
  assert.deepEqual(play(state, receive({ type: "chat.turned" })).changes, [{ op: "turned" }]);
});

test("an accepted message is not sent again", () => {
  const state = play(createState(), open, say(), accepted(), lost, open);
  assert.deepEqual(sayFrames(state), []);
});

test("the same client id is said once", () => {
  assert.equal(play(createState(), open, say(), say()).outbox.length, 1);
});

test("pieces are shown in order and each once", () => {
  const state = play(createState(), open, started(), delta(1, "a"), delta(2, "b"));
  assert.equal(state.reply.text, "ab");
  const repeated = play(state, delta(2, "b"));
  assert.deepEqual(repeated.changes, []);
  assert.equal(repeated.reply.text, "ab");
});

test("a gap shows nothing and asks once for what is missing", () => {
  const gap = play(createState(), open, started(), delta(1, "a"), delta(3, "c"));
  assert.deepEqual(gap.frames, [{ type: "chat.resume", reply: "r1", seq: 1 }]);
  assert.deepEqual(gap.changes, []);
  assert.deepEqual(play(gap, delta(4, "d")).frames, []);
});

test("the whole text closes a gap and the stream goes on behind it", () => {
  const snapshot = receive({ type: "chat.snapshot", reply: "r1", seq: 4, text: "abcd" });
  const state = play(createState(), open, started(), delta(1, "a"), delta(4, "d"), snapshot);
  assert.deepEqual(state.changes, [{ op: "text", reply: "r1", text: "abcd" }]);
  assert.equal(play(state, delta(4, "d"), delta(5, "e")).reply.text, "abcde");
});

test("an older whole text does not take back what is shown", () => {
  const old = receive({ type: "chat.snapshot", reply: "r1", seq: 1, text: "a" });
  const state = play(createState(), open, started(), delta(1, "a"), delta(2, "b"), old);
  assert.equal(state.reply.text, "ab");
  assert.deepEqual(state.changes, []);
});

test("a new connection asks for the running reply from where the page is", () => {
  const state = play(createState(), open, started(), delta(1, "a"), lost, open);
  assert.deepEqual(state.frames, [{ type: "chat.resume", reply: "r1", seq: 1, awaiting: [], shown: null }]);
});

test("each new connection is told which messages the page still awaits, and which it shows last", () => {
  const state = play(createState(), { type: "open", awaiting: ["m1"] }, lost, { type: "open", awaiting: ["m1", "m2"], shown: "m3" });
  assert.deepEqual(state.frames, [{ type: "chat.resume", reply: null, seq: 0, awaiting: ["m1", "m2"], shown: "m3" }]);
});

test("a gap that a lost connection left open is asked for again", () => {
  const state = play(createState(), open, started(), delta(3, "c"), lost, open, delta(4, "d"));
  assert.deepEqual(state.frames, [{ type: "chat.resume", reply: "r1", seq: 0 }]);
});

test("a page loaded in the middle of a reply goes on from there", () => {
  const state = play(createState({ reply: "r1", seq: 2, text: "ab" }), open);
  assert.deepEqual(state.frames, [{ type: "chat.resume", reply: "r1", seq: 2, awaiting: [], shown: null }]);
  assert.equal(play(state, delta(2, "b"), delta(3, "c")).reply.text, "abc");
});

test("a reply begun while the page was away is taken up from its whole text", () => {
  const state = play(createState(), open, receive({ type: "chat.snapshot", reply: "r9", seq: 3, text: "abc" }));
  assert.deepEqual(state.changes, [{ op: "text", reply: "r9", text: "abc" }]);
  assert.equal(play(state, delta(4, "d", "r9")).reply.text, "abcd");
});

test("a finished reply takes no late pieces", () => {
  const done = receive({ type: "chat.done", reply: "r1", html: "<article></article>", state: "complete" });
  const state = play(createState(), open, started(), delta(1, "a"), done);
  assert.equal(state.reply, null);
  for (const late of [delta(2, "b"), started(), receive({ type: "chat.snapshot", reply: "r1", seq: 1, text: "a" })]) {
    const after = play(state, late);
    assert.deepEqual([after.reply, after.changes, after.frames], [null, [], []]);
  }
});

test("stop is sent once for one reply", () => {
  const state = play(createState(), open, started(), { type: "stop" });
  assert.deepEqual(state.frames, [{ type: "chat.stop", reply: "r1" }]);
  assert.equal(describe(state), "stopping");
  assert.deepEqual(play(state, { type: "stop" }).frames, []);
});

test("stop without a reply does nothing", () => {
  assert.deepEqual(play(createState(), open, { type: "stop" }).frames, []);
});

test("a reply tried again may keep its id", () => {
  const done = receive({ type: "chat.done", reply: "r1", html: "", state: "interrupted" });
  const state = play(createState(), open, started(), done, { type: "retry", reply: "r1" });
  assert.deepEqual(state.frames, [{ type: "chat.retry", reply: "r1" }]);
  assert.equal(play(state, started(), delta(1, "x")).reply.text, "x");
});

test("a reply tried again under a new id takes the old one's place", () => {
  const state = play(createState(), open, { type: "retry", reply: "r1" }, started("r2"));
  assert.equal(state.changes[0].replaces, "r1");
  assert.equal(play(state, started("r3")).changes[0].replaces, null);
});

test("nothing is tried again while a reply runs", () => {
  assert.deepEqual(play(createState(), open, started(), { type: "retry", reply: "r0" }).frames, []);
});

test("a refused message stays, is not sent again by itself, and goes out when asked", () => {
  const error = receive({ type: "chat.error", code: "x", text: "No", client_id: "c1", retryable: true });
  const state = play(createState(), open, say(), error, lost, open);
  assert.deepEqual(sayFrames(state), []);
  const again = play(state, { type: "again", clientId: "c1" });
  assert.deepEqual(sayFrames(again), [{ type: "chat.say", client_id: "c1", text: "hello" }]);
  assert.deepEqual(play(again, accepted()).outbox, []);
});

test("a message that can never be taken leaves the outbox but not the page", () => {
  const error = receive({ type: "chat.error", code: "x", text: "Too long", client_id: "c1", retryable: false });
  const state = play(createState(), open, say(), error);
  assert.deepEqual(state.outbox, []);
  assert.deepEqual(state.changes.map((change) => change.op), ["error"]);
});

test("an error about a reply ends it", () => {
  const error = receive({ type: "chat.error", code: "x", text: "No", reply: "r1", retryable: true });
  const state = play(createState(), open, started(), error);
  assert.equal(state.reply, null);
});

test("being logged out keeps what was said until the next log-in", () => {
  const state = play(createState(), open, say(), { type: "close", code: 4401 });
  assert.equal(describe(state), "loggedout");
  assert.deepEqual(sayFrames(play(state, open)).map((frame) => frame.client_id), ["c1"]);
});

test("only a log-out and an unknown conversation end the attempts", () => {
  assert.deepEqual([4401, 4404, 1000, 1006, 1012].map(isFinal), [true, true, false, false, false]);
});

test("the status names what the person waits for", () => {
  const at = (...events) => describe(play(createState(), ...events));
  assert.equal(at(), "connecting");
  assert.equal(at(open), "ready");
  assert.equal(at(open, say()), "sending");
  assert.equal(at(open, say(), accepted(), started()), "writing");
  assert.equal(at(open, started(), delta(2, "b")), "catchingup");
  assert.equal(at(open, started(), lost), "reconnecting");
});

test("unknown frames and events change nothing and the given state is left alone", () => {
  const state = Object.freeze(play(createState(), open, started(), delta(1, "a")));
  const before = JSON.stringify(state);
  const after = play(state, receive({ type: "chat.later" }), { type: "wave" });
  assert.deepEqual([after.reply.text, after.frames, after.changes], ["a", [], []]);
  play(state, delta(2, "b"), say());
  assert.equal(JSON.stringify(state), before);
});

test("any loss, repeat or reordering of frames ends in the same text", () => {
  const pieces = Array.from({ length: 40 }, (_, index) => `${index} `);
  const whole = pieces.join("");
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let round = 0; round < 200; round++) {
    let state = play(createState(), open, started());
    pieces.forEach((piece, index) => {
      if (random() < 0.2) return;
      state = play(state, delta(index + 1, piece));
      const old = Math.floor(random() * (index + 1));
      if (random() < 0.2) state = play(state, delta(old + 1, pieces[old]));
      if (random() < 0.1) state = play(state, lost, open);
      if (state.frames.some((frame) => frame.type === "chat.resume") && random() < 0.7) {
        const text = pieces.slice(0, index + 1).join("");
        state = play(state, receive({ type: "chat.snapshot", reply: "r1", seq: index + 1, text }));
      }
      assert.ok(whole.startsWith(state.reply.text));
    });
    state = play(state, receive({ type: "chat.snapshot", reply: "r1", seq: 40, text: whole }));
    assert.equal(state.reply.text, whole);
  }
});

test("what was noted of a message reaches its reply and leaves everything else as it is", () => {
  const before = play(createState(), open, say(), accepted(), started(), delta(1, "Hi"));
  const after = play(before, receive({ type: "chat.noted", reply: "r1", html: "<article></article>" }));
  assert.deepEqual(after.changes, [{ op: "noted", reply: "r1", html: "<article></article>" }]);
  assert.equal(describe(after), describe(before));
});

test("a growing reply is drawn as long as it grows, and not once it is done", () => {
  const drawn = { type: "chat.drawn", reply: "r1", ended: "<p>a</p>", growing: "<p>b</p>" };
  const started = reduce(createState({ reply: "r1" }), { type: "receive", frame: drawn });
  assert.deepEqual(started.changes, [{ op: "drawn", reply: "r1", ended: "<p>a</p>", growing: "<p>b</p>", gap: false }]);
  const done = reduce(started, { type: "receive", frame: { type: "chat.done", reply: "r1", html: "", state: "complete" } });
  assert.deepEqual(reduce(done, { type: "receive", frame: drawn }).changes, []);
});
