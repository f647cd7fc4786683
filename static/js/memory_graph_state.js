/**
 * The picture's state and its one transition, without a browser: reduce(state, event) -> state.
 *
 * Events:
 *   filter {modality, tier, category, search, history} | slide {at} | look {row} | leave | step {dx, dy}
 *   pan {dx, dy} | zoom {factor, x, y} | all
 *
 * `view` is what the picture's viewBox shows; `seen` says of each dot whether it is shown; `looked` is the dot that the
 * pointer or the keyboard is on. Distances of `pan` are shares of the view, so that far out one moves far.
 */

/** How far one can go in, and how much of the picture stays in sight at the least. */
const CLOSEST = 1 / 40;
const KEPT = 0.1;
/** A step to the side counts double, so that an arrow leads straight on where there is something. */
const SIDEWAYS = 2;

/** @param {{box: number[], dots: object[], lines: Array}} picture as the server describes it */
export function createState({ box, dots, lines }, filter = {}) {
  const [x, y, width, height] = box;
  const home = { x, y, width, height };
  const asked = { modality: "", tier: "", category: "", search: "", history: false, at: null, ...filter };
  return look({ dots, lines, home, view: home, filter: asked, looked: null, seen: dots.map((dot) => isSeen(dot, asked)) });
}

export function reduce(state, event) {
  const step = EVENTS[event.type];
  return step ? step(state, event) : state;
}

/** Whether a dot is asked for: its kind, its words, and its time. The server's rule (picture.py), word for word. */
export function isSeen(dot, { modality, tier, category, search, history, at }) {
  if (modality && dot.modality !== modality) return false;
  if (tier && dot.tier !== tier) return false;
  if (category && dot.category !== category) return false;
  if (at !== null && dot.formed > at) return false;
  if (dot.ended !== null && !history && !(at !== null && dot.ended > at)) return false;
  const text = dot.text.toLowerCase();
  return search.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

/** The SVG paths of the lines between seen dots, by "category-firm". */
export function linePaths({ dots, lines, seen }) {
  const paths = {};
  for (const [first, second, category, firm] of lines) {
    if (seen[first] && seen[second]) {
      const key = `${category}-${firm}`;
      paths[key] = (paths[key] ?? "") + way(dots[first], dots[second]);
    }
  }
  return paths;
}

/** The path of the lines that lead from the dot that is looked at. */
export function nearPath({ dots, lines, seen, looked }) {
  if (looked === null) return "";
  return lines
    .filter(([first, second]) => (first === looked || second === looked) && seen[first] && seen[second])
    .map(([first, second]) => way(dots[first], dots[second]))
    .join("");
}

export function viewBox({ view }) {
  return [view.x, view.y, view.width, view.height].map((value) => Math.round(value * 100) / 100).join(" ");
}

/** The first and the last moment that the time slider reaches, in ms; null where there is nothing. */
export function timeRange({ dots }, now) {
  if (!dots.length) return null;
  return { first: Math.min(...dots.map((dot) => dot.formed)), last: now };
}

const EVENTS = {
  filter(state, { type, ...asked }) {
    return refilter(state, { ...state.filter, ...asked });
  },

  slide(state, { at }) {
    return refilter(state, { ...state.filter, at });
  },

  look(state, { row }) {
    return state.seen[row] ? look({ ...state, looked: row }) : state;
  },

  leave(state) {
    return { ...state, looked: null };
  },

  step(state, { dx, dy }) {
    const row = state.looked === null ? heaviestInView(state) : next(state, dx, dy);
    return row === null ? state : intoView(look({ ...state, looked: row }));
  },

  pan(state, { dx, dy }) {
    const { view } = state;
    return { ...state, view: kept(state, { ...view, x: view.x + dx * view.width, y: view.y + dy * view.height }) };
  },

  zoom(state, { factor, x = null, y = null }) {
    const { view, home } = state;
    const width = Math.min(home.width, Math.max(home.width * CLOSEST, view.width / factor));
    const share = width / view.width;
    const at = { x: x ?? view.x + view.width / 2, y: y ?? view.y + view.height / 2 };
    const zoomed = {
      x: at.x - (at.x - view.x) * share,
      y: at.y - (at.y - view.y) * share,
      width,
      height: view.height * share,
    };
    return { ...state, view: width === home.width ? home : kept(state, zoomed) };
  },

  all(state) {
    return { ...state, view: state.home };
  },
};

function refilter(state, filter) {
  return look({ ...state, filter, seen: state.dots.map((dot) => isSeen(dot, filter)) });
}

/** What is not shown is not looked at. */
function look(state) {
  return state.looked !== null && !state.seen[state.looked] ? { ...state, looked: null } : state;
}

function way(first, second) {
  return `M${first.x} ${first.y}L${second.x} ${second.y}`;
}

function heaviestInView({ dots, seen, view }) {
  let best = null;
  dots.forEach((dot, row) => {
    const inside = dot.x >= view.x && dot.x <= view.x + view.width && dot.y >= view.y && dot.y <= view.y + view.height;
    if (seen[row] && inside && (best === null || dot.gravity > dots[best].gravity)) best = row;
  });
  return best ?? (seen.indexOf(true) >= 0 ? seen.indexOf(true) : null);
}

/** The nearest seen dot in a direction, within 45 degrees of it; null where there is none. */
function next({ dots, seen, looked }, dx, dy) {
  const from = dots[looked];
  let best = null;
  let least = Infinity;
  dots.forEach((dot, row) => {
    if (row === looked || !seen[row]) return;
    const along = (dot.x - from.x) * dx + (dot.y - from.y) * dy;
    const aside = Math.abs((dot.x - from.x) * dy) + Math.abs((dot.y - from.y) * dx);
    if (along <= 0 || aside > along) return;
    const cost = along + SIDEWAYS * aside;
    if (cost < least) [best, least] = [row, cost];
  });
  return best;
}

/** Move the view just so far that the dot looked at is in it. */
function intoView(state) {
  const { view, dots, looked } = state;
  const { x, y, r } = dots[looked];
  const room = Math.min(3 * r, view.width / 4, view.height / 4);
  const moved = {
    ...view,
    x: Math.max(Math.min(view.x, x - room), x + room - view.width),
    y: Math.max(Math.min(view.y, y - room), y + room - view.height),
  };
  return { ...state, view: moved };
}

/** Keep a part of the picture in sight. */
function kept({ home }, view) {
  const clamp = (start, length, low, size) =>
    Math.max(low - length * (1 - KEPT), Math.min(low + size - length * KEPT, start));
  return {
    ...view,
    x: clamp(view.x, view.width, home.x, home.width),
    y: clamp(view.y, view.height, home.y, home.height),
  };
}
