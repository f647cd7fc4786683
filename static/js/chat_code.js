/** Code in messages, each piece with a button that copies it. */

const root = document.querySelector("[data-chat]");
const articles = root.querySelector("[data-articles]");

/** Put a button before each piece of code of a message that is whole. */
function dress(article) {
  if (article.dataset?.state === "streaming") return;
  for (const code of article.querySelectorAll?.(".prose pre") ?? []) {
    const place = document.createElement("div");
    place.className = "code";
    const button = Object.assign(document.createElement("button"), { type: "button", className: "code__copy", textContent: root.dataset.copycode });
    button.dataset.copy = "code";
    code.replaceWith(place);
    place.append(button, code);
  }
}

articles.querySelectorAll("article").forEach(dress);
new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(dress))).observe(articles, { childList: true });
