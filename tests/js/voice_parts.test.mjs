import assert from "node:assert/strict";
import { test } from "node:test";

import { createOwnVoice } from "../../static/js/voice_player.js";
import { follow, levelOf, openRecorder, reasonOf } from "../../static/js/voice_recorder.js";
import { canRecord } from "../../static/js/voice_offer.js";
import { createSpoken, joined, together } from "../../static/js/voice_spoken.js";
import { rememberSpeaks } from "../../static/js/voice_server.js";

const sound = (duration_s, loudness_db, tempo_wps, pause_share) => ({ duration_s, loudness_db, tempo_wps, pause_share });

test("the level is 0 in silence, 1 at full scale, and even in decibels between", () => {
  assert.equal(levelOf([]), 0);
  assert.equal(levelOf(new Float32Array(64)), 0);
  assert.equal(levelOf([1, -1, 1, -1]), 1);
  assert.ok(Math.abs(levelOf([0.0316, -0.0316]) - 0.5) < 0.01, "-30 of -60 dB");
});

test("the meter rises at once and falls slowly", () => {
  assert.equal(follow(0.2, 0.9), 0.9);
  assert.ok(Math.abs(follow(0.8, 0) - 0.6) < 1e-9);
});

test("a written message says nothing of a voice; a spoken one does, once", () => {
  const spoken = createSpoken();
  assert.deepEqual(spoken.take(), {});
  spoken.note(sound(2, -20, 2, 0.1));
  assert.deepEqual(spoken.take(), { spoken: true, sound: sound(2, -20, 2, 0.1) });
  assert.deepEqual(spoken.take(), {});
  spoken.note(null);
  assert.deepEqual(spoken.take(), { spoken: true, sound: null });
  spoken.note(sound(2, -20, 2, 0.1));
  spoken.forget();
  assert.deepEqual(spoken.take(), {});
});

test("several recordings sound as they did together, by their seconds; what was not measured does not count", () => {
  assert.deepEqual(together([sound(1, -30, null, 0.4), sound(3, -10, 2, 0)]), sound(4, -15, 2, 0.1));
  assert.equal(together([sound(1, -30, null, 0), sound(3, -10, null, 0)]).tempo_wps, null);
});

test("a transcript follows what was written", () => {
  assert.equal(joined("", "I slept badly."), "I slept badly.");
  assert.equal(joined("Hello. \n", "I slept badly."), "Hello. I slept badly.");
});

test("reasons for a missing microphone have a word each", () => {
  assert.equal(reasonOf({ name: "NotAllowedError" }), "denied");
  assert.equal(reasonOf({ name: "NotFoundError" }), "nomicrophone");
  assert.equal(reasonOf(new Error("?")), "microphone");
  assert.equal(canRecord({ mediaDevices: undefined, MediaRecorder: class {} }), false);
});

test("what cannot be begun lets the microphone go again", async () => {
  const fail = () => {
    throw new TypeError("not here");
  };
  const recorderThat = (parts) =>
    Object.assign(function MediaRecorder() { return parts.made?.() ?? { start() {}, ...parts }; }, { isTypeSupported: () => false });
  const silent = function AudioContext() { fail(); };
  for (const MediaRecorder of [recorderThat({ made: fail }), recorderThat({ start: fail }), recorderThat({})]) {
    const track = { stopped: false, stop: () => (track.stopped = true) };
    const mediaDevices = { getUserMedia: async () => ({ getTracks: () => [track] }) };
    await assert.rejects(openRecorder({ mediaDevices, MediaRecorder, AudioContext: silent }), TypeError);
    assert.ok(track.stopped);
  }
});

test("only voices of this machine speak: what is said by others is sent to them first", () => {
  const voices = [
    { lang: "sv-SE", localService: false, name: "far" },
    { lang: "en-GB", localService: true, name: "near" },
  ];
  const said = [];
  const speech = { getVoices: () => voices, speak: (utterance) => said.push(utterance) };
  const own = createOwnVoice({ speech, Utterance: class { constructor(text) { this.text = text; } } });
  assert.deepEqual([own.canSpeak("sv"), own.canSpeak("en")], [false, true]);
  own.speak({ text: "Hello.", language: "en", tone: { speed: 0.9 } }, { onEnd: () => said.push("end") });
  assert.deepEqual([said[0].text, said[0].voice.name, said[0].rate], ["Hello.", "near", 0.9]);
  said[0].onend();
  assert.equal(said.at(-1), "end");
  assert.equal(createOwnVoice({ speech: undefined }).canSpeak("en"), false);
});

test("the wish to be read to is told to the site, and that failing breaks nothing", async () => {
  const asked = [];
  const fetch = async (url, options) => (asked.push({ url, ...options }), { ok: true });
  assert.equal(await rememberSpeaks(true, { url: "/wishes/", token: "secret" }, { fetch }), true);
  const [{ url, body, headers }] = asked;
  assert.deepEqual([url, JSON.parse(body), headers["X-CSRFToken"]], ["/wishes/", { speaks: true }, "secret"]);
  const broken = async () => { throw new TypeError("Failed to fetch"); };
  assert.equal(await rememberSpeaks(false, { url: "/wishes/", token: "secret" }, { fetch: broken }), false);
});
