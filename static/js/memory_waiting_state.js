/** What a waiting page says and how long it waits, without a browser. */

const SHORTEST_MS = 700;
const LONGEST_MS = 15_000;

/** A page that gets no answer asks less and less often. */
export function delayAfter(failures) {
  return Math.min(LONGEST_MS, SHORTEST_MS * 2 ** failures);
}

/** Said in steps of ten, so that a screen reader is not talked over. */
export function tell({ percent, label }, spoken) {
  return `${label} · ${spoken.replace("%(percent)s", Math.floor(percent / 10) * 10)}`;
}
