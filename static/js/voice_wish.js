/** Whether replies are to be read aloud, as the person wishes it on every page and device. */

/** Tell the site. Should that fail, the switch holds for this page. */
export async function rememberSpeaks(speaks, { url, token }, { fetch = globalThis.fetch } = {}) {
  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": token };
  // Whoever leaves the page at once has still said it.
  const options = { method: "POST", headers, body: JSON.stringify({ speaks }), redirect: "manual", keepalive: true };
  return fetch(url, options).then(({ ok }) => ok, () => false);
}
