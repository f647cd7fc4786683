/**
 * A button that is held: by a finger or a mouse, by the space bar or Enter, or pressed once by what reads the screen.
 *
 * @param {HTMLElement} button
 * @param {{onPress: () => void, onRelease: () => void}} told
 */
export function watchHolding(button, { onPress, onRelease }) {
  const isHoldKey = (event) => event.key === " " || event.key === "Enter";
  let key = null;
  let byPointer = false;

  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    byPointer = true;
    button.setPointerCapture(event.pointerId);
    onPress();
  });
  button.addEventListener("pointerup", () => byPointer && onRelease());
  button.addEventListener("pointercancel", () => {
    if (byPointer) onRelease();
    byPointer = false; // no click follows
  });

  button.addEventListener("keydown", (event) => {
    if (!isHoldKey(event)) return;
    event.preventDefault();
    if (event.repeat || key !== null) return;
    key = event.key;
    onPress();
  });
  button.addEventListener("keyup", (event) => {
    if (isHoldKey(event)) event.preventDefault();
    if (event.key === key) letKeyGo();
  });
  button.addEventListener("blur", () => key !== null && letKeyGo());

  function letKeyGo() {
    key = null;
    onRelease();
  }

  // What is left are clicks that nobody held anything for; the one that follows a pointer has had its say.
  button.addEventListener("click", () => {
    if (!byPointer) onPress(), onRelease();
    byPointer = false;
  });
  button.addEventListener("contextmenu", (event) => event.preventDefault()); // a long touch asks for one
}
