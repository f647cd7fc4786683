/** The page of the graph: keys, pointer, form and slider become events; the state is shown. */

import { createState, reduce, timeRange } from "./memory_graph_state.js";
import { createView, longDay } from "./memory_graph_view.js";

const DAY_MS = 86_400_000;
const PAUSE_MS = 300;
const ZOOM = 1.4;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const root = document.querySelector("[data-graph]");
const stage = root.querySelector("[data-stage]");
const form = document.querySelector("[data-filters]");
const slider = root.querySelector("[data-slider]");
const language = document.documentElement.lang;
const view = createView(root, read("graph-labels"), language);

let state = createState(read("graph-data"), { ...asked(), at: endOfDay(form.elements.as_of.value) });

function dispatch(event) {
  state = reduce(state, event);
  view.show(state);
}

// The form. What was asked for is shown at once; the list below comes from the server, as without scripts.

function asked() {
  const { q, modality, tier, category, history } = form.elements;
  return {
    search: q.value.trim(), modality: modality.value, tier: tier.value, category: category.value, history: history.checked,
  };
}

function endOfDay(text) {
  const day = text ? new Date(`${text}T23:59:59.999`) : null;
  return day && !Number.isNaN(day.getTime()) ? day.getTime() : null;
}

form.addEventListener("input", () => {
  dispatch({ type: "filter", ...asked(), at: endOfDay(form.elements.as_of.value) });
  refreshSoon();
});

let waiting = 0;
function refreshSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(refreshList, PAUSE_MS);
}

let asking = 0;
async function refreshList() {
  const number = ++asking;
  const address = `${location.pathname}?${new URLSearchParams(new FormData(form))}`;
  const text = await readPage(address);
  // An answer that was overtaken, or none at all, leaves the list as it is.
  if (text === null || number !== asking) return;
  const page = new DOMParser().parseFromString(text, "text/html");
  for (const part of ["[data-list]", "[data-summary]"]) {
    const fresh = page.querySelector(part);
    if (fresh) document.querySelector(part).replaceWith(document.adoptNode(fresh));
  }
  history.replaceState(null, "", address);
}

async function readPage(address) {
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    return answer.ok && !answer.redirected ? await answer.text() : null;
  } catch {
    return null;
  }
}

// The time slider: days from the first memory on; its end is now. It writes the day into the form, so that the list
// goes along and the address can be kept.

const isoDay = (moment) => new Date(moment).toLocaleDateString("sv"); // Swedish dates are ISO dates
const range = timeRange(state, Date.now());
const start = range && endOfDay(isoDay(range.first));
const days = range ? Math.ceil((endOfDay(isoDay(range.last)) - start) / DAY_MS) : 0;
const momentOf = (step) => (step >= days ? null : start + step * DAY_MS);

function tellDay(step) {
  const text = longDay(language).format(momentOf(step) ?? Date.now());
  root.querySelector("[data-day]").textContent = text;
  slider.setAttribute("aria-valuetext", text);
}

function slide() {
  const at = momentOf(Number(slider.value));
  tellDay(Number(slider.value));
  form.elements.as_of.value = at === null ? "" : isoDay(at);
  dispatch({ type: "slide", at });
  refreshSoon();
}

if (days > 0) {
  slider.max = days;
  slider.value = state.filter.at === null ? days : Math.round((state.filter.at - start) / DAY_MS);
  slider.addEventListener("input", slide);
  tellDay(Number(slider.value));
  root.querySelector("[data-time]").hidden = false;
}

// The keyboard.

stage.tabIndex = 0;
stage.setAttribute("role", "application");
stage.setAttribute("aria-labelledby", "graph-title");
stage.setAttribute("aria-describedby", "graph-keys");
document.getElementById("graph-keys").hidden = false;
stage.dataset.live = "";

stage.addEventListener("keydown", (event) => {
  if (event.target !== stage || event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = ARROWS[event.key];
  const keys = {
    "+": () => dispatch({ type: "zoom", factor: ZOOM, ...looked() }),
    "-": () => dispatch({ type: "zoom", factor: 1 / ZOOM }),
    0: () => dispatch({ type: "all" }),
    Escape: () => dispatch({ type: "leave" }),
    Enter: () => state.looked !== null && view.open(),
  };
  if (arrow) dispatch({ type: event.shiftKey ? "pan" : "step", ...scaled(arrow, event.shiftKey ? 0.15 : 1) });
  else if (keys[event.key]) keys[event.key]();
  else return;
  event.preventDefault();
});

const scaled = ([dx, dy], by) => ({ dx: dx * by, dy: dy * by });
const looked = () => (state.looked === null ? {} : { x: state.dots[state.looked].x, y: state.dots[state.looked].y });

// The pointer.

const pointers = new Map();
let dragged = false;

function place(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(view.svg.getScreenCTM().inverse());
  return { x: point.x, y: point.y };
}

view.svg.addEventListener("pointerdown", (event) => {
  pointers.set(event.pointerId, event);
  dragged = false;
});

view.svg.addEventListener("pointermove", (event) => {
  const before = pointers.get(event.pointerId);
  if (!before) {
    const row = view.rowOf(event.target);
    if (row !== null && row !== state.looked) dispatch({ type: "look", row });
    return;
  }
  const still = [...pointers.values()].find((other) => other.pointerId !== event.pointerId);
  if (still) pinch(before, event, still);
  else drag(before, event);
  pointers.set(event.pointerId, event);
});

function drag(before, event) {
  const from = place(before);
  const to = place(event);
  dragged ||= Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) > 2;
  if (dragged) view.svg.setPointerCapture(event.pointerId);
  stage.toggleAttribute("data-dragging", dragged);
  dispatch({ type: "pan", dx: (from.x - to.x) / state.view.width, dy: (from.y - to.y) / state.view.height });
}

function pinch(before, event, still) {
  const distance = (one) => Math.hypot(one.clientX - still.clientX, one.clientY - still.clientY);
  dragged = true;
  dispatch({ type: "zoom", factor: distance(event) / Math.max(distance(before), 1), ...place(still) });
}

for (const end of ["pointerup", "pointercancel"]) {
  view.svg.addEventListener(end, (event) => {
    pointers.delete(event.pointerId);
    stage.removeAttribute("data-dragging");
  });
}

view.svg.addEventListener("click", (event) => {
  const row = view.rowOf(event.target);
  if (!dragged) dispatch(row === null ? { type: "leave" } : { type: "look", row });
  stage.focus({ preventScroll: true });
});

// A wheel moves the page, unless one is at the picture with the keyboard, or pinches on a touch pad.
stage.addEventListener(
  "wheel",
  (event) => {
    if (!event.ctrlKey && document.activeElement !== stage) return;
    event.preventDefault();
    dispatch({ type: "zoom", factor: Math.exp(-event.deltaY / 300), ...place(event) });
  },
  { passive: false },
);

const tools = root.querySelector("[data-tools]");
tools.hidden = false;
tools.addEventListener("click", (event) => {
  const kind = event.target.closest("[data-zoom]")?.dataset.zoom;
  if (kind === "all") dispatch({ type: "all" });
  else if (kind) dispatch({ type: "zoom", factor: kind === "in" ? ZOOM : 1 / ZOOM });
});

view.show(state);
