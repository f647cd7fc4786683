import assert from "node:assert/strict";
import { test } from "node:test";

import { createReading } from "../../static/js/voice_reading.js";
import { Refusal } from "../../static/js/voice_server.js";

/** What the person is shown and hears of one reply, whose sentences `sentence(index, asWords)` gives. */
async function read(sentence, { decode = async (sound) => sound, canSpeak = true } = {}) {
  const seen = { problem: null, heard: [] };
  const say = (what, { onEnd }) => (seen.heard.push(what.text ?? what), onEnd());
  const part = () => Object.assign(new EventTarget(), { checked: true });
  const reading = createReading({
    view: { on: { toggle: part(), stop: part() }, showSpeaking: ({ problem }) => (seen.problem = problem) },
    server: { sentence: async (reply, index, { asWords }) => sentence(index, asWords) },
    player: { decode, play: say, halt() {} },
    ownVoice: { canSpeak: () => canSpeak, speak: say, halt() {} },
    on: true,
    onSwitch() {},
  });
  reading.begin("r1");
  await new Promise((done) => setTimeout(done, 10));
  return seen;
}

const sound = (index) => (index < 2 ? { status: "ready", sound: `sound ${index}` } : { status: "over" });
const words = (index) => (index < 2 ? { status: "ready", words: { text: `words ${index}`, language: "sv" } } : { status: "over" });

test("each sentence is heard once, in order, to the end", async () => {
  assert.deepEqual(await read(sound), { problem: null, heard: ["sound 0", "sound 1"] });
});

test("without a voice on the server the browser's own says the words; without either the person is told", async () => {
  const unavailable = (index, asWords) => {
    if (!asWords) throw new Refusal({ code: "voice.unavailable" });
    return words(index);
  };
  assert.deepEqual(await read(unavailable), { problem: null, heard: ["words 0", "words 1"] });
  const { problem, heard } = await read(unavailable, { canSpeak: false });
  assert.deepEqual([problem.code, heard], ["novoice", []]);
});

test("whatever else goes wrong is told of the reading, and never of a recording", async () => {
  const broken = async () => { throw new DOMException("no sound", "EncodingError"); };
  const lost = () => { throw new Refusal({ code: "network" }); };
  const down = () => { throw new Refusal({ code: "voice.provider", text: "Down." }); };
  assert.deepEqual((await read(sound, { decode: broken })).problem, { code: "unspoken", text: null });
  assert.deepEqual((await read(lost)).problem, { code: "unspoken", text: null });
  assert.deepEqual((await read(down)).problem, { code: "unspoken", text: "Down." });
});
