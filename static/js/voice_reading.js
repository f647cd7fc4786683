/** Reading replies aloud: what the page learns of a reply goes into the state, its changes to server and loudspeaker. */

import { Refusal } from "./voice_server.js";
import { createState, isSpeaking, reduce } from "./voice_speech_state.js";

/** The answer that tells of a language this site has no voice for; and what is said where the browser has none either. */
const NO_VOICE = "voice.unavailable";
const NEITHER = "novoice";

/**
 * @param {{view: object, server: object, player: object, ownVoice: object, on: boolean, onSwitch: (on: boolean) => void}} parts
 * @returns {{begin: (reply: string) => void, ask: (reply: string) => void, interrupt: () => void}}
 */
export function createReading({ view, server, player, ownVoice, on, onSwitch }) {
  let state = createState({ on });
  let asking = new AbortController();
  const sentences = new Map();

  function dispatch(event) {
    state = reduce(state, event);
    view.showSpeaking(state, { isSpeaking: isSpeaking(state) });
    state.changes.forEach((change) => changes[change.op](change));
  }

  async function fetchSentence({ reply, index, by, signal }) {
    const got = await server.sentence(reply, index, { asWords: by === "browser", signal });
    if (got.status === "ready") sentences.set(index, got.words ?? (await player.decode(got.sound)));
    if (got.words && !ownVoice.canSpeak(got.words.language)) throw new Refusal({ code: NEITHER });
    return got.status === "ready" ? "fetched" : got.status;
  }

  const changes = {
    async fetch({ turn, reply, index, by }) {
      const { signal } = asking;
      try {
        const type = await fetchSentence({ reply, index, by, signal });
        if (!signal.aborted) dispatch({ type, turn });
      } catch (error) {
        // What the page says of a lost connection is about a recording, and the browser has codes of its own.
        const code = error.code === NEITHER ? NEITHER : "unspoken";
        if (!signal.aborted) dispatch({ type: "unfetched", turn, code, text: error.text, byBrowser: error.code === NO_VOICE });
      }
    },
    play({ turn, index, by }) {
      const voice = by === "browser" ? ownVoice : player;
      const onEnd = () => dispatch({ type: "played", turn });
      (voice.speak ?? voice.play)(sentences.get(index), { onEnd });
      sentences.delete(index);
    },
    halt() {
      asking.abort();
      asking = new AbortController();
      sentences.clear();
      player.halt();
      ownVoice.halt();
    },
  };

  view.on.toggle.addEventListener("change", () => {
    onSwitch(view.on.toggle.checked);
    dispatch({ type: "switch", on: view.on.toggle.checked });
  });
  view.on.stop.addEventListener("click", () => dispatch({ type: "interrupt" }));
  view.showSpeaking(state, { isSpeaking: false });

  return {
    begin: (reply) => dispatch({ type: "begin", reply }),
    ask: (reply) => dispatch({ type: "ask", reply }),
    interrupt: () => isSpeaking(state) && dispatch({ type: "interrupt" }),
  };
}
