/**
 * The changes of a state, made on the page.
 *
 * Articles come from the server as HTML and are parsed, never assigned; whatever a person or a model
 * wrote reaches the page here only as `textContent`.
 */

/** Changes that bring no new line at the end. */
const QUIET = ["noted", "replaced", "remembered", "title"];
/** So many messages at most are asked after at once. */
const MOST_AWAITED = 100;

export function createView(root, { words = root.dataset } = {}) {
  const log = root.querySelector("[data-log]");
  const articles = root.querySelector("[data-articles]");
  const jump = root.querySelector("[data-jump]");
  const find = (name, value) => (value ? articles.querySelector(`[data-${name}="${CSS.escape(value)}"]`) : null);
  const reply = (id) => find("message", id) ?? insert(copyOf("reply", { message: id }));
  const body = (article) => article.querySelector("[data-text]");
  const part = (html, which) => document.importNode(new DOMParser().parseFromString(html, "text/html").querySelector(which), true);
  const parse = (html) => document.importNode(new DOMParser().parseFromString(html, "text/html").body, true).childNodes;

  /** Where the next piece of a growing text belongs: inside of what ends it, as a paragraph or a list's last item. */
  function deepest(place) {
    while (place.lastChild?.nodeType === 1 || (place.lastChild?.nodeValue?.trim() === "" && place.lastElementChild)) place = place.lastElementChild;
    return place;
  }

  // Pieces come faster than a page is drawn: they are put down once a frame.
  const pieces = new Map();
  let drawing = null;

  /** Put down what has come of the replies under way. */
  function draw() {
    if (drawing !== null) (globalThis.cancelAnimationFrame ?? clearTimeout)(drawing);
    drawing = null;
    for (const [id, texts] of pieces) deepest(body(reply(id))).append(texts.join(""));
    const hasNew = pieces.size > 0;
    pieces.clear();
    if (hasNew && following) toBottom();
  }

  function drawSoon() {
    drawing ??= (globalThis.requestAnimationFrame ?? ((action) => setTimeout(action, 16)))(draw);
  }

  const hasLater = () => articles.querySelector('[data-more="later"]') !== null;
  const atBottom = () => log.scrollHeight - log.scrollTop - log.clientHeight < 48;
  let following = true;
  let lastTop = 0;

  function toBottom() {
    following = true;
    log.scrollTop = log.scrollHeight;
    jump.hidden = true;
  }

  /** Begin at the message that the address names, as a search leads to it, or at the end. */
  function start(id) {
    const linked = id && document.getElementById(id);
    if (!linked && !hasLater()) return toBottom();
    following = false;
    jump.hidden = false;
    linked?.scrollIntoView({ block: "center" });
  }

  /** Put an article where it belongs: before what is still on its way to the server. */
  function insert(article) {
    root.querySelector("[data-empty]")?.remove();
    const pending = article.dataset.state === "pending" ? null : articles.querySelector('[data-state="pending"]');
    articles.insertBefore(article, pending);
    return article;
  }

  function put(html, ...replaced) {
    const article = part(html, "article");
    const [first, ...others] = replaced.filter(Boolean);
    others.forEach((other) => other !== first && other.remove());
    if (first) first.replaceWith(article);
    else insert(article);
    return article;
  }

  /** An article from the page's own template, for what the server has not rendered yet. */
  function copyOf(name, data) {
    const template = root.querySelector(`template[data-template="${name}"]`);
    const article = template.content.firstElementChild.cloneNode(true);
    const time = new Date().toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    Object.assign(article.dataset, data);
    article.setAttribute("aria-label", article.getAttribute("aria-label").replace("{time}", time));
    article.querySelector("time").textContent = time;
    return article;
  }

  function markFailed(article, { text, retryable, clientId }) {
    const note = article.querySelector("[data-note]");
    article.dataset.state = "failed";
    note.querySelector("[data-note-text]").textContent = text;
    note.querySelector("[data-action]").hidden = !retryable;
    note.querySelector("[data-action]").dataset.clientId = clientId;
    note.hidden = false;
  }

  const changes = {
    pending({ clientId, text }) {
      const article = insert(copyOf("person", { clientId }));
      body(article).textContent = text;
      toBottom();
    },
    waiting({ clientId }) {
      const article = find("client-id", clientId);
      article.dataset.state = "pending";
      article.querySelector("[data-note]").hidden = true;
    },
    accept({ clientId, messageId, html }) {
      put(html, find("client-id", clientId), find("message", messageId));
    },
    start({ reply: id, html, replaces }) {
      put(html, find("message", id), find("message", replaces));
      root.querySelector("[data-alert]").textContent = "";
    },
    append({ reply: id, text }) {
      if (pieces.has(id)) pieces.get(id).push(text);
      else pieces.set(id, [text]);
      drawSoon();
    },
    drawn({ reply: id, ended, growing, gap }) {
      pieces.delete(id);
      const place = body(reply(id));
      let open = place.querySelector("[data-growing]");
      if (!open) {
        open = document.createElement("div");
        open.dataset.growing = "";
        place.replaceChildren(open);
        place.className = "message__text prose";
      }
      open.before(...parse(ended));
      open.replaceChildren(...parse(growing));
      if (gap) deepest(open).append(" "); // Markdown ends without the space that the next word comes after
    },
    text({ reply: id, text }) {
      pieces.delete(id);
      const place = body(reply(id));
      place.textContent = text;
      place.className = "message__text message__text--plain";
    },
    finish({ reply: id, html }) {
      pieces.delete(id);
      put(html, find("message", id));
    },
    noted({ reply: id, html }) {
      const article = find("message", id);
      const list = new DOMParser().parseFromString(html, "text/html").querySelector("[data-noted-list]");
      if (!article || !list) return;
      article.querySelector("[data-noted-list]")?.remove();
      body(article).after(document.importNode(list, true));
    },
    replaced({ message }) {
      for (let node = find("message", message), next; node; node = next) {
        next = node.nextElementSibling;
        if (node.dataset.state !== "pending") node.remove();
      }
    },
    turned() {
      if (!isLeaving) location.reload();
    },
    remembered({ message, html }) {
      const article = find("message", message);
      article?.removeAttribute("data-awaits");
      const kept = article?.querySelector("[data-remembered]");
      if (!kept?.contains(document.activeElement)) kept?.replaceWith(part(html, "[data-remembered]")); // who writes there goes on
    },
    title({ title }) {
      document.title = document.title.replace(root.dataset.title, title);
      root.dataset.title = title;
      document.querySelectorAll("[data-title-of]").forEach((place) => {
        if (place.dataset.titleOf === root.dataset.conversation) place.textContent = title;
      });
    },
    error({ clientId, reply: id, text, retryable }) {
      const pending = find("client-id", clientId);
      if (pending) markFailed(pending, { text, retryable, clientId });
      else root.querySelector("[data-alert]").textContent = text;
      find("message", id)?.removeAttribute("aria-busy");
    },
  };

  // Where later messages are not on the page, the latest stand on the one that the conversation opens with.
  let isLeaving = false;
  articles.addEventListener("submit", ({ target }) => {
    if (!target.matches("[data-versions]")) return;
    isLeaving = true;
    if (!target.elements.csrfmiddlewaretoken) target.append(root.querySelector("[data-composer] [name=csrfmiddlewaretoken]").cloneNode());
  });
  jump.addEventListener("click", () => (hasLater() ? location.assign(location.pathname) : toBottom()));
  log.addEventListener("scroll", () => {
    // What grows moves the end away from the reader; only who scrolls up has left it.
    following = !hasLater() && (atBottom() || (following && log.scrollTop >= lastTop));
    lastTop = log.scrollTop;
    if (following) jump.hidden = true;
  });
  // Opened at the end of the log, the memories would unfold below its edge.
  log.addEventListener("toggle", ({ target }) => {
    if (!target.open) return;
    if (target.closest("[data-remembered]")) following = false; // it stands above the reply, and is written in
    target.scrollIntoView({ block: "nearest" });
  }, true);
  // A growing box or a notice takes height from the log; the newest line must not slip under it.
  const sizes = new ResizeObserver(() => following && toBottom());
  [log, articles].forEach((place) => sizes.observe(place));

  return {
    start,
    /** Make all changes of one step, and stay at the newest line only if the reader was there. */
    apply(list) {
      if (!list.length) return;
      list.forEach((change) => changes[change.op](change));
      if (following) toBottom();
      else if (list.some(({ op }) => !QUIET.includes(op))) jump.hidden = false;
    },
    show(status, { busy }) {
      const line = root.querySelector("[data-status]");
      if (line.textContent !== (words[status] ?? "")) line.textContent = words[status] ?? "";
      root.dataset.status = status;
      root.querySelector("[data-stop]").hidden = !busy;
      root.querySelector("[data-logged-out]").hidden = status !== "loggedout";
    },
    /** The messages that no memories are known to have been formed from yet, the newest of them. */
    awaiting: () => [...articles.querySelectorAll("[data-awaits]")].slice(-MOST_AWAITED).map((article) => article.dataset.message),
    shown: () => articles.lastElementChild?.dataset.message,
    textOf(id) {
      draw();
      return find("message", id) ? body(find("message", id)).textContent : "";
    },
  };
}
