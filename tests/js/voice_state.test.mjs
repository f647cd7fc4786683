import assert from "node:assert/strict";
import { test } from "node:test";

import { createState, DRAFT_EVERY_MS, holdsRecording, reduce, SHORT_PRESS_MS } from "../../static/js/voice_state.js";

const play = (state, ...events) => events.reduce(reduce, state);
const at = (type, ms, more = {}) => ({ type, at: ms, ...more });
const ops = ({ changes }) => changes.map(({ op }) => op);
const fresh = () => createState({ limitS: 20 });
const recording = (drafts = true) => play(fresh(), at("press", 0), at("opened", 100, { drafts }));
const sending = () => play(recording(), at("release", 3000), { type: "recorded" });
const failed = (retryable = true) => play(sending(), { type: "refused", code: "voice.busy", text: "Busy.", retryable });
const SOUND = { duration_s: 2.9, loudness_db: -20, tempo_wps: 2, pause_share: 0.1 };

test("held to talk: pressing opens the microphone, letting go ends the recording, which is then sent", () => {
  const opening = play(fresh(), at("press", 0));
  assert.deepEqual([opening.phase, ops(opening)], ["opening", ["open"]]);
  const open = play(opening, at("opened", 100, { drafts: true }));
  assert.deepEqual([open.phase, open.word, ops(open)], ["recording", "recording", []]);
  const ended = play(open, at("release", 3000));
  assert.deepEqual([ended.phase, ops(ended)], ["sending", ["finish"]]);
  assert.deepEqual(ops(play(ended, { type: "recorded" })), ["send"]);
});

test("a short press leaves it recording until the next one, whose release means nothing", () => {
  const tapped = play(recording(), at("release", SHORT_PRESS_MS - 1), at("tick", 5000));
  assert.equal(tapped.phase, "recording");
  const ended = play(tapped, at("press", 6000));
  assert.deepEqual([ended.phase, ops(ended)], ["sending", ["finish"]]);
  assert.deepEqual(ops(play(ended, at("release", 9000))), []);
});

test("whoever let go while the browser asked about the microphone is not recorded", () => {
  const answered = play(fresh(), at("press", 0), at("release", 2000));
  assert.deepEqual([answered.phase, answered.word, ops(answered)], ["idle", "ready", ["drop"]]);
  assert.equal(play(answered, at("opened", 2500, { drafts: true })).phase, "idle");
  const tapped = play(fresh(), at("press", 0), at("release", 100), at("opened", 2500, { drafts: true }));
  assert.equal(tapped.phase, "recording");
});

test("a microphone that cannot be opened is told, and the next press tries again", () => {
  const blocked = play(fresh(), at("press", 0), { type: "blocked", code: "denied" });
  assert.deepEqual([blocked.phase, blocked.problem.code], ["idle", "denied"]);
  const again = play(blocked, at("press", 9000));
  assert.deepEqual([again.problem, ops(again)], [null, ["open"]]);
});

test("drafts are asked for now and then, never two at a time", () => {
  const early = play(recording(), at("tick", DRAFT_EVERY_MS));
  assert.deepEqual(ops(early), []);
  const asked = play(early, at("tick", 100 + DRAFT_EVERY_MS));
  assert.deepEqual(ops(asked), ["draft"]);
  const waiting = play(asked, at("tick", 100 + 3 * DRAFT_EVERY_MS));
  assert.deepEqual(ops(waiting), []);
  const drafted = play(waiting, { type: "drafted", text: "I slept" });
  assert.equal(drafted.draft, "I slept");
  assert.deepEqual(ops(play(drafted, at("tick", 200 + 3 * DRAFT_EVERY_MS))), ["draft"]);
  assert.equal(play(drafted, { type: "drafted", text: "" }).draft, "I slept");
});

test("without drafts the recording goes on; a busy server is asked again, another refusal is not", () => {
  const ask = at("tick", 100 + DRAFT_EVERY_MS);
  const later = at("tick", 100 + 2 * DRAFT_EVERY_MS);
  assert.deepEqual(ops(play(recording(false), ask)), []);
  assert.deepEqual(ops(play(recording(), ask, { type: "undrafted", code: "voice.busy" }, later)), ["draft"]);
  const refused = play(recording(), ask, { type: "undrafted", code: "voice.unreadable" }, later);
  assert.deepEqual([refused.phase, ops(refused)], ["recording", []]);
});

test("seconds are counted, the end is announced, and the limit ends the recording by itself", () => {
  assert.equal(play(recording(), at("tick", 4200)).seconds, 4);
  assert.equal(play(recording(), at("tick", 9_900)).word, "recording");
  assert.equal(play(recording(), at("tick", 10_200)).word, "ending");
  const full = play(recording(), at("tick", 20_000));
  assert.deepEqual([full.phase, full.word, ops(full)], ["sending", "sending", ["finish"]]);
  assert.deepEqual(ops(play(full, at("release", 21_000))), []);
});

test("a microphone that goes ends the recording with what there is", () => {
  assert.deepEqual(ops(play(recording(), { type: "cut" })), ["finish"]);
  assert.deepEqual(ops(play(fresh(), { type: "cut" })), []);
});

test("a transcript goes into the text box and the recording is let go", () => {
  const done = play(sending(), { type: "transcribed", text: "I slept badly.", sound: SOUND });
  assert.deepEqual(done.changes, [{ op: "fill", text: "I slept badly.", sound: SOUND }, { op: "drop" }]);
  assert.deepEqual([done.phase, done.word], ["idle", "transcribed"]);
});

test("a refused recording is kept, is sent again when asked, and goes only when thrown away", () => {
  const kept = failed();
  assert.deepEqual([kept.phase, kept.problem.text, ops(kept)], ["failed", "Busy.", []]);
  assert.ok(holdsRecording(kept));
  for (const event of [at("press", 9000), { type: "cancel" }, at("tick", 9000)]) {
    assert.deepEqual([play(kept, event).phase, ops(play(kept, event))], ["failed", []]);
  }
  const again = play(kept, { type: "again" });
  assert.deepEqual([again.phase, again.problem, ops(again)], ["sending", null, ["send"]]);
  assert.equal(play(again, { type: "refused", code: "network" }).phase, "failed");
  const gone = play(kept, { type: "discard" });
  assert.deepEqual([gone.phase, ops(gone), holdsRecording(gone)], ["idle", ["drop"], false]);
});

test("where nothing can come of a recording, the next press begins a new one", () => {
  const next = play(failed(false), at("press", 9000));
  assert.deepEqual([next.phase, ops(next)], ["opening", ["drop", "open"]]);
});

test("cancelling at any moment drops the recording and what still arrives of it", () => {
  for (const state of [play(fresh(), at("press", 0)), recording(), sending()]) {
    const cancelled = play(state, { type: "cancel" });
    assert.deepEqual([cancelled.phase, cancelled.word, ops(cancelled)], ["idle", "cancelled", ["drop"]]);
    const late = play(cancelled, { type: "recorded" }, { type: "transcribed", text: "x" }, { type: "refused", code: "x" });
    assert.deepEqual([late.phase, ops(late)], ["idle", []]);
  }
  assert.deepEqual(ops(play(fresh(), { type: "cancel" })), []);
});

test("unknown events change nothing, and no state is changed in place", () => {
  const state = Object.freeze(recording());
  assert.deepEqual(play(state, { type: "unheard of" }), { ...state, changes: [] });
  play(state, at("tick", 15_000), at("release", 16_000));
});
