/**
 * What of the words in the text box was spoken, and how it sounded: noted when a transcript is put in, taken when the
 * message is sent, forgotten when the box has been emptied.
 */

const MEASURES = ["loudness_db", "tempo_wps", "pause_share"];

/** How several recordings sounded together: each measure by the seconds it was measured over. */
export function together(sounds) {
  if (sounds.length < 2) return sounds[0] ?? null;
  const joined = { duration_s: sounds.reduce((sum, { duration_s: seconds }) => sum + seconds, 0) };
  for (const measure of MEASURES) joined[measure] = weigh(sounds.filter((sound) => sound[measure] !== null), measure);
  return joined;
}

function weigh(sounds, measure) {
  const seconds = sounds.reduce((sum, sound) => sum + sound.duration_s, 0);
  return seconds ? sounds.reduce((sum, sound) => sum + sound[measure] * sound.duration_s, 0) / seconds : null;
}

/** The text box afterwards: what somebody has begun to write stays in front. */
export const joined = (draft, transcript) => (draft.trim() ? `${draft.trimEnd()} ${transcript}` : transcript);

export function createSpoken() {
  let isSpoken = false;
  let sounds = [];
  return {
    note(sound) {
      isSpoken = true;
      if (sound) sounds.push(sound);
    },
    forget() {
      isSpoken = false;
      sounds = [];
    },
    /** What the message being sent is to say of itself: {} for a written one. */
    take() {
      const taken = isSpoken ? { spoken: true, sound: together(sounds) } : {};
      this.forget();
      return taken;
    },
  };
}
