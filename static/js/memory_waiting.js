/** A page that waits for work on the memory: asks how far that is until it is over, and then shows what it did. */

import { delayAfter, tell } from "./memory_waiting_state.js";

const root = document.querySelector("[data-progress]");
const bar = root.querySelector("[data-bar]");
const live = root.querySelector("[data-live]");
root.querySelector("[data-refresh]").hidden = true;

let failures = 0;

async function ask() {
  try {
    const answer = await fetch(root.dataset.stateUrl, { headers: { Accept: "application/json" } });
    if (answer.redirected || answer.status === 404) return location.assign(root.dataset.doneUrl);
    if (!answer.ok) throw new Error(answer.statusText);
    failures = 0;
    const state = await answer.json();
    bar.value = state.percent;
    const words = tell(state, root.dataset.spoken);
    if (live.textContent !== words) live.textContent = words;
    if (!state.open) return location.assign(root.dataset.doneUrl);
  } catch {
    failures += 1;
  }
  setTimeout(ask, delayAfter(failures));
}

ask();
