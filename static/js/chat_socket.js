/** A WebSocket that comes back: it connects again after a growing, jittered pause, unless the server said no. */

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 10_000;

/** The pause before the nth attempt in a row (from 0): doubling, capped, with half of it left to chance. */
export function pauseBefore(attempt, random = Math.random) {
  const full = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
  return full * (0.5 + random() / 2);
}

/**
 * Open `url` and keep it open.
 *
 * A connection counts as good once a frame came through it; one that opens and closes at once still lengthens the
 * pause, so that a server in trouble is not knocked down again by its own visitors.
 *
 * @param {{url: string, onOpen: Function, onFrame: Function, onClose: Function, isFinal: (code: number) => boolean,
 *          WebSocket?: Function, setTimer?: Function, clearTimer?: Function, random?: Function}} options
 * @returns {{send: (frame: object) => boolean, wake: () => void}} `send` says whether it could; `wake` connects now instead of after the pause.
 */
export function keepConnected({
  url, onOpen, onFrame, onClose, isFinal,
  WebSocket = globalThis.WebSocket,
  setTimer = (action, ms) => setTimeout(action, ms),
  clearTimer = (timer) => clearTimeout(timer),
  random = Math.random,
}) {
  let socket = null;
  let timer = null;
  let attempt = 0;

  function connect() {
    timer = null;
    const current = new WebSocket(url);
    socket = current;
    current.onopen = () => onOpen();
    current.onmessage = (message) => {
      attempt = 0;
      onFrame(JSON.parse(message.data));
    };
    current.onclose = ({ code }) => {
      socket = null;
      if (!isFinal(code)) timer = setTimer(connect, pauseBefore(attempt++, random));
      onClose(code);
    };
  }

  connect();
  return {
    send(frame) {
      if (socket?.readyState !== 1) return false;
      socket.send(JSON.stringify(frame));
      return true;
    },
    wake() {
      if (socket) return;
      if (timer !== null) clearTimer(timer);
      connect();
    },
  };
}
