/** Voice on the conversation page: nothing of it shows where neither the site nor the browser has any, and most of it comes once it is used. */

import { canRecord, showOffer, voiceFor } from "./voice_offer.js";

const root = document.querySelector("[data-voice]");
const chat = document.querySelector("[data-chat]");
const articles = chat.querySelector("[data-articles]");
const button = chat.querySelector("[data-talk]");
const toggle = root.querySelector("[data-voice-speaks]");
const language = document.documentElement.lang.slice(0, 2);
const speech = globalThis.speechSynthesis;

const NOTHING = { listening: {}, speaking: {}, limits: {} };
const offers = await fetch(root.dataset.voice, { redirect: "error" }).then((answer) => (answer.ok ? answer.json() : NOTHING)).catch(() => NOTHING);
const offer = canRecord() ? offers.listening[language] : null;

function showOffers() {
  const speaking = Object.entries(offers.speaking);
  const speaks = speaking.some(([code, by]) => by || voiceFor(code)) || voiceFor(language) !== null;
  const leaves = offer?.leaves_machine || speaking.some(([, by]) => by?.leaves_machine);
  const notes = [offer?.experimental && "experimental", leaves && "leaves"].filter(Boolean);
  showOffer(root, { button, articles }, { listens: Boolean(offer), speaks, notes });
}

/** What was put together, once it was, and the promise of it. */
let voice = null;
let coming = null;
function load() {
  coming ??= import("./voice_parts.js").then(
    ({ createVoice }) => (voice = createVoice({ offer, language, limitS: offers.limits.seconds, on: toggle.checked })),
    (error) => {
      coming = null; // the next try may succeed
      throw error;
    },
  );
  return coming;
}

toggle.checked = root.dataset.speaks === "true";
if (toggle.checked) load();
toggle.addEventListener("change", async () => {
  const isFirst = !voice;
  await load();
  if (isFirst) toggle.dispatchEvent(new Event("change")); // what listens to it has only just come
});

speech?.addEventListener?.("voiceschanged", showOffers);
showOffers();

if (offer) {
  const { watchHolding } = await import("./voice_holding.js");
  /** The button's own times, since what they are told to may still be on its way. */
  const tell = (what) => {
    const at = Date.now();
    load().then(({ talking }) => talking[what](at));
  };
  watchHolding(button, { onPress: () => tell("press"), onRelease: () => tell("release") });
}

chat.addEventListener("chat:changes", ({ detail }) => {
  const started = detail.find(({ op }) => op === "start");
  if (started && voice && !root.hidden && document.visibilityState === "visible") voice.reading.begin(started.reply);
});

chat.addEventListener("click", ({ target }) => {
  const asked = target.closest("[data-aloud]");
  if (asked) load().then(({ reading }) => reading.ask(asked.dataset.aloud));
});

// Before the page's own Escape, which stops a reply: whoever is talking wants to stop just that.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !voice) return;
  if (voice.talking?.isTalking()) {
    event.stopPropagation();
    voice.talking.cancel();
  } else voice.reading.interrupt();
}, { capture: true });

addEventListener("beforeunload", (event) => voice?.talking?.holds() && event.preventDefault());
addEventListener("pagehide", () => (voice?.talking?.cancel(), voice?.reading.interrupt()));
