import assert from "node:assert/strict";
import { test } from "node:test";

import { createServer, Refusal } from "../../static/js/voice_server.js";

const json = (status, body, headers = {}) => new Response(JSON.stringify(body), { status, headers });
const LOGGED_OUT = { type: "opaqueredirect", ok: false };

/** A server whose answers come one after the other; `asked` notes what was asked of it. */
function serverThat(...answers) {
  const asked = [];
  const pauses = [];
  const fetch = async (url, options) => {
    asked.push({ url, ...options });
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const pause = async (s) => pauses.push(s);
  const renewToken = async () => "fresh";
  return { ...createServer({ base: "/chat/voice/", token: "secret", renewToken }, { fetch, pause }), asked, pauses };
}

test("a recording goes as it is, with its kind and the page's token; a draft says so", async () => {
  const blob = new Blob(["x"], { type: "audio/webm;codecs=opus" });
  const server = serverThat(json(200, { text: "Hi", sound: null }), json(200, { text: "" }));
  assert.deepEqual(await server.transcribe(blob, { language: "sv" }), { text: "Hi", sound: null });
  await server.transcribe(blob, { language: "sv", isDraft: true });
  const [whole, draft] = server.asked;
  assert.equal(whole.url, "/chat/voice/transcripts/?language=sv");
  assert.equal(draft.url, "/chat/voice/transcripts/?language=sv&partial=1");
  assert.deepEqual(whole.headers, { Accept: "application/json", "Content-Type": "audio/webm;codecs=opus", "X-CSRFToken": "secret" });
  assert.deepEqual([whole.body, whole.method, whole.redirect], [blob, "POST", "manual"]);
});

test("every refusal has a code, the server's words, and whether trying again helps", async () => {
  const cases = [
    [json(422, { error: "voice.silent", message: "Only silence.", retryable: false }), ["voice.silent", "Only silence.", false]],
    [new Response("<h1>Bad gateway</h1>", { status: 502 }), ["http.502", null, true]],
    [LOGGED_OUT, ["loggedout", null, true]],
    [new TypeError("Failed to fetch"), ["network", null, true]],
  ];
  for (const [answer, expected] of cases) {
    await assert.rejects(serverThat(answer).transcribe(new Blob([]), { language: "en" }), (refusal) => {
      assert.ok(refusal instanceof Refusal);
      assert.deepEqual([refusal.code, refusal.text, refusal.retryable], expected);
      return true;
    });
  }
});

test("an upload is never repeated by itself", async () => {
  const server = serverThat(json(503, { error: "voice.busy" }, { "Retry-After": "1" }));
  await assert.rejects(server.transcribe(new Blob([]), { language: "en" }), { code: "voice.busy" });
  assert.deepEqual([server.asked.length, server.pauses], [1, []]);
});

test("a sentence is sound, or its words, or not there yet, or the reply is over", async () => {
  const words = { text: "Hej.", language: "sv", tone: { speed: 1 } };
  const server = serverThat(new Response("wave"), json(200, words), json(202, {}), new Response(null, { status: 204 }));
  const { status, sound } = await server.sentence("r1", 0, {});
  assert.deepEqual([status, new TextDecoder().decode(sound)], ["ready", "wave"]);
  assert.deepEqual(await server.sentence("r1", 1, { asWords: true }), { status: "ready", words });
  assert.deepEqual(await server.sentence("r1", 2, {}), { status: "notyet" });
  assert.deepEqual(await server.sentence("r1", 3, {}), { status: "over" });
  const urls = server.asked.map(({ url }) => url);
  assert.deepEqual(urls.slice(0, 2), ["/chat/voice/speech/r1/0/", "/chat/voice/speech/r1/1/?words=1"]);
});

test("a sentence waits for a busy server as it was told to, within reason, and twice at most", async () => {
  const busy = (after) => json(503, { error: "voice.busy" }, { "Retry-After": after });
  const patient = serverThat(busy("2"), busy("3600"), new Response("wave"));
  assert.equal((await patient.sentence("r1", 0, {})).status, "ready");
  assert.deepEqual(patient.pauses, [2, 5]);
  const weary = serverThat(busy("1"), busy("1"), busy("1"));
  await assert.rejects(weary.sentence("r1", 0, {}), { code: "voice.busy" });
  assert.equal(weary.asked.length, 3);
  await assert.rejects(serverThat(json(409, { error: "voice.unavailable" })).sentence("r1", 0, {}), { code: "voice.unavailable" });
});

test("what was given up is not asked again, and ends as given up", async () => {
  const controller = new AbortController();
  controller.abort();
  const server = serverThat(json(503, { error: "voice.busy" }));
  await assert.rejects(server.sentence("r1", 0, { signal: controller.signal }), { name: "AbortError" });
  assert.equal(server.asked.length, 1);
});

test("an answer that breaks off counts as none", async () => {
  const broken = new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError("cut")) }));
  await assert.rejects(serverThat(broken).sentence("r1", 0, {}), { code: "network" });
});

test("after a log-in in another tab the page's token is renewed, once, and the recording goes up", async () => {
  const forged = () => new Response("<h1>Forbidden</h1>", { status: 403 });
  const server = serverThat(forged(), json(200, { text: "Hi" }));
  assert.deepEqual(await server.transcribe(new Blob(["x"]), { language: "en" }), { text: "Hi" });
  assert.deepEqual(server.asked.map(({ headers }) => headers["X-CSRFToken"]), ["secret", "fresh"]);
  const refused = serverThat(forged(), forged());
  await assert.rejects(refused.transcribe(new Blob(["x"]), { language: "en" }), { code: "http.403" });
  assert.equal(refused.asked.length, 2);
});

test("a recording refused over a log-out may be sent again after the next log-in", async () => {
  const server = serverThat(json(401, { error: "space.locked", message: "Locked.", retryable: false }));
  await assert.rejects(server.transcribe(new Blob([]), { language: "en" }), { code: "space.locked", retryable: true });
});
