/** The microphone: opened for one recording, and let go when that ends. */

/** Every so often what was recorded is handed over, so that there is something to make a draft of. */
const PIECE_MS = 500;
const BITS_PER_SECOND = 32_000;
const KINDS = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4", "audio/webm"];
const WISHES = { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true };

const REASONS = { NotAllowedError: "denied", SecurityError: "denied", NotFoundError: "nomicrophone", OverconstrainedError: "nomicrophone" };

/** Why the microphone could not be opened, in one word. */
export const reasonOf = (error) => REASONS[error?.name] ?? "microphone";

/**
 * Open the microphone and begin to record.
 *
 * @param {{onLevel: (level: number) => void, onCut: () => void}} options `onCut` is called when the microphone goes by itself
 * @returns {Promise<{soFar: () => Blob, finish: () => Promise<Blob>, close: () => void}>}
 * @throws whatever the browser says of a microphone that is not there or not allowed; see `reasonOf`
 */
export async function openRecorder({
  onLevel, onCut,
  mediaDevices = navigator.mediaDevices,
  MediaRecorder = globalThis.MediaRecorder,
  AudioContext = globalThis.AudioContext,
  nextFrame = (action) => requestAnimationFrame(action),
}) {
  const stream = await mediaDevices.getUserMedia({ audio: WISHES });
  const pieces = [];
  const letGo = () => stream.getTracks().forEach((track) => track.stop());
  let recorder;
  let meter;
  try {
    const mimeType = KINDS.find((kind) => MediaRecorder.isTypeSupported(kind));
    recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: BITS_PER_SECOND });
    recorder.ondataavailable = ({ data }) => data.size && pieces.push(data);
    recorder.start(PIECE_MS);
    meter = watchLevel(stream, { onLevel, AudioContext, nextFrame });
  } catch (error) {
    letGo();
    throw error;
  }
  const soFar = () => new Blob(pieces, { type: recorder.mimeType });
  stream.getTracks().forEach((track) => (track.onended = () => onCut()));

  function close() {
    meter.close();
    letGo();
    if (recorder.state !== "inactive") recorder.stop();
  }

  return {
    soFar,
    finish: () =>
      new Promise((resolve) => {
        const done = () => (close(), resolve(soFar()));
        if (recorder.state === "inactive") return done();
        recorder.onstop = done;
        recorder.stop();
      }),
    close,
  };
}

function watchLevel(stream, { onLevel, AudioContext, nextFrame }) {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let shown = 0;
  let open = true;

  function look() {
    if (!open) return;
    analyser.getFloatTimeDomainData(samples);
    shown = follow(shown, levelOf(samples));
    onLevel(shown);
    nextFrame(look);
  }

  look();
  return {
    close() {
      if (open) context.close();
      open = false;
    },
  };
}

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
