const tables = new WeakMap();

export default function (component) {
  const { parentElement, data } = component;
  if (tables.get(parentElement)?.name !== data.channel) {
    tables.get(parentElement)?.destroy();
    tables.set(parentElement, new DiffTable(parentElement, data.channel));
  }
  const table = tables.get(parentElement);
  table.send = component.setTriggerValue;
  table.root.querySelector(".diff").style.setProperty("--height", `${data.height}px`);
  table.draw();
  const run = ++table.runs;
  return () => {
    // Streamlit may call the cleanup of an earlier run after a later one has started.
    if (run !== table.runs) return;
    table.destroy();
    tables.delete(parentElement);
  };
}

class DiffTable {
  runs = 0;

  constructor(root, name) {
    this.root = root;
    this.name = name;
    this.channel = openChannel(name);
    this.head = root.querySelector("thead");
    this.body = root.querySelector("tbody");
    this.scroll = root.querySelector(".scroll");
    this.same = root.querySelector(".same");
    this.abort = new AbortController();
    const { signal } = this.abort;
    this.body.addEventListener("keydown", (event) => this.onKey(event), { signal });
    this.body.addEventListener("click", (event) => this.onClick(event), { signal });
    this.onParts = () => this.draw();
    this.channel.listeners.add(this.onParts);
  }

  destroy() {
    this.abort.abort();
    this.channel.listeners.delete(this.onParts);
  }

  draw() {
    const table = this.channel.parts.get("table");
    if (!table || table === this.drawn) return;
    this.drawn = table;
    this.root.querySelector(".name-a").textContent = table.names.a;
    this.root.querySelector(".name-b").textContent = table.names.b;
    this.head.replaceChildren(headRow(table.columns));
    this.body.replaceChildren(...table.lines.map((line) => bodyRow(line, table.columns)));
    this.body.firstElementChild?.setAttribute("tabindex", "0");
    const said = note(table);
    this.same.textContent = said;
    this.same.hidden = !said;
    this.scroll.scrollTop = 0;
  }

  onKey(event) {
    const row = event.target.closest("tr");
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = [...this.body.children];
    const at = rows.indexOf(row);
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (target !== undefined) focusRow(rows, Math.max(0, Math.min(target, rows.length - 1)));
    else if (event.key === "Enter") this.turn(row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  onClick(event) {
    if (event.target.closest(".numbers")) this.turn(event.target.closest("tr"));
  }

  turn(row) {
    const page = Number(row.dataset.page);
    if (page) this.send("turn", page);
  }
}

function focusRow(rows, at) {
  for (const row of rows) row.setAttribute("tabindex", "-1");
  rows[at].setAttribute("tabindex", "0");
  rows[at].focus();
}

function note({ lines, left_out, beyond }) {
  if (!lines.length) return "Every line is the same on both sides.";
  const said = [];
  if (left_out) said.push(`${left_out.toLocaleString("en")} ${left_out === 1 ? "line is" : "lines are"} the same and left out.`);
  if (beyond) said.push(`${beyond.toLocaleString("en")} more lines are in the exports.`);
  return said.join(" ");
}

function headRow(columns) {
  const row = document.createElement("tr");
  row.append(element("th", "numbers", "Row"), ...columns.map(headCell));
  for (const cell of row.children) cell.setAttribute("scope", "col");
  return row;
}

function headCell({ a, b, state, note }) {
  const cell = element("th", state, "");
  cell.append(...both(a, b, state));
  if (note) cell.append(element("span", "note", note));
  return cell;
}

function bodyRow(line, columns) {
  const row = element("tr", `${line.kind} ${line.relation}${line.differs ? " differs" : ""}`, "");
  row.tabIndex = -1;
  if (line.page) row.dataset.page = line.page;
  row.append(numbers(line));
  line.cells.forEach((cell, at) => {
    const name = columns[at] && (columns[at].a || columns[at].b);
    const data = element("td", cell.state, "");
    if (name) data.dataset.label = name;
    data.append(...both(cell.a, cell.b, cell.state));
    row.append(data);
  });
  return row;
}

function numbers(line) {
  const cell = element("th", "numbers", "");
  cell.setAttribute("scope", "row");
  if (line.page) cell.title = `Page ${line.page}`;
  cell.append(number("A", line.a, line.hit_a), number("B", line.b, line.hit_b));
  if (line.mark) cell.append(element("span", "mark", line.mark));
  return cell;
}

function number(letter, text, hit) {
  const part = element("span", `side ${letter.toLowerCase()}`, "");
  part.append(element("span", `tag ${letter.toLowerCase()}`, letter), element("span", "", text || "–"));
  if (hit) {
    const dot = element("span", "hit", "●");
    dot.setAttribute("role", "img");
    dot.setAttribute("aria-label", "brought back by the question");
    part.append(dot);
  }
  return part;
}

/** One line where both are the same, else that of A over that of B. */
function both(a, b, state) {
  if (state === "same") return [element("span", "text", a)];
  if (state === "spacing") {
    const text = element("span", "text spaced", a);
    text.title = `Differs in blanks only. B has: ${b}`;
    return [text];
  }
  const [piecesA, piecesB] = apart(a, b);
  return [
    ...(a ? [sideText("A", piecesA)] : []),
    ...(b ? [sideText("B", piecesB)] : []),
    ...(a && b ? [] : [element("span", "missing", a ? "B: blank" : "A: blank")]),
  ];
}

function sideText(letter, [start, middle, end]) {
  const line = element("span", `line ${letter.toLowerCase()}`, "");
  const text = element("span", "text", start);
  if (middle) text.append(element("em", "", middle));
  text.append(end);
  line.append(element("span", `tag ${letter.toLowerCase()}`, letter), text);
  return line;
}

/** Where two texts part: what they begin and end with alike is not marked. */
function apart(a, b) {
  const one = [...a];
  const other = [...b];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  const room = Math.min(one.length, other.length) - start;
  while (end < room && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const cut = (text) => [
    text.slice(0, start).join(""),
    text.slice(start, text.length - end).join(""),
    text.slice(text.length - end).join(""),
  ];
  return a && b ? [cut(one), cut(other)] : [[a, "", ""], [b, "", ""]];
}

function element(tag, name, text) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  node.textContent = text;
  return node;
}
