function make(tag, name, text) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
}

function tile({ name, value, other }) {
  const box = make("div", "tile");
  box.append(make("dt", "", name), make("dd", "value", value));
  if (other) box.append(make("dd", "other", other));
  return box;
}

function advice(card) {
  const box = make("div", "advice");
  if (!card) {
    box.append(
      make("p", "lead", "No recommendation yet"),
      make("p", "", "Say what some of the questions should bring back: rows, a whole table, or nothing."),
    );
    return box;
  }
  const lead = make("p", "lead");
  lead.append(make("span", "label", "Recommended"), make("strong", "", card.value));
  box.append(lead, make("p", "", card.reason), make("p", "quiet", card.plateau), make("p", "quiet", card.sure));
  return box;
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".verdict");
  const tiles = make("dl", "tiles");
  tiles.append(...data.tiles.map(tile));
  const now = make("div", "now");
  const head = make("p", "head");
  head.append(make("span", "label", "Widen from"), make("strong", "", data.threshold));
  now.append(head, tiles);
  root.replaceChildren(now, advice(data.recommendation));
}
