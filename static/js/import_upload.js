/** An export goes up in pieces, each tried again where the connection fails, so that its size and a bad line do not matter. */

const form = document.querySelector("[data-import]");
const bar = form.querySelector("[data-bar]");
const problem = form.querySelector("[data-problem]");
const button = form.querySelector("button");
const token = form.elements.csrfmiddlewaretoken.value;
const TRIES = 5;

async function post(url, body, tries = TRIES) {
  try {
    const answer = await fetch(url, { method: "POST", headers: { "X-CSRFToken": token, Accept: "application/json" }, body });
    if (answer.status === 400) throw Object.assign(new Error(), { told: (await answer.json()).message });
    if (!answer.ok || answer.redirected) throw new Error(answer.statusText);
    return answer;
  } catch (error) {
    if (error.told || tries === 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** (TRIES - tries)));
    return post(url, body, tries - 1);
  }
}

async function upload(files) {
  const announced = new FormData();
  for (const { name, size } of files) {
    announced.append("name", name);
    announced.append("size", size);
  }
  const { page, pieces, piece_bytes: most } = await (await post(form.dataset.beginUrl, announced, 1)).json();
  const total = files.reduce((sum, file) => sum + file.size, 0);
  let sent = 0;
  for (const [place, file] of files.entries()) {
    for (let start = 0; start < file.size; start += most) {
      const piece = file.slice(start, start + most, "application/octet-stream");
      await post(`${pieces}${place}/${start / most}/`, piece);
      sent += piece.size;
      bar.value = (100 * sent) / total;
    }
  }
  await post(`${page}finish/`, new FormData());
  location.assign(page);
}

function show(isUploading, words = "") {
  form.querySelector("[data-uploading]").hidden = !isUploading;
  button.disabled = isUploading;
  problem.hidden = !words;
  problem.textContent = words;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  show(true);
  upload([...form.elements.files.files]).catch((error) => show(false, error.told ?? form.dataset.failed));
});
