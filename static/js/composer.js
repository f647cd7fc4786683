/* Enter and Send from the moment the box is there: a plain script beside it, since the page's modules come later.
 * What is sent before they have come waits for them; should they never come, the form goes the way forms always went. */
(() => {
  const form = document.querySelector("[data-composer]");

  form.querySelector("[data-box]").addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });

  form.addEventListener("submit", (event) => {
    if (form.dataset.live || document.readyState === "complete" || event.submitter?.matches("[data-detach]")) return;
    event.preventDefault();
    form.dataset.early = "true";
  });
})();
