import assert from "node:assert/strict";
import { test } from "node:test";

import { createState, isSeen, linePaths, nearPath, reduce, timeRange, viewBox } from "../../static/js/memory_graph_state.js";

const dot = (x, y, given = {}) => ({
  id: `${x},${y}`, x, y, r: 5, modality: "semantic", tier: "short_term", category: "", gravity: 0.5, formed: 1000, ended: null, text: "", ...given,
});
const picture = (dots, lines = []) => ({ box: [0, 0, 100, 80], dots, lines });
const play = (state, ...events) => events.reduce(reduce, state);
const everything = { modality: "", tier: "", category: "", search: "", history: false, at: null };

test("a dot is seen by kind, by how it is kept and by every word looked for", () => {
  const cat = dot(0, 0, { text: "My cat is Moses", modality: "semantic", category: "goals" });
  const seen = (asked) => isSeen(cat, { ...everything, ...asked });
  assert.deepEqual(
    [{}, { modality: "semantic" }, { modality: "sensory" }, { tier: "long_term" }, { category: "goals" }, { category: "struggles" }, { search: "MOSES cat" }, { search: "cat dog" }].map(seen),
    [true, true, false, false, true, false, true, false],
  );
});

test("what has ended is seen when it is asked for, and at moments when it still held", () => {
  const old = dot(0, 0, { formed: 1000, ended: 2000 });
  const seen = (asked) => isSeen(old, { ...everything, ...asked });
  assert.deepEqual(
    [{}, { history: true }, { at: 999 }, { at: 1000 }, { at: 1999 }, { at: 2000 }, { at: 2000, history: true }].map(seen),
    [false, true, false, true, true, false, true],
  );
});

test("lines are drawn between seen dots only, by category and firmness", () => {
  const dots = [dot(1, 2), dot(3, 4), dot(5, 6, { modality: "sensory" })];
  const lines = [[0, 1, "temporal", 1], [1, 2, "temporal", 1], [0, 2, "entity", 0]];
  const state = createState(picture(dots, lines));
  assert.deepEqual(linePaths(state), { "temporal-1": "M1 2L3 4M3 4L5 6", "entity-0": "M1 2L5 6" });
  assert.deepEqual(linePaths(play(state, { type: "filter", modality: "semantic" })), { "temporal-1": "M1 2L3 4" });
});

test("looking at a dot shows its lines; hiding it ends the looking", () => {
  const dots = [dot(1, 2), dot(3, 4), dot(5, 6)];
  const state = play(createState(picture(dots, [[0, 1, "semantic", 1], [1, 2, "semantic", 1]])), { type: "look", row: 0 });
  assert.equal(nearPath(state), "M1 2L3 4");
  assert.equal(nearPath(play(state, { type: "leave" })), "");
  assert.equal(play(state, { type: "filter", search: "none of it" }).looked, null);
  assert.equal(play(state, { type: "filter", search: "none of it" }, { type: "look", row: 1 }).looked, null);
});

test("the slider goes back to what was held then and forward again", () => {
  const state = createState(picture([dot(1, 1, { formed: 1000, ended: 3000 }), dot(2, 2, { formed: 3000 })]));
  assert.deepEqual(state.seen, [false, true]);
  assert.deepEqual(play(state, { type: "slide", at: 2000 }).seen, [true, false]);
  assert.deepEqual(play(state, { type: "slide", at: 2000 }, { type: "slide", at: null }).seen, [false, true]);
  assert.deepEqual(timeRange(state, 9000), { first: 1000, last: 9000 });
  assert.equal(timeRange(createState(picture([])), 9000), null);
});

test("the first step goes to the heaviest, an arrow to the nearest straight on, and stays where there is none", () => {
  const dots = [dot(50, 40, { gravity: 0.9 }), dot(60, 40), dot(70, 40), dot(58, 47), dot(50, 70)];
  const first = play(createState(picture(dots)), { type: "step", dx: 1, dy: 0 });
  assert.equal(first.looked, 0);
  assert.equal(play(first, { type: "step", dx: 1, dy: 0 }).looked, 1);
  assert.equal(play(first, { type: "step", dx: 0, dy: 1 }).looked, 4);
  assert.equal(play(first, { type: "step", dx: -1, dy: 0 }).looked, 0);
});

test("every seen dot is reached by arrows from every other", () => {
  let seed = 11;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const dots = Array.from({ length: 60 }, () => dot(random() * 100, random() * 80));
  const start = createState(picture(dots));
  const arrows = [[1, 0], [-1, 0], [0, 1], [0, -1]];
  const reached = new Set([0]);
  const waiting = [0];
  while (waiting.length) {
    const row = waiting.pop();
    for (const [dx, dy] of arrows) {
      const { looked } = play({ ...start, looked: row }, { type: "step", dx, dy });
      if (!reached.has(looked)) reached.add(looked) && waiting.push(looked);
    }
  }
  assert.equal(reached.size, dots.length);
});

test("a step brings the dot into view", () => {
  const zoomed = play(createState(picture([dot(10, 10, { gravity: 0.9 }), dot(90, 10)])), { type: "zoom", factor: 4, x: 10, y: 10 });
  const { view } = play(zoomed, { type: "look", row: 0 }, { type: "step", dx: 1, dy: 0 });
  assert.ok(view.x <= 90 && 90 <= view.x + view.width);
});

test("zooming keeps the point under the pointer and has an end both ways", () => {
  const state = createState(picture([dot(50, 40)]));
  const near = play(state, { type: "zoom", factor: 2, x: 20, y: 20 });
  assert.equal(viewBox(near), "10 10 50 40");
  const close = play(state, ...Array(50).fill({ type: "zoom", factor: 2 }));
  assert.equal(close.view.width, 100 / 40);
  assert.equal(viewBox(play(near, ...Array(50).fill({ type: "zoom", factor: 0.5 }))), viewBox(state));
});

test("moving never loses the picture, and all shows it whole", () => {
  const state = play(createState(picture([dot(50, 40)])), { type: "zoom", factor: 4 });
  const far = play(state, ...Array(99).fill({ type: "pan", dx: 1, dy: -1 }));
  assert.ok(far.view.x <= 100 && far.view.y + far.view.height >= 0);
  assert.equal(viewBox(play(far, { type: "all" })), "0 0 100 80");
});

test("events that mean nothing change nothing, and no state is changed in place", () => {
  const state = createState(picture([dot(1, 1), dot(2, 2)], [[0, 1, "semantic", 1]]));
  const before = JSON.stringify(state);
  assert.equal(play(state, { type: "wave" }), state);
  play(state, { type: "look", row: 1 }, { type: "pan", dx: 1, dy: 1 }, { type: "zoom", factor: 3 }, { type: "filter", search: "x" });
  assert.equal(JSON.stringify(state), before);
  assert.equal(play(createState(picture([])), { type: "step", dx: 1, dy: 0 }).looked, null);
});
