/* Light, dark or as the system has it. A plain script in the head, so that the page never flashes in the wrong one. */
(() => {
  const KEY = "theme";
  const CHOICES = ["system", "light", "dark"];
  const root = document.documentElement;

  function read() {
    try {
      const kept = localStorage.getItem(KEY);
      return CHOICES.includes(kept) ? kept : "system";
    } catch {
      return "system"; // storage may be forbidden; the system's choice then holds
    }
  }

  function apply(choice) {
    if (choice === "system") delete root.dataset.theme;
    else root.dataset.theme = choice;
  }

  function keep(choice) {
    try {
      localStorage.setItem(KEY, choice);
    } catch {
      /* the choice then lasts as long as the page */
    }
  }

  function showOn(button, choice) {
    button.dataset.choice = choice;
    button.querySelector("[data-theme-label]").textContent = button.dataset[choice];
  }

  let choice = read();
  apply(choice);

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-button]");
    if (!button) return;
    showOn(button, choice);
    button.hidden = false;
    button.addEventListener("click", () => {
      choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
      apply(choice);
      keep(choice);
      showOn(button, choice);
    });
  });
})();
