import assert from "node:assert/strict";
import { test } from "node:test";

import { createState, reduce } from "../../static/js/chat_suggestions_state.js";

const play = (state, ...events) => events.reduce(reduce, state);
const answer = (id, given = "dismissed") => ({ type: "answer", id, answer: given });
const taken = (id, given = "dismissed", message = "", draft = "") => ({ type: "taken", id, answer: given, message, draft });

test("an answer is sent once, however often it is clicked", () => {
  const first = play(createState(["a", "b"]), answer("a"));
  assert.deepEqual(first.changes, [{ op: "wait", id: "a" }, { op: "send", id: "a", answer: "dismissed" }]);
  assert.deepEqual(play(first, answer("a", "snoozed")).changes, []);
  assert.deepEqual(play(first, taken("a"), answer("a")).changes, []);
});

test("a chosen one fills the text box, goes, and leaves the person in the box", () => {
  const state = play(createState(["a", "b"]), answer("a", "chosen"), taken("a", "chosen", "Go on with K10."));
  assert.deepEqual(state.changes, [
    { op: "fill", text: "Go on with K10." },
    { op: "focusBox" },
    { op: "remove", id: "a" },
    { op: "say", word: "chosen" },
  ]);
  assert.deepEqual(state.shown, ["b"]);
});

test("what somebody has begun to write is kept", () => {
  const state = play(createState(["a"]), answer("a", "chosen"), taken("a", "chosen", "Go on.", "Hello there "));
  assert.equal(state.changes[0].text, "Hello there\nGo on.");
});

test("one that was settled meanwhile goes and says so", () => {
  const state = play(createState(["a", "b"]), answer("a", "chosen"), taken("a", "chosen", ""));
  assert.deepEqual(state.changes.at(-1), { op: "say", word: "gone" });
  assert.ok(!state.changes.some(({ op }) => op === "fill"));
});

test("the focus goes to the neighbour of the one that went, and at last to the text box", () => {
  const focus = (state) => state.changes.find(({ op }) => op === "focusNext").id;
  const all = createState(["a", "b", "c"]);
  assert.equal(focus(play(all, answer("a"), taken("a"))), "b");
  const two = play(all, answer("c"), taken("c"));
  assert.equal(focus(two), "b");
  assert.equal(focus(play(two, answer("a"), taken("a"), answer("b"), taken("b"))), null);
});

test("where keeping the answer failed the chip stays and can be answered again", () => {
  const state = play(createState(["a"]), answer("a"), { type: "failed", id: "a" });
  assert.deepEqual(state.changes, [{ op: "ready", id: "a" }, { op: "say", word: "failed" }]);
  assert.deepEqual(state.shown, ["a"]);
  assert.equal(play(state, answer("a")).changes.at(-1).op, "send");
});
