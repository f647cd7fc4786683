import assert from "node:assert/strict";
import { test } from "node:test";

import { createState, isSpeaking, reduce } from "../../static/js/voice_speech_state.js";

const play = (state, ...events) => events.reduce(reduce, state);
const begun = () => play(createState({ on: true }), { type: "begin", reply: "r1" });
const told = (state, type, more = {}) => reduce(state, { type, turn: state.turn, ...more });
const done = ({ changes }) => changes.map(({ op, index, by }) => (op === "halt" ? op : `${op} ${index} ${by}`));

test("sentences are heard in order, and the next is fetched while one is heard", () => {
  const first = begun();
  assert.deepEqual(done(first), ["fetch 0 server"]);
  const heard = told(first, "fetched");
  assert.deepEqual(done(heard), ["play 0 server", "fetch 1 server"]);
  const ahead = told(heard, "fetched");
  assert.deepEqual(done(ahead), [], "no more than one ahead");
  const second = told(ahead, "played");
  assert.deepEqual(done(second), ["play 1 server", "fetch 2 server"]);
  const waiting = told(second, "played");
  assert.deepEqual(done(waiting), []);
  assert.deepEqual(done(told(waiting, "fetched")), ["play 2 server", "fetch 3 server"]);
});

test("a sentence that is still being written is asked for again", () => {
  const waiting = told(told(begun(), "notyet"), "notyet");
  assert.deepEqual(done(waiting), ["fetch 0 server"]);
  assert.deepEqual(done(told(waiting, "fetched")), ["play 0 server", "fetch 1 server"]);
});

test("after the last sentence has been heard all is silent", () => {
  const last = told(told(begun(), "fetched"), "over");
  assert.ok(isSpeaking(last));
  const silent = told(last, "played");
  assert.deepEqual([isSpeaking(silent), done(silent)], [false, []]);
  assert.ok(!isSpeaking(told(begun(), "over")), "a reply without words");
});

test("an interruption silences this reply, whatever still arrives of it, and not the next", () => {
  const speaking = told(begun(), "fetched");
  const hushed = play(speaking, { type: "interrupt" });
  assert.deepEqual([isSpeaking(hushed), done(hushed)], [false, ["halt"]]);
  for (const type of ["fetched", "played", "notyet", "over", "unfetched"]) {
    assert.deepEqual(done(reduce(hushed, { type, turn: speaking.turn })), []);
  }
  assert.deepEqual(done(play(hushed, { type: "begin", reply: "r2" })), ["fetch 0 server"]);
  assert.deepEqual(done(play(createState({ on: true }), { type: "interrupt" })), []);
});

test("a reply that is asked for is read although replies are not, in the place of another; asked again it falls silent", () => {
  const asked = play(createState({ on: false }), { type: "ask", reply: "r1" });
  assert.deepEqual(done(asked), ["fetch 0 server"]);
  const other = play(asked, { type: "ask", reply: "r2" });
  assert.deepEqual([done(other), other.reply], [["halt", "fetch 0 server"], "r2"]);
  const hushed = play(other, { type: "ask", reply: "r2" });
  assert.deepEqual([done(hushed), isSpeaking(hushed)], [["halt"], false]);
});

test("a new reply, or the same one written anew, takes the place of what is being read", () => {
  for (const reply of ["r1", "r2"]) {
    const next = play(told(begun(), "fetched"), { type: "begin", reply });
    assert.deepEqual(done(next), ["halt", "fetch 0 server"]);
  }
});

test("without a voice on the server the browser's own reads from that sentence on", () => {
  const own = told(begun(), "unfetched", { code: "voice.unavailable", byBrowser: true });
  assert.deepEqual(done(own), ["fetch 0 browser"]);
  const heard = told(own, "fetched");
  assert.deepEqual(done(heard), ["play 0 browser", "fetch 1 browser"]);
  const neither = told(own, "unfetched", { code: "novoice", byBrowser: true });
  assert.deepEqual([isSpeaking(neither), neither.problem.code, done(neither)], [false, "novoice", []]);
  assert.deepEqual(done(play(heard, { type: "begin", reply: "r2" })), ["halt", "fetch 0 server"], "the next reply may differ");
});

test("a failure lets what is being heard end, says so, and asks for no more", () => {
  const failed = told(told(begun(), "fetched"), "unfetched", { code: "voice.provider", text: "Down." });
  assert.deepEqual([isSpeaking(failed), failed.problem.text, done(failed)], [true, "Down.", []]);
  const ended = told(failed, "played");
  assert.deepEqual([isSpeaking(ended), done(ended)], [false, []]);
  assert.equal(play(ended, { type: "begin", reply: "r2" }).problem, null);
});

test("nothing is read while the switch is off, and switching it off falls silent", () => {
  assert.deepEqual(done(play(createState({ on: false }), { type: "begin", reply: "r1" })), []);
  const off = play(begun(), { type: "switch", on: false });
  assert.deepEqual([isSpeaking(off), done(off)], [false, ["halt"]]);
  assert.deepEqual(done(play(off, { type: "switch", on: true }, { type: "begin", reply: "r2" })), ["fetch 0 server"]);
});

test("no state is changed in place", () => {
  const state = Object.freeze(told(begun(), "fetched"));
  told(state, "fetched");
  play(state, { type: "interrupt" });
});
