/** Copying: a message as one sees it or with the signs it was written with, and code by itself. */

const root = document.querySelector("[data-chat]");
const articles = root.querySelector("[data-articles]");
const word = root.querySelector("[data-copy-word]");
const words = root.dataset;

/** What somebody would copy who marks the element: its lines as they stand, without the buttons in it. */
function textIn(element) {
  const selection = getSelection();
  const before = selection.rangeCount ? selection.getRangeAt(0) : null;
  selection.selectAllChildren(element);
  const text = selection.toString();
  selection.removeAllRanges();
  if (before) selection.addRange(before);
  return text.trim();
}

/** The clipboard proper exists on secure origins only, and a class-room server may lack a certificate. */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const box = Object.assign(document.createElement("textarea"), { value: text, className: "visually-hidden" });
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  if (!done) throw new Error("refused");
}

async function textFor(button) {
  if (button.dataset.copy === "code") return button.nextElementSibling.textContent.replace(/\n$/, "");
  if (button.dataset.copy === "text") return textIn(button.closest("article").querySelector("[data-text]"));
  const answer = await fetch(button.dataset.source);
  if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
  return answer.text();
}

/** Copy what a button is for, and say so. */
export async function copyFor(button) {
  word.textContent = "";
  try {
    await copy(await textFor(button));
    word.textContent = words.copied;
    button.dataset.done = "";
  } catch {
    word.textContent = words.uncopied;
  }
  button.focus();
  setTimeout(() => {
    delete button.dataset.done;
    word.textContent = "";
  }, 4000);
}

/** Put a button before each piece of code of a message that is whole. */
function dress(article) {
  if (article.dataset?.state === "streaming") return;
  for (const code of article.querySelectorAll?.(".prose pre") ?? []) {
    const place = document.createElement("div");
    place.className = "code";
    const button = Object.assign(document.createElement("button"), { type: "button", className: "code__copy", textContent: words.copycode });
    button.dataset.copy = "code";
    code.replaceWith(place);
    place.append(button, code);
  }
}

articles.querySelectorAll("article").forEach(dress);
new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(dress))).observe(articles, { childList: true });
