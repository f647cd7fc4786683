/** Voice on the conversation page: nothing of it shows where neither the site nor the browser has any. */

import { createOwnVoice, createPlayer } from "./voice_player.js";
import { createReading } from "./voice_reading.js";
import { canRecord } from "./voice_recorder.js";
import { createServer } from "./voice_server.js";
import { joined, spoken } from "./voice_spoken.js";
import { createTalking } from "./voice_talking.js";
import { createView } from "./voice_view.js";
import { rememberSpeaks } from "./voice_wish.js";

const root = document.querySelector("[data-voice]");
const chat = document.querySelector("[data-chat]");
const box = chat.querySelector("[data-box]");
const button = chat.querySelector("[data-talk]");
const language = document.documentElement.lang.slice(0, 2);
const token = chat.querySelector("[name=csrfmiddlewaretoken]").value;
const view = createView(root, { button, articles: chat.querySelector("[data-articles]") });
const server = createServer({ base: root.dataset.voice, token, renewToken });
const ownVoice = createOwnVoice();

const NOTHING = { listening: {}, speaking: {}, limits: {} };
const offers = await server.offers().catch(() => NOTHING);
const offer = canRecord() ? offers.listening[language] : null;

/** This page's token, as the site would give it now: a log-in in another tab has changed it. */
async function renewToken() {
  const page = await fetch(location.pathname).then((answer) => answer.text());
  return new DOMParser().parseFromString(page, "text/html").querySelector("[name=csrfmiddlewaretoken]").value;
}

function showOffers() {
  const speaking = Object.entries(offers.speaking);
  const speaks = speaking.some(([code, by]) => by || ownVoice.canSpeak(code)) || ownVoice.canSpeak(language);
  const notes = [offer?.experimental && "experimental", (offer?.leaves_machine || speaking.some(([, by]) => by?.leaves_machine)) && "leaves"];
  view.offer({ listens: Boolean(offer), speaks, notes: notes.filter(Boolean) });
}

/** Put what was said into the text box, behind what stands there, to be read over and sent. */
function fillBox(text, sound) {
  spoken.note(sound);
  box.value = joined(box.value, text);
  box.dispatchEvent(new Event("input", { bubbles: true }));
  box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
}

const reading = createReading({
  view, server, ownVoice,
  player: createPlayer(),
  on: root.dataset.speaks === "true",
  onSwitch: (speaks) => rememberSpeaks(speaks, { url: root.dataset.wishes, token }),
});
const talking = offer && createTalking({
  button, view, server, offer, language,
  limitS: offers.limits.seconds,
  onTalk: reading.interrupt,
  onWords: fillBox,
});

ownVoice.onVoices(showOffers);
showOffers();

chat.addEventListener("chat:changes", ({ detail }) => {
  const started = detail.find(({ op }) => op === "start");
  if (started && !root.hidden && document.visibilityState === "visible") reading.begin(started.reply);
});

chat.addEventListener("click", ({ target }) => {
  const asked = target.closest("[data-aloud]");
  if (asked) reading.ask(asked.dataset.aloud);
});

box.addEventListener("input", () => box.value.trim() || spoken.forget());

// Before the page's own Escape, which stops a reply: whoever is talking wants to stop just that.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  if (talking?.isTalking()) {
    event.stopPropagation();
    talking.cancel();
  } else reading.interrupt();
}, { capture: true });

addEventListener("beforeunload", (event) => talking?.holds() && event.preventDefault());
addEventListener("pagehide", () => (talking?.cancel(), reading.interrupt()));
