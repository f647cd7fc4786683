/** What makes replies heard: the sound that the server sent, or the browser's own voice for its words. */

import { voiceFor } from "./voice_offer.js";

/**
 * The server's sound, one sentence at a time.
 *
 * The sound is decoded in the page rather than given to an audio element by a blob address, which the content security
 * policy would have to let in.
 */
export function createPlayer({ AudioContext = globalThis.AudioContext } = {}) {
  let context = null;
  let source = null;
  const opened = () => (context ??= new AudioContext());
  return {
    decode: (sound) => opened().decodeAudioData(sound),
    play(buffer, { onEnd }) {
      source = Object.assign(opened().createBufferSource(), { buffer, onended: onEnd });
      source.connect(context.destination);
      source.start();
      context.resume();
    },
    halt() {
      if (!source) return;
      source.onended = null;
      source.stop();
      source = null;
    },
  };
}

/** The browser's own voice, as far as it has one for a language. */
export function createOwnVoice({ speech = globalThis.speechSynthesis, Utterance = globalThis.SpeechSynthesisUtterance } = {}) {
  return {
    canSpeak: (language) => voiceFor(language, speech) !== null,
    speak({ text, language, tone }, { onEnd }) {
      const utterance = new Utterance(text);
      Object.assign(utterance, { voice: voiceFor(language, speech), lang: language, rate: tone?.speed ?? 1, onend: onEnd, onerror: onEnd });
      speech.speak(utterance);
    },
    halt: () => speech?.cancel(),
  };
}
