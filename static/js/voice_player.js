/** What makes replies heard: the sound that the server sent, or the browser's own voice for its words. */

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

/**
 * The browser's own voice. Only voices of this machine: others send what they are to say to whoever made them.
 *
 * @param {{speech: SpeechSynthesis|undefined}} options
 */
export function createOwnVoice({ speech = globalThis.speechSynthesis, Utterance = globalThis.SpeechSynthesisUtterance } = {}) {
  const voiceFor = (language) =>
    speech?.getVoices().find(({ lang, localService }) => localService && lang.toLowerCase().startsWith(language)) ?? null;
  return {
    canSpeak: (language) => voiceFor(language) !== null,
    /** Be told when the browser has found out which voices it has. */
    onVoices: (action) => speech?.addEventListener?.("voiceschanged", action),
    speak({ text, language, tone }, { onEnd }) {
      const utterance = new Utterance(text);
      Object.assign(utterance, { voice: voiceFor(language), lang: language, rate: tone?.speed ?? 1, onend: onEnd, onerror: onEnd });
      speech.speak(utterance);
    },
    halt: () => speech?.cancel(),
  };
}
