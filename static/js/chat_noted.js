/** The lines of what was noted, under replies: taken back without leaving the page. Without this they are plain forms. */

const articles = document.querySelector("[data-articles]");
const token = document.querySelector("[data-composer] [name=csrfmiddlewaretoken]").value;

async function takeBack(form) {
  const body = new URLSearchParams({ csrfmiddlewaretoken: token });
  const reply = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
  if (!reply.ok || reply.redirected) throw new Error(String(reply.status));
}

articles.addEventListener("submit", async (event) => {
  const line = event.target.closest("[data-noted]");
  if (!line) return;
  event.preventDefault();
  if (line.getAttribute("aria-busy") === "true") return;
  line.setAttribute("aria-busy", "true");
  const words = line.closest("[data-noted-list]").dataset;
  const word = line.querySelector("[data-noted-word]") ?? line.appendChild(document.createElement("span"));
  word.dataset.notedWord = "";
  word.setAttribute("role", "status");
  try {
    await takeBack(event.target);
    event.target.remove();
    line.classList.add("noted__line--undone");
    word.textContent = words.undone;
  } catch {
    word.textContent = words.failed;
  }
  line.removeAttribute("aria-busy");
});
