/** The palette: one box that leads to conversations, messages, memories, pages and actions. */

const PAUSE_MS = 150;

const palette = document.querySelector("[data-palette]");
const box = palette.querySelector("[role=combobox]");
const list = palette.querySelector("[role=listbox]");
const word = palette.querySelector("[data-palette-word]");

let marked = 0;
/** The line that the person went to with the arrows; it stays marked where a later answer has it, too. */
let chosen = null;
/** Whether the lines are those of other words than stand in the box now. */
let late = false;
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

/** Go on from the marked line by the arrows. */
function go(steps) {
  mark(marked + steps);
  chosen = options()[marked]?.textContent ?? null;
}

/** Open the marked line; of words just typed, the first of what is found for them. */
async function openMarked() {
  if (late && chosen === null) await fill();
  if (!late || chosen !== null) options()[marked]?.click();
}

/** Show what there is for the words in the box; an answer that a later question has overtaken is dropped. */
async function fill() {
  clearTimeout(timer);
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
    late = false;
    list.scrollTop = 0;
    mark(Math.max(0, options().findIndex((option) => option.textContent === chosen)));
  } catch {
    if (question === asked) word.textContent = palette.dataset.failed;
  }
}

export function openPalette() {
  box.value = "";
  chosen = null;
  list.replaceChildren();
  palette.showModal();
  box.focus();
  fill();
}

const keys = {
  ArrowDown: () => go(1),
  ArrowUp: () => go(-1),
  Enter: openMarked,
};

box.addEventListener("keydown", (event) => {
  if (event.isComposing || !keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
});

box.addEventListener("input", () => {
  chosen = null;
  late = true;
  clearTimeout(timer);
  timer = setTimeout(fill, PAUSE_MS);
});

list.addEventListener("click", (event) => {
  const line = event.target.closest("[role=option]");
  if (!line) return;
  palette.close();
  if (line.dataset.press) document.querySelector(line.dataset.press)?.click();
});
