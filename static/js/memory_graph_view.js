/** The drawn picture and its panel: show(state) makes the page equal to the state. */

import { linePaths, nearPath, viewBox } from "./memory_graph_state.js";

/** Days as the server writes them: "9 November 2026". */
export function longDay(language) {
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, { dateStyle: "long" });
}

const SVG = "http://www.w3.org/2000/svg";

export function createView(root, labels, language) {
  const svg = root.querySelector("[data-svg]");
  const panel = root.querySelector("[data-panel]");
  const part = (name) => panel.querySelector(`[data-${name}]`);
  const dots = [...svg.querySelectorAll("[data-row]")];
  const names = new Map([...svg.querySelectorAll("[data-label]")].map((label) => [Number(label.dataset.label), label]));
  const hubs = [...svg.querySelectorAll("[data-hub]")];
  const near = document.createElementNS(SVG, "path");
  near.setAttribute("class", "line line--near");
  svg.querySelector(".graph__lines").append(near);
  // The panel says it from here on; a second bubble over it would be in the way.
  for (const title of svg.querySelectorAll("title")) title.remove();

  panel.hidden = false;

  const day = longDay(language);
  let shown = { seen: null, looked: null, view: null };

  function showSeen(state) {
    state.seen.forEach((isSeen, row) => dots[row].toggleAttribute("hidden", !isSeen));
    names.forEach((label, row) => label.toggleAttribute("hidden", !state.seen[row]));
    for (const hub of hubs) {
      const rows = hub.dataset.hub.split(",").filter((row) => state.seen[row]);
      hub.toggleAttribute("hidden", !rows.length);
      const way = (row) => `M${hub.dataset.x} ${hub.dataset.y}L${state.dots[row].x} ${state.dots[row].y}`;
      hub.querySelector("path").setAttribute("d", rows.map(way).join(""));
    }
    const paths = linePaths(state);
    for (const line of svg.querySelectorAll("[data-line]")) line.setAttribute("d", paths[line.dataset.line] ?? "");
  }

  function showLooked(state) {
    if (shown.looked !== null) dots[shown.looked].classList.remove("dot--looked");
    if (state.looked !== null) {
      dots[state.looked].classList.add("dot--looked");
      fill(state.dots[state.looked], state.dots);
    }
  }

  function fill(dot, all) {
    part("text").textContent = dot.text;
    part("modality").textContent = labels.modality[dot.modality];
    part("modality").className = `tag tag--${dot.modality}`;
    part("tier").textContent = [labels.tier[dot.tier], labels.category[dot.category]].filter(Boolean).join(" · ");
    part("said").textContent = day.format(dot.said);
    part("said").dateTime = new Date(dot.said).toISOString();
    const word = labels.gravity[dot.gravity >= 0.66 ? 2 : dot.gravity >= 0.33 ? 1 : 0];
    part("gravity").textContent = labels.now.replace("%(word)s", word);
    part("past").hidden = dot.ended === null;
    part("open").href = root.dataset.memoryUrl.replace(root.dataset.nowhere, dot.id);
    part("source").hidden = !dot.conversation || dot.kind !== "message";
    part("source").href = `${root.dataset.conversationUrl.replace(root.dataset.nowhere, dot.conversation)}?at=${dot.message}#message-${dot.message}`;
    const replaced = dot.replaces.map((id) => all.find((other) => other.id === id)?.text).filter(Boolean);
    part("replaces").hidden = !replaced.length;
    part("replaced").textContent = replaced.join(" · ");
    part("hint").hidden = true;
    part("told").hidden = part("links").hidden = false;
  }

  return {
    svg,
    rowOf: (target) => {
      const dot = target.closest?.("[data-row]");
      return dot ? Number(dot.dataset.row) : null;
    },
    open: () => part("open").click(),
    show(state) {
      if (state.seen !== shown.seen) showSeen(state);
      if (state.looked !== shown.looked) showLooked(state);
      if (state.seen !== shown.seen || state.looked !== shown.looked) near.setAttribute("d", nearPath(state));
      if (state.view !== shown.view) svg.setAttribute("viewBox", viewBox(state));
      root.querySelector("[data-stage]").toggleAttribute("data-zoomed", state.view.width < state.home.width);
      shown = { seen: state.seen, looked: state.looked, view: state.view };
    },
  };
}
