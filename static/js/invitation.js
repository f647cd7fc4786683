/** Sends the code that a link carries behind its #, which no server and no log ever sees, and takes it out of the address. */
const form = document.querySelector("[data-code-from-address]");
const code = decodeURIComponent(location.hash.slice(1)).slice(0, 80);

if (form && /^[\w-]+$/.test(code)) {
  history.replaceState(null, "", location.pathname);
  form.elements.namedItem("code").value = code;
  form.requestSubmit();
}
