/**
 * The companion speaks first: the card over the text box, answered without leaving the page, and looked for now and then
 * while the page stays open, as long as its time lasts. Without this it is a plain form.
 */

const place = document.querySelector("[data-initiative-place]");
const word = document.querySelector("[data-initiative-word]");
const composer = document.querySelector("[data-composer]");
const box = composer.querySelector("[data-box]");
const card = () => place.querySelector("[data-initiative]");

/** Say it as if it had been typed; what somebody has begun to write stays in the box. */
function say(message) {
  const draft = box.value;
  box.value = message;
  composer.requestSubmit();
  box.value = draft;
  box.dispatchEvent(new Event("input", { bubbles: true }));
}

function close(words) {
  word.textContent = words;
  card().remove();
  box.focus();
}

async function send(form, answer) {
  const body = new URLSearchParams([...new FormData(form), ["answer", answer]]);
  const reply = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
  if (!reply.ok || reply.redirected) throw new Error(String(reply.status));
  return (await reply.json()).message;
}

/**
 * @param {HTMLFormElement} form the one of the card
 * @param {string} answer what the button that was pressed says
 */
export async function answerInitiative(form, answer) {
  const shown = card();
  if (shown.getAttribute("aria-busy") === "true") return;
  shown.setAttribute("aria-busy", "true");
  const { dismissed, gone, failed } = shown.dataset;
  try {
    const message = await send(form, answer);
    close(message ? "" : answer === "dismissed" ? dismissed : gone);
    if (message) say(message);
  } catch {
    shown.removeAttribute("aria-busy");
    word.textContent = failed;
  }
}

/** Show what there is to offer now; a card whose time is over, or that is not wanted any more, goes. */
export async function lookForInitiative() {
  const shown = card();
  const isBusy = () => card() !== shown || shown?.getAttribute("aria-busy") === "true";
  if (document.visibilityState !== "visible" || isBusy()) return;
  try {
    const reply = await fetch(place.dataset.initiativePlace, { headers: { Accept: "text/html" } });
    if (!reply.ok || reply.redirected) return;
    const found = new DOMParser().parseFromString(await reply.text(), "text/html").querySelector("[data-initiative]");
    if (isBusy() || found?.dataset.initiative === shown?.dataset.initiative) return;
    if (shown?.contains(document.activeElement)) box.focus();
    shown?.remove();
    if (found) place.append(document.importNode(found, true));
  } catch {
    // The next look may succeed.
  }
}
