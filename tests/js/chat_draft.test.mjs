import assert from "node:assert/strict";
import { test } from "node:test";

import { createDraft } from "../../static/js/chat_draft.js";

/** A box, a clock that is turned by hand, and a line that is up or down. */
function typing({ value = "", defaultValue = "" } = {}) {
  const world = { kept: [], isUp: true, due: null };
  const box = { value, defaultValue, addEventListener: (_, act) => (world.input = act) };
  const clock = { setTimer: (act) => (world.due = act), clearTimer: () => (world.due = null) };
  const draft = createDraft(box, (text) => world.isUp && world.kept.push(text) > 0, clock);
  const type = (text) => {
    box.value = text;
    world.input();
  };
  return { world, draft, type };
}

test("what is typed is kept once, when the fingers rest", () => {
  const { world, draft, type } = typing();
  ["h", "he", "hey"].forEach(type);
  assert.deepEqual(world.kept, []);
  world.due();
  draft.keep();
  assert.deepEqual(world.kept, ["hey"]);
});

test("what could not be kept is kept with the next connection", () => {
  const { world, draft, type } = typing();
  world.isUp = false;
  type("hey");
  world.due();
  world.isUp = true;
  draft.keep();
  assert.deepEqual(world.kept, ["hey"]);
});

test("what has been sent is not kept any more", () => {
  const { world, draft, type } = typing();
  type("hey");
  draft.drop();
  draft.keep();
  assert.deepEqual([world.kept, world.due], [[], null]);
});

test("what was typed before the page's scripts came is kept too, and what the server gave is not", () => {
  const early = typing({ value: "hey" });
  early.draft.keep();
  assert.deepEqual(early.world.kept, ["hey"]);
  const given = typing({ value: "hey", defaultValue: "hey" });
  given.draft.keep();
  assert.deepEqual(given.world.kept, []);
});
