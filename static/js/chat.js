/** The conversation page: its events go into the state, the state's frames to the socket, its changes to the view. */

import { createDraft } from "./chat_draft.js";
import { keepConnected } from "./chat_socket.js";
import { createState, describe, isFinal, reduce } from "./chat_state.js";
import { createView } from "./chat_view.js";

const root = document.querySelector("[data-chat]");
const box = root.querySelector("[data-box]");
const form = root.querySelector("[data-composer]");
const alert = root.querySelector("[data-alert]");
const resume = JSON.parse(document.getElementById("resume").textContent);
const view = createView(root);

let state = createState({ ...resume, text: view.textOf(resume.reply) });

function dispatch(event) {
  state = reduce(state, event);
  view.apply(state.changes);
  view.show(describe(state), { busy: state.reply !== null });
  state.frames.forEach((frame) => socket.send(frame));
  if (state.changes.length) root.dispatchEvent(new CustomEvent("chat:changes", { detail: state.changes }));
}

function socketUrl() {
  const url = new URL(root.dataset.socketPath, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

const socket = keepConnected({
  url: socketUrl(),
  isFinal,
  onOpen() {
    dispatch({ type: "open", awaiting: view.awaiting(), shown: view.shown() });
    draft.keep();
  },
  onClose: (code) => dispatch({ type: "close", code }),
  onFrame: (frame) => dispatch({ type: "receive", frame }),
});

const draft = createDraft(box, (text) => Boolean(form.elements.instead_of) || socket.send({ type: "chat.draft", text }));
addEventListener("pagehide", draft.keep);

/** A random UUID; `crypto.randomUUID` exists on secure origins only, and a class-room server may lack a certificate. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** What keeps a text from being said, in words, or "": such a text stays in the box, where it can be mended. */
function findFault(text) {
  if (form.querySelector("[data-attached][aria-busy]")) return root.dataset.attaching;
  if (!text.trim() && !form.querySelector("[data-attached]")) return root.dataset.nothing;
  return [...text].length > Number(root.dataset.longest) ? root.dataset.toolong : "";
}

function say() {
  const text = box.value;
  const fault = findFault(text);
  box.focus();
  alert.textContent = fault;
  if (fault) return;
  box.value = "";
  draft.drop(); // with the message it goes on the server too
  const attachments = [...form.querySelectorAll("[name=attachments]")].map(({ value }) => value);
  dispatch({ type: "say", clientId: newId(), text, voice: root.spoken?.take(), insteadOf: form.elements.instead_of?.value, attachments });
  form.querySelectorAll("[data-attached]").forEach((one) => one.remove());
  endEditing();
}

/** The changed message is on its way: what is written next is a new one. */
function endEditing() {
  if (!form.elements.instead_of) return;
  form.elements.instead_of.remove();
  root.querySelector("[data-editing]").remove();
  history.replaceState(null, "", location.pathname);
}

function stop() {
  dispatch({ type: "stop" });
  box.focus();
}

const actions = {
  retry: ({ reply }) => dispatch({ type: "retry", reply }),
  again: ({ clientId }) => dispatch({ type: "again", clientId }),
  suggest({ text }) {
    box.value = text;
    draft.touch();
    box.focus();
  },
};

form.noValidate = true;
form.dataset.live = "true"; // from here on composer.js leaves sending to this page
form.addEventListener("submit", (event) => {
  if (event.submitter?.matches("[data-detach]")) return; // chat_later.js takes something out, or the server does
  event.preventDefault();
  say();
});

root.querySelector("[data-stop]").addEventListener("click", stop);

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
  if (state.reply) stop();
  else if (document.activeElement.matches("body, [data-log], [data-log] :not(input, textarea)")) box.focus();
});

root.addEventListener("click", (event) => {
  const button = event.target.closest("[data-action]");
  if (!button) return;
  actions[button.dataset.action]?.(button.dataset);
  box.focus();
});

// Coming back from the log-in page in another tab, or from sleep, is the moment to try again.
document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? socket.wake() : draft.keep()));
addEventListener("online", () => socket.wake());

// What was said and not yet accepted lives in this page alone, so leaving asks first.
addEventListener("beforeunload", (event) => {
  if (state.outbox.length) event.preventDefault();
});

view.start(location.hash.slice(1));
view.show(describe(state), { busy: state.reply !== null });
if (form.dataset.early) say();
const chosen = root.querySelector("[autofocus]");
if (chosen) addEventListener("load", () => chosen.focus()); // going to the message that the address names takes the focus
else if (!matchMedia("(pointer: coarse)").matches) box.focus();
