/** Talking and reading aloud, put together once somebody does either. */

import { createOwnVoice, createPlayer } from "./voice_player.js";
import { createReading } from "./voice_reading.js";
import { createServer, rememberSpeaks } from "./voice_server.js";
import { createSpoken, joined } from "./voice_spoken.js";
import { createTalking } from "./voice_talking.js";
import { createView } from "./voice_view.js";

const root = document.querySelector("[data-voice]");
const chat = document.querySelector("[data-chat]");
const box = chat.querySelector("[data-box]");
const button = chat.querySelector("[data-talk]");
const token = chat.querySelector("[name=csrfmiddlewaretoken]").value;
const spoken = createSpoken();
chat.spoken = spoken; // what the page asks of the words that it sends

/** This page's token, as the site would give it now: a log-in in another tab has changed it. */
async function renewToken() {
  const page = await fetch(location.pathname).then((answer) => answer.text());
  return new DOMParser().parseFromString(page, "text/html").querySelector("[name=csrfmiddlewaretoken]").value;
}

/** Put what was said into the text box, behind what stands there, to be read over and sent. */
function fillBox(text, sound) {
  spoken.note(sound);
  box.value = joined(box.value, text);
  box.dispatchEvent(new Event("input", { bubbles: true }));
  box.focus();
  box.setSelectionRange(box.value.length, box.value.length);
}

/**
 * @param {{offer: object|null, language: string, limitS: number, on: boolean}} options `offer`: how this site listens, or not at all
 * @returns {{reading: object, talking: object|null}}
 */
export function createVoice({ offer, language, limitS, on }) {
  const view = createView(root, { button, articles: chat.querySelector("[data-articles]") });
  const server = createServer({ base: root.dataset.voice, token, renewToken });
  const reading = createReading({
    view, server, on,
    ownVoice: createOwnVoice(),
    player: createPlayer(),
    onSwitch: (speaks) => rememberSpeaks(speaks, { url: root.dataset.wishes, token }),
  });
  const talking = offer && createTalking({ button, view, server, offer, language, limitS, onTalk: reading.interrupt, onWords: fillBox });
  box.addEventListener("input", () => box.value.trim() || spoken.forget());
  return { reading, talking };
}
