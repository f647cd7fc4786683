/** The companion speaks first: the card over the text box, looked for now and then while the page stays open, as long as its time lasts. */

const place = document.querySelector("[data-initiative-place]");
const box = document.querySelector("[data-box]");
const card = () => place.querySelector("[data-initiative]");

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
