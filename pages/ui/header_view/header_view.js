/** What the kinds of cells mean, said on hover and in the key below the columns. */
const KINDS = {
  carried: "blank as printed, carried from the left",
  shared: "printed again, shared with the left",
  repeated: "says what stands above, joined once",
  ignored: "not read as a label",
  changed: "read as another text",
  blank: "blank",
};
const IN_KEY = ["carried", "shared", "repeated", "ignored", "blank"];

export default function ({ data, parentElement }) {
  const section = parentElement.querySelector(".headers");
  const signature = JSON.stringify(data);
  if (section.dataset.signature === signature) return;
  section.dataset.signature = signature;
  const parts = [];
  if (data.verdict) parts.push(verdict(data.verdict));
  if (data.effect) parts.push(effect(data.effect));
  if (data.fold) parts.push(...fold(data.fold));
  section.replaceChildren(...parts);
}

// Verdict ----------------------------------------------------------------------------------------

function verdict({ table, caption, rule, depth, evidence, title, by_hand }) {
  const name = element("p", "name", element("b", "", table));
  if (caption) name.append(" ", element("span", "caption", caption));
  name.title = caption;
  const found = [element("b", "", rule)];
  if (depth) found.push(element("span", "depth", depth));
  const why = element("ul", "evidence", ...evidence.map((text) => element("li", "", text)));
  const parts = [name];
  if (by_hand) {
    parts.push(element("p", "rule", element("b", "by-hand", by_hand)));
    parts.push(element("p", "quiet", "Automatic: ", ...found));
  } else parts.push(element("p", "rule", ...found));
  parts.push(why);
  if (title) parts.push(element("p", "quiet", `Read as a title over all columns: ${title}`));
  return element("div", "verdict", ...parts);
}

// Effect -----------------------------------------------------------------------------------------

function effect(pairs) {
  const list = element("dl", "effect");
  for (const { name, before, after } of pairs) {
    const same = before === after;
    const value = element("dd", same ? "same" : "");
    if (same) value.append(after);
    else value.append(element("del", "", before), arrow(), element("ins", "", after));
    list.append(element("div", "pair", element("dt", "", name), value));
  }
  list.setAttribute("aria-label", "What the header set by hand changes");
  return list;
}

// Columns ----------------------------------------------------------------------------------------

function fold({ lines, columns, more, rows }) {
  const head = element("tr", "");
  const names = [["#", ""], ...lines.map(({ name, place }) => [name, place]), ["Label", ""]];
  if (rows) names.push(["First row", ""]);
  for (const [name, place] of names) {
    const cell = element("th", "", name);
    cell.scope = "col";
    if (place) cell.append(element("span", "place", place));
    head.append(cell);
  }
  const body = element("tbody", "", ...columns.map((column) => columnRow(column, rows)));
  const table = element("table", "", element("thead", "", head), body);
  const frame = element("div", "frame", table);
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", "From header lines to labels, column by column");
  const parts = [frame];
  if (more) parts.push(element("p", "quiet", `${more} more columns are not shown.`));
  const used = IN_KEY.filter((kind) =>
    columns.some(({ cells }) => cells.some((cell) => cell.kind === kind)),
  );
  if (used.length) parts.push(element("ul", "key", ...used.map(keyEntry)));
  return parts;
}

function columnRow({ number, cells, label, same_as, was, value }, rows) {
  const row = element("tr", "");
  const name = element("th", "number", number);
  name.scope = "row";
  row.append(name, ...cells.map(lineCell), labelCell(label, same_as, was));
  if (rows) row.append(element("td", "value", value));
  return row;
}

function lineCell({ raw, filled, kind }) {
  const cell = element("td", `line ${kind}`);
  if (KINDS[kind]) cell.title = KINDS[kind];
  if (kind === "carried") cell.append(element("span", "mark", filled));
  else if (kind === "changed") cell.append(element("del", "", raw), arrow(), filled);
  else if (kind === "blank") cell.append(mark("·"));
  else if (kind === "ignored") cell.append(element("del", "", raw));
  else cell.append(kind === "shared" ? element("span", "mark", raw) : raw);
  if (kind !== "printed" && kind !== "changed") cell.append(said(`, ${KINDS[kind]}`));
  return cell;
}

function labelCell(label, sameAs, was) {
  const cell = element("td", "label");
  cell.append(label ? element("b", "", label) : element("i", "none", "no label"));
  if (sameAs) cell.append(element("span", "twin", `same as column ${sameAs}`));
  if (was !== undefined) {
    cell.append(element("span", "was", element("span", "", "was "), element("del", "", was || "no label")));
  }
  return cell;
}

function keyEntry(kind) {
  const sample = element("i", `line ${kind}`);
  if (kind === "blank") sample.append("·");
  else if (kind === "ignored") sample.append(element("del", "", "a"));
  else sample.append(kind === "repeated" ? "a" : element("span", "mark", "a"));
  sample.setAttribute("aria-hidden", "true");
  return element("li", "", sample, KINDS[kind]);
}

// Elements ---------------------------------------------------------------------------------------

/** Children are elements or text; text is never markup. */
function element(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return node;
}

function mark(text) {
  const node = element("span", "dot", text);
  node.setAttribute("aria-hidden", "true");
  return node;
}

function arrow() {
  const node = element("span", "arrow", "→");
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", "now");
  return node;
}

/** For those who hear the page. */
function said(text) {
  return element("span", "said", text);
}
