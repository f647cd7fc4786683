/** The keys and buttons that open the palette and the sheet of shortcuts; what is in the palette comes when it is first opened. */

const palette = document.querySelector("[data-palette]");
const sheet = document.querySelector("[data-shortcuts]");

async function open() {
  if (document.querySelector("dialog[open]")) return;
  const { openPalette } = await import("./palette_dialog.js");
  if (!document.querySelector("dialog[open]")) openPalette();
}

// Beside the dialog itself is its backdrop.
[palette, sheet].forEach((dialog) => dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()));

document.querySelectorAll("[data-palette-open]").forEach((button) => {
  button.hidden = false;
  button.addEventListener("click", open);
});
document.querySelector("[data-shortcuts-open]").addEventListener("click", () => sheet.showModal());

const isTyping = (place) => place.matches?.("input, textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
    event.preventDefault();
    if (palette.open) palette.close();
    else open();
  } else if (event.key === "?" && !isTyping(event.target) && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    sheet.showModal();
  }
});
