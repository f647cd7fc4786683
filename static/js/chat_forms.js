/** Forms of a conversation that are answered in their place, each once at a time. Without this they are sent as forms are. */

const composer = document.querySelector("[data-composer]");
const box = composer.querySelector("[data-box]");

/** Change what stands in the text box, as if it had been typed. */
function put(text) {
  box.value = text;
  box.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * By what a form stands in: where a word is said of it, and what becomes of the place once the site has answered.
 * `done` returns which of the words that is, by its name.
 */
const KINDS = {
  noted: {
    words: (line) => line.closest("[data-noted-list]"),
    word: (line) => line.querySelector("[data-noted-word]"),
    done(line) {
      line.querySelector("form").remove();
      line.classList.add("noted__line--undone");
      return "undone";
    },
  },
  remembered: {
    words: (kept) => kept.querySelector("form"),
    word: (kept) => kept.querySelector("[data-remembered-word]"),
    done(kept, { html }) {
      const page = new DOMParser().parseFromString(html, "text/html");
      const now = document.importNode(page.querySelector("[data-remembered]"), true);
      kept.replaceWith(now);
      now.focus();
    },
  },
  suggestion: {
    words: (chip) => chip.closest("[data-suggestions]"),
    word: () => document.querySelector("[data-suggestions-word]"),
    done(chip, { message }, given) {
      const [place, next] = [chip.closest("[data-suggestions]"), chip.nextElementSibling ?? chip.previousElementSibling];
      // What somebody has begun to write stays in front.
      if (message) put(box.value.trim() ? `${box.value.trimEnd()}\n${message}` : message);
      (message || !next ? box : next.querySelector("button")).focus();
      if (message) box.setSelectionRange(box.value.length, box.value.length);
      chip.remove();
      place.hidden = !next;
      return message || given !== "chosen" ? given : "gone";
    },
  },
  initiative: {
    words: (card) => card,
    word: () => document.querySelector("[data-initiative-word]"),
    done(card, { message }, given) {
      card.remove();
      box.focus();
      if (!message) return given === "dismissed" ? given : "gone";
      // It is said as if it had been typed; what somebody has begun to write stays in the box.
      const draft = box.value;
      box.value = message;
      composer.requestSubmit();
      put(draft);
    },
  },
};

async function send(form, button) {
  const body = new FormData(form, button);
  body.set("csrfmiddlewaretoken", composer.elements.csrfmiddlewaretoken.value);
  const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
  if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
  return answer.json();
}

/**
 * @param {HTMLElement} place what the form stands in
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} button the one that was pressed
 */
export async function answerForm(place, form, button) {
  if (place.getAttribute("aria-busy") === "true") return;
  place.setAttribute("aria-busy", "true");
  const kind = KINDS[Object.keys(KINDS).find((name) => name in place.dataset)];
  const [word, words] = [kind.word(place), kind.words(place).dataset];
  try {
    word.textContent = words[kind.done(place, await send(form, button), button.value)] ?? "";
  } catch {
    word.textContent = words.failed;
  }
  place.removeAttribute("aria-busy");
}
