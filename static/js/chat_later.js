/** What a conversation needs only once it is used, or where it has something of the kind: loaded then, and told what for. */

const ASK_AGAIN_MS = 5 * 60 * 1000;

const root = document.querySelector("[data-chat]");
const articles = root.querySelector("[data-articles]");
const log = root.querySelector("[data-log]");
const initiative = root.querySelector("[data-initiative-place]");

/** What is needed could not be loaded. */
function complain() {
  root.querySelector("[data-alert]").textContent = root.dataset.unloaded;
}

/** What holds forms that are answered in their place. */
const FORMS = "[data-noted], [data-remembered], [data-suggestion], [data-initiative]";

root.addEventListener("submit", (event) => {
  const { target, submitter } = event;
  const place = target.closest(FORMS);
  if (!place) return;
  event.preventDefault();
  import("./chat_forms.js").then(({ answerForm }) => answerForm(place, target, submitter), complain);
});

root.dataset.copies = "";
articles.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-copy]");
  if (button) import("./chat_copy.js").then(({ copyFor }) => copyFor(button), complain);
});

/** Pictures and files: what takes them comes with the first, or as one is dragged over the page. */
const files = root.querySelector("[data-files]");
const button = root.querySelector("[data-attach]");
const attach = (given) => import("./chat_attach.js").then((module) => module.attach([...given]), complain);
button.hidden = false;
button.addEventListener("click", () => files.click());
files.addEventListener("change", () => attach(files.files).then(() => (files.value = "")));
if (files.files.length) files.dispatchEvent(new Event("change")); // chosen before this was here
root.querySelector("[data-box]").addEventListener("paste", (event) => {
  const { files: given, types } = event.clipboardData;
  if (!given.length || types.includes("text/plain")) return; // a spreadsheet brings its picture too
  event.preventDefault();
  attach(given);
});
document.addEventListener("dragenter", () => attach([]), { once: true });
if (root.querySelector("[data-attached]")) attach([]);

/** Code has a button of its own: what puts it there comes with the first piece of code. */
const watch = new MutationObserver(lookForCode);
function lookForCode() {
  if (!articles.querySelector(".prose pre")) return;
  watch.disconnect();
  import("./chat_copy.js");
}
watch.observe(articles, { childList: true, subtree: true });
lookForCode();

/** Messages that are not on the page yet: what brings them comes as one nears them. */
const near = new IntersectionObserver(async (seen) => {
  if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
  near.disconnect();
  const { followHistory } = await import("./chat_history.js");
  followHistory({ log, articles });
}, { root: log, rootMargin: "1200px 0px" });
articles.querySelectorAll("[data-more]").forEach((link) => near.observe(link));

/** The companion speaks first: looked for now and then while the page stays open, until the person speaks. */
async function look() {
  if (document.visibilityState === "visible") (await import("./chat_initiative.js")).lookForInitiative();
}
if (initiative) {
  const looking = setInterval(look, ASK_AGAIN_MS);
  document.addEventListener("visibilitychange", look);
  root.addEventListener("chat:changes", function leave({ detail }) {
    if (!detail.some(({ op }) => op === "pending" || op === "accept")) return;
    clearInterval(looking);
    document.removeEventListener("visibilitychange", look);
    root.removeEventListener("chat:changes", leave);
    initiative.querySelector("[data-initiative]")?.remove();
  });
}
