/** What goes with a message is uploaded when it is attached, so that sending it is sending a line. */

const root = document.querySelector("[data-chat]");
const form = root.querySelector("[data-composer]");
const list = form.querySelector("[data-attached-list]");
const alert = root.querySelector("[data-alert]");
const box = form.querySelector("[data-box]");
const words = root.dataset;

function post(url, body = new FormData()) {
  const headers = { "X-CSRFToken": form.elements.csrfmiddlewaretoken.value, Accept: "application/json" };
  return fetch(url, { method: "POST", headers, body });
}

/** The place of a file while it comes in. */
function waitingFor({ name }) {
  const place = document.createElement("li");
  place.className = "attached";
  place.dataset.attached = "";
  place.setAttribute("aria-busy", "true");
  place.textContent = name;
  list.append(place);
  return place;
}

const told = (reason) => Object.assign(new Error(), { told: reason });

async function upload(file) {
  if (file.size > Number(words.attachmentbytes)) throw told(words.attachtoolarge);
  const body = new FormData();
  body.append("file", file);
  const answer = await post(root.querySelector("[data-attach]").dataset.attachUrl, body);
  if (answer.status === 400) throw told((await answer.json()).message);
  if (answer.status === 413) throw told(words.attachtoolarge);
  if (answer.status !== 201) throw new Error(String(answer.status));
  return new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("li");
}

/** Anywhere on the page a file may be let go; elsewhere the browser would leave the page for it. */
const holdsFiles = ({ dataTransfer }) => Boolean(dataTransfer?.types.includes("Files"));
const showTarget = (isOver) => root.toggleAttribute("data-dropping", isOver);
document.addEventListener("dragover", (event) => {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  showTarget(true);
});
document.addEventListener("dragleave", ({ relatedTarget }) => relatedTarget ?? showTarget(false));
document.addEventListener("drop", (event) => {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  showTarget(false);
  attach([...event.dataTransfer.files]);
});

list.addEventListener("click", (event) => {
  const remove = event.target.closest("[data-detach]");
  if (!remove) return;
  event.preventDefault();
  detach(remove);
});
list.querySelectorAll("[data-detach]").forEach((remove) => (remove.hidden = false));

/** Attach files one after another; each that cannot be is named with the reason, the others go on. */
export async function attach(files) {
  if (!files.length) return;
  alert.textContent = "";
  box.focus();
  const places = files.map((file) => [file, waitingFor(file)]);
  for (const [file, place] of places) {
    try {
      place.replaceWith(document.importNode(await upload(file), true));
    } catch (error) {
      place.remove();
      alert.textContent = `${alert.textContent} ${file.name}: ${error.told ?? words.attachfailed}`.trim();
    }
  }
}

/** Take something out again; what belongs to the version before stays with that. */
function detach(button) {
  post(button.formAction).catch(() => {}); // what stays behind goes by itself
  button.closest("[data-attached]").remove();
  box.focus();
}
