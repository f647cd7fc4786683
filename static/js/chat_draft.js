/** What is typed and not sent: kept once the fingers rest, as the page is left, and as soon as there is a connection again. */

const PAUSE_MS = 600;

/**
 * @param {{value: string, defaultValue: string, addEventListener: Function}} box where it is typed
 * @param {(text: string) => boolean} send keeps a text and says whether it could
 */
export function createDraft(box, send, { setTimer = (action, ms) => setTimeout(action, ms), clearTimer = (timer) => clearTimeout(timer) } = {}) {
  let timer = null;
  let isKept = box.value === box.defaultValue;

  function rest() {
    clearTimer(timer);
    timer = null;
  }

  function keep() {
    rest();
    isKept ||= send(box.value);
  }

  function touch() {
    rest();
    isKept = false;
    timer = setTimer(keep, PAUSE_MS);
  }

  box.addEventListener("input", touch);
  return {
    keep,
    touch,
    /** It has been sent: there is nothing to keep any more. */
    drop() {
      rest();
      isKept = true;
    },
  };
}
