import assert from "node:assert/strict";
import { test } from "node:test";

import { delayAfter, tell } from "../../static/js/memory_waiting_state.js";

test("a page without an answer asks less and less often, but goes on asking", () => {
  const delays = [0, 1, 2, 3, 50].map(delayAfter);
  assert.deepEqual(delays, [...delays].sort((a, b) => a - b));
  assert.ok(delays[0] < 1000 && delays[4] <= 15_000 && delays[4] > delays[0]);
});

test("progress is said in steps of ten", () => {
  const words = [0, 9, 10, 99, 100].map((percent) => tell({ percent, label: "Running" }, "%(percent)s percent"));
  assert.deepEqual(words, ["Running · 0 percent", "Running · 0 percent", "Running · 10 percent", "Running · 90 percent", "Running · 100 percent"]);
});
