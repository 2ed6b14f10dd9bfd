// Keys that work anywhere on the page, but never while somebody types or moves within a control.
const TYPING = "input, textarea, select, [contenteditable='true'], [role='slider'], [role='combobox']";
const MOVING = "[role='listbox'], [role='option'], [role='tab'], [role='grid'], [role='application'], canvas";

function questionBox() {
  return document.querySelector("input[aria-label='Question']");
}

export default function ({ data, setTriggerValue }) {
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    // Inside a component the document sees the component; what has the focus is first on the path.
    const target = event.composedPath()[0];
    const box = questionBox();
    if (event.key === "Escape" && box && target === box) {
      setTriggerValue("pressed", "clear");
      return;
    }
    if (target.closest?.(TYPING) || document.querySelector("[data-testid='stDialog']")) return;
    if (event.key === "/" && box) {
      event.preventDefault();
      box.focus();
      box.select();
      return;
    }
    const name = data.keys[event.key];
    if (!name || (event.key.startsWith("Arrow") && target.closest?.(MOVING))) return;
    event.preventDefault();
    setTriggerValue("pressed", name);
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
