export default function (component) {
  const { data, parentElement } = component;
  const card = parentElement.querySelector(".card");
  const signature = JSON.stringify(data);
  if (card.dataset.signature === signature) return;
  card.dataset.signature = signature;
  card.setAttribute("aria-label", `What side ${data.letter} found`);
  const numbers = element("div", "numbers");
  for (const [number, word] of data.numbers) {
    const pair = element("span", "number");
    pair.append(element("b", "", number), element("span", "word", word));
    numbers.append(pair);
  }
  const lints = element("div", "lints");
  for (const { severity, count, word } of data.lints) {
    lints.append(element("span", `lint ${severity}`, `${count} ${word}`));
  }
  if (!data.lints.length) lints.append(element("span", "lint none", "no notes"));
  card.replaceChildren(numbers, time(data, component), lints);
}

function time({ time, timed, timing }, { setTriggerValue }) {
  const part = element("span", "time");
  if (timed || timing) {
    if (!timing) part.title = time[2];
    part.append(element("b", "", timing ? "…" : time[0]), element("span", "word", timing ? "being timed" : time[1]));
    return part;
  }
  const button = element("button", "again", "Time this parser");
  button.type = "button";
  button.title = "The parse was kept from before. Parse the document once more to see how long it takes.";
  button.addEventListener("click", () => setTriggerValue("time", Date.now()));
  part.append(button);
  return part;
}

function element(tag, name, text = "") {
  const node = document.createElement(tag);
  node.className = name;
  node.textContent = text;
  return node;
}
