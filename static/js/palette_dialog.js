/** The palette: one box that leads to conversations, messages, memories, pages and actions. */

const PAUSE_MS = 150;

const palette = document.querySelector("[data-palette]");
const box = palette.querySelector("[role=combobox]");
const list = palette.querySelector("[role=listbox]");
const word = palette.querySelector("[data-palette-word]");

let marked = 0;
let asked = 0;
let timer = null;

const options = () => [...list.querySelectorAll("[role=option]")];

/** Mark one line, counted round from either end. */
function mark(number) {
  const all = options();
  if (!all.length) return;
  marked = (number + all.length) % all.length;
  all.forEach((option, place) => option.setAttribute("aria-selected", String(place === marked)));
  box.setAttribute("aria-activedescendant", all[marked].id);
  all[marked].scrollIntoView({ block: "nearest" });
}

/** Show what there is for the words in the box; an answer that a later question has overtaken is dropped. */
async function fill() {
  const question = ++asked;
  const url = new URL(palette.dataset.palette, location.href);
  url.searchParams.set("q", box.value);
  try {
    const answer = await fetch(url);
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
    const { body } = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (question !== asked) return;
    list.replaceChildren(...document.importNode(body, true).childNodes);
    options().forEach((option, place) => (option.id = `palette-option-${place}`));
    word.textContent = "";
    list.scrollTop = 0;
    mark(0);
  } catch {
    if (question === asked) word.textContent = palette.dataset.failed;
  }
}

export function openPalette() {
  box.value = "";
  list.replaceChildren();
  palette.showModal();
  box.focus();
  fill();
}

const keys = {
  ArrowDown: () => mark(marked + 1),
  ArrowUp: () => mark(marked - 1),
  Enter: () => options()[marked]?.click(),
};

box.addEventListener("keydown", (event) => {
  if (event.isComposing || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

box.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(fill, PAUSE_MS);
});

list.addEventListener("click", (event) => {
  const line = event.target.closest("[role=option]");
  if (!line) return;
  palette.close();
  if (line.dataset.press) document.querySelector(line.dataset.press)?.click();
});
