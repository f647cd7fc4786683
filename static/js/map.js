/**
 * The map with scripts: larger and smaller, and a concept's details beside it. Without them the links lead to a page
 * of their own. What comes from the server is parsed, never assigned.
 */

const STEP = 1.25;
const LEAST = 0.2;
const MOST = 2.5;

function zoomable(frame, picture, tools) {
  const width = picture.viewBox.baseVal.width;
  const height = picture.viewBox.baseVal.height;
  let scale = 1;

  function show(wanted) {
    const previous = scale;
    scale = Math.min(MOST, Math.max(LEAST, wanted));
    const middleX = (frame.scrollLeft + frame.clientWidth / 2) / previous;
    const middleY = (frame.scrollTop + frame.clientHeight / 2) / previous;
    picture.setAttribute("width", Math.round(width * scale));
    picture.setAttribute("height", Math.round(height * scale));
    frame.scrollTo(middleX * scale - frame.clientWidth / 2, middleY * scale - frame.clientHeight / 2);
  }

  const wanted = {
    in: () => scale * STEP,
    out: () => scale / STEP,
    fit: () => Math.min(1, frame.clientWidth / width),
  };
  tools.hidden = false;
  tools.addEventListener("click", (event) => {
    const button = event.target.closest("[data-zoom]");
    if (button) show(wanted[button.dataset.zoom]());
  });
}

function detailed(picture, panel) {
  let asked = 0;

  async function open(link) {
    const number = ++asked;
    try {
      const answer = await fetch(`${link.href.baseVal}?part=details`, { credentials: "same-origin" });
      if (number !== asked) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const article = page.querySelector("article.concept");
      // A locked memory, a lost session, an error: the page itself says which.
      if (!answer.ok || answer.redirected || !article) throw new Error("no details");
      picture.querySelector("[aria-current]")?.removeAttribute("aria-current");
      link.setAttribute("aria-current", "true");
      panel.replaceChildren(document.importNode(article, true));
      panel.hidden = false;
      panel.querySelector("h2").focus();
    } catch {
      if (number === asked) location.assign(link.href.baseVal);
    }
  }

  picture.addEventListener("click", (event) => {
    const link = event.target.closest("a.plate");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    open(link);
  });
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    panel.hidden = true;
    picture.querySelector("[aria-current]")?.focus();
  });
}

/** Begin where something is known: the frame may show nothing but fog elsewhere. */
function lookAt(frame, link) {
  const there = link.querySelector("circle");
  frame.scrollTo(there.cx.baseVal.value - frame.clientWidth / 2, there.cy.baseVal.value - frame.clientHeight / 2);
}

const map = document.querySelector("[data-map]");
if (map) {
  const picture = map.querySelector("[data-map-picture]");
  const frame = map.querySelector("[data-map-frame]");
  lookAt(frame, picture.querySelector("a.plate"));
  zoomable(frame, picture, map.querySelector("[data-map-tools]"));
  detailed(picture, map.querySelector("[data-map-details]"));
}
