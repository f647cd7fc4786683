/** The suggestions over the text box: answered without leaving the page. Without this they are plain forms. */

import { createState, reduce } from "./chat_suggestions_state.js";

const place = document.querySelector("[data-suggestions]");
const word = document.querySelector("[data-suggestions-word]");
const box = document.querySelector("[data-box]");
const chips = new Map([...place.querySelectorAll("[data-suggestion]")].map((chip) => [chip.dataset.suggestion, chip]));

let state = createState([...chips.keys()]);

function dispatch(event) {
  state = reduce(state, event);
  state.changes.forEach((change) => changes[change.op](change));
}

async function send(id, answer) {
  const form = chips.get(id).querySelector("form");
  const body = new URLSearchParams([...new FormData(form), ["answer", answer]]);
  try {
    const reply = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    if (!reply.ok || reply.redirected) throw new Error(String(reply.status));
    const { message } = await reply.json();
    dispatch({ type: "taken", id, answer, message, draft: box.value });
  } catch {
    dispatch({ type: "failed", id });
  }
}

const changes = {
  send: ({ id, answer }) => send(id, answer),
  wait({ id }) {
    chips.get(id).dataset.waiting = "true";
    chips.get(id).setAttribute("aria-busy", "true");
  },
  ready({ id }) {
    delete chips.get(id).dataset.waiting;
    chips.get(id).removeAttribute("aria-busy");
  },
  fill({ text }) {
    box.value = text;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  },
  focusBox() {
    box.focus();
    box.setSelectionRange(box.value.length, box.value.length);
  },
  focusNext({ id }) {
    if (id) chips.get(id).querySelector("button").focus();
    else box.focus();
  },
  remove({ id }) {
    chips.get(id).remove();
    if (!state.shown.length) place.hidden = true;
  },
  say({ word: name }) {
    word.textContent = place.dataset[name];
  },
};

/**
 * @param {HTMLFormElement} form the one of a suggestion
 * @param {string} answer what the button that was pressed says
 */
export function answerSuggestion(form, answer) {
  dispatch({ type: "answer", id: form.closest("[data-suggestion]").dataset.suggestion, answer });
}
