/** How loud it is right now, as a meter shows it: from samples to a number between 0 and 1. */

/** What the meter's left end stands for, in decibels below full scale. */
const QUIETEST_DB = -60;
/** How much of the way down a level goes at once; up it goes all the way, so that a short sound is seen. */
const FALL = 0.25;

/** @param {Float32Array|number[]} samples from -1 to 1 */
export function levelOf(samples) {
  if (!samples.length) return 0;
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  const db = 10 * Math.log10(Math.max(power, 1e-12));
  return Math.min(Math.max(1 - db / QUIETEST_DB, 0), 1);
}

/** The level to show after `shown`, now that it is `level`. */
export function follow(shown, level) {
  return level >= shown ? level : shown + (level - shown) * FALL;
}
