/** The site's voice: what it can do, words for a recording, sound for a reply. Refusals are thrown as `Refusal`. */

/** So often a sentence is asked for again while the server has no time for it. */
const PATIENCE = 2;
const LONGEST_PAUSE_S = 5;
const BUSY = [429, 503];
/** The page's token against forgery is no longer good: somebody has logged in since. */
const FORGED = 403;
/** Logged out; after the next log-in the same may be asked again. */
const LOCKED = 401;

export class Refusal extends Error {
  /** @param {{code: string, text?: string|null, retryable?: boolean}} reason `text`: for the person, in their language */
  constructor({ code, text = null, retryable = true }) {
    super(code);
    Object.assign(this, { code, text, retryable });
  }
}

/**
 * @param {{base: string, token: string, renewToken: () => Promise<string>}} place where the endpoints are, and the page's
 *   token against forgery
 * @returns what can be asked; everything takes a `signal` to give up by, and then throws an AbortError
 */
export function createServer({ base, token, renewToken }, { fetch = globalThis.fetch, pause = (s) => new Promise((go) => setTimeout(go, 1000 * s)) } = {}) {
  async function ask(path, options) {
    let answer;
    try {
      const headers = { Accept: "application/json", ...options.headers };
      answer = await fetch(base + path, { redirect: "manual", ...options, headers });
    } catch (error) {
      throw error.name === "AbortError" ? error : new Refusal({ code: "network" });
    }
    if (answer.type === "opaqueredirect") throw new Refusal({ code: "loggedout" });
    if (!answer.ok) throw await refusalOf(answer);
    return answer;
  }

  /** Read an answer; one that breaks off in the middle counts as none. */
  async function read(answer, kind) {
    try {
      return await answer[kind]();
    } catch (error) {
      throw error.name === "AbortError" ? error : new Refusal({ code: "network" });
    }
  }

  async function askPatiently(path, options, patience = PATIENCE) {
    try {
      return await ask(path, options);
    } catch (refusal) {
      if (!BUSY.includes(refusal.status) || !patience) throw refusal;
      await pause(Math.min(refusal.retryAfterS, LONGEST_PAUSE_S));
      options.signal?.throwIfAborted();
      return askPatiently(path, options, patience - 1);
    }
  }

  /** Send something, with a fresh token if it turns out that the page's own is stale. */
  async function send(path, { headers, ...options }) {
    const attempt = () => ask(path, { method: "POST", headers: { ...headers, "X-CSRFToken": token }, ...options });
    try {
      return await attempt();
    } catch (refusal) {
      if (refusal.status !== FORGED) throw refusal;
      token = await renewToken();
      return attempt();
    }
  }

  return {
    /** Words for a recording, whole or `isDraft`: { text, language, sound }. */
    async transcribe(recording, { language, isDraft = false, signal }) {
      const query = new URLSearchParams({ language, ...(isDraft && { partial: 1 }) });
      const headers = { "Content-Type": recording.type };
      return read(await send(`transcripts/?${query}`, { headers, body: recording, signal }), "json");
    },

    /** A sentence of a reply: { status: "ready", sound | words } | { status: "notyet" } | { status: "over" }. */
    async sentence(reply, index, { asWords = false, signal }) {
      const answer = await askPatiently(`speech/${reply}/${index}/${asWords ? "?words=1" : ""}`, { signal });
      if (answer.status === 204) return { status: "over" };
      if (answer.status === 202) return { status: "notyet" };
      const got = asWords ? { words: await read(answer, "json") } : { sound: await read(answer, "arrayBuffer") };
      return { status: "ready", ...got };
    },
  };
}

async function refusalOf(answer) {
  const { error = `http.${answer.status}`, message = null, retryable = true } = await answer.json().catch(() => ({}));
  const refusal = new Refusal({ code: error, text: message, retryable: retryable || answer.status === LOCKED });
  return Object.assign(refusal, { status: answer.status, retryAfterS: Number(answer.headers.get("Retry-After")) || 1 });
}

/** Tell the site whether replies are to be read aloud, on every page and device. Should that fail, the switch holds for this page. */
export async function rememberSpeaks(speaks, { url, token }, { fetch = globalThis.fetch } = {}) {
  const headers = { Accept: "application/json", "Content-Type": "application/json", "X-CSRFToken": token };
  // Whoever leaves the page at once has still said it.
  const options = { method: "POST", headers, body: JSON.stringify({ speaks }), redirect: "manual", keepalive: true };
  return fetch(url, options).then(({ ok }) => ok, () => false);
}
