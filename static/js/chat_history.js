/** A long conversation, of which only a part is on the page: what lies before and after it comes as one scrolls there. */

const AHEAD = "600px 0px";

/** @param {{log: HTMLElement, articles: HTMLElement}} places what is scrolled, and what holds the messages */
export function followHistory({ log, articles }) {
  const watch = new IntersectionObserver(
    (seen) => seen.filter((one) => one.isIntersecting).forEach(({ target }) => load(target)),
    { root: log, rootMargin: AHEAD },
  );

  async function load(link) {
    watch.unobserve(link);
    const url = new URL(link.href);
    url.searchParams.set("part", "1");
    try {
      const answer = await fetch(url);
      if (!answer.ok || answer.redirected) return;
      put(link, new DOMParser().parseFromString(await answer.text(), "text/html").body);
    } catch {
      /* the link is still there to be followed */
    }
  }

  /** Put a part in its link's place; what one is reading stays where it is, and is not read out again. */
  function put(link, part) {
    const first = articles.querySelector("article");
    part.querySelectorAll(`[data-more]:not([data-more="${link.dataset.more}"])`).forEach((back) => back.remove());
    part.querySelectorAll("article").forEach((article) => document.getElementById(article.id) && article.remove());
    const before = first.getBoundingClientRect().top;
    log.setAttribute("aria-live", "off");
    log.style.overflowAnchor = "none"; // the browser would not keep the place at the very top
    link.replaceWith(...document.importNode(part, true).childNodes);
    joinDays();
    log.scrollTop += first.getBoundingClientRect().top - before;
    setTimeout(() => {
      log.removeAttribute("aria-live");
      log.style.overflowAnchor = "";
    }, 100);
    begin();
  }

  /** A day that goes on over two parts is named once. */
  function joinDays() {
    let last = "";
    for (const day of articles.querySelectorAll(".day")) {
      const { dateTime } = day.querySelector("time");
      if (dateTime === last) day.remove();
      last = dateTime;
    }
  }

  function begin() {
    articles.querySelectorAll("[data-more]").forEach((link) => watch.observe(link));
  }

  begin();
}
