import assert from "node:assert/strict";
import { test } from "node:test";

import { watchHolding } from "../../static/js/voice_holding.js";

/** A button that notes what came of the events it is given, each with its own fields. */
function watched() {
  const told = [];
  const button = Object.assign(new EventTarget(), { setPointerCapture() {} });
  watchHolding(button, { onPress: () => told.push("press"), onRelease: () => told.push("release") });
  const give = (type, fields = {}) => button.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), fields));
  return { told, give };
}

test("a pointer that is held presses once, and the click after it means nothing", () => {
  const { told, give } = watched();
  for (const type of ["pointerdown", "pointerup", "click"]) give(type, { button: 0 });
  assert.deepEqual(told, ["press", "release"]);
  give("pointerdown", { button: 2 });
  give("pointerup", { button: 2 });
  assert.deepEqual(told, ["press", "release"]);
});

test("a held key presses once however often it repeats, and losing the focus lets it go", () => {
  const { told, give } = watched();
  give("keydown", { key: " " });
  give("keydown", { key: " ", repeat: true });
  give("keydown", { key: "Enter" });
  give("keyup", { key: " " });
  give("keydown", { key: "Enter" });
  give("blur");
  give("keyup", { key: "Enter" });
  assert.deepEqual(told, ["press", "release", "press", "release"]);
});

test("a click that nobody held anything for is a press, also after a touch that the browser took away", () => {
  const { told, give } = watched();
  give("click");
  assert.deepEqual(told, ["press", "release"]);
  give("pointerdown", { button: 0 });
  give("pointercancel");
  give("click");
  assert.deepEqual(told.slice(2), ["press", "release", "press", "release"]);
});
