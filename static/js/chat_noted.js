/** The lines of what was noted, under replies: taken back without leaving the page. Without this they are plain forms. */

const token = document.querySelector("[data-composer] [name=csrfmiddlewaretoken]").value;

async function takeBack(form) {
  const body = new URLSearchParams({ csrfmiddlewaretoken: token });
  const reply = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
  if (!reply.ok || reply.redirected) throw new Error(String(reply.status));
}

/** @param {HTMLFormElement} form the one of a line */
export async function undoNoted(form) {
  const line = form.closest("[data-noted]");
  if (line.getAttribute("aria-busy") === "true") return;
  line.setAttribute("aria-busy", "true");
  const words = line.closest("[data-noted-list]").dataset;
  const word = line.querySelector("[data-noted-word]") ?? line.appendChild(document.createElement("span"));
  word.dataset.notedWord = "";
  word.setAttribute("role", "status");
  try {
    await takeBack(form);
    form.remove();
    line.classList.add("noted__line--undone");
    word.textContent = words.undone;
  } catch {
    word.textContent = words.failed;
  }
  line.removeAttribute("aria-busy");
}
