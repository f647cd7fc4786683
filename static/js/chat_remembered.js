/** What was remembered of a message: put right, forgotten and had back in its place. Without this it is a plain form. */

const token = document.querySelector("[data-composer] [name=csrfmiddlewaretoken]").value;

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement|null} submitter the button that was pressed
 */
export async function changeRemembered(form, submitter) {
  const kept = form.closest("[data-remembered]");
  const body = new FormData(form, submitter);
  body.set("csrfmiddlewaretoken", token);
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    const page = new DOMParser().parseFromString((await answer.json()).html, "text/html");
    const now = document.importNode(page.querySelector("[data-remembered]"), true);
    kept.replaceWith(now);
    now.focus();
  } catch {
    kept.querySelector("[data-remembered-word]").textContent = form.dataset.failed;
  }
}
