const SVG = "http://www.w3.org/2000/svg";
/** Shapes differ as well as colours: a cross in an octagon, a triangle, a circle. */
const ICONS = {
  error: "M5.5 1.5h5l4 4v5l-4 4h-5l-4-4v-5zM5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4",
  warning: "M8 1.8 15 14H1zM8 6.2v3.6M8 11.6v.6",
  info: "M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13zM8 7.2v4M8 4.6v.6",
};

export default function ({ data, parentElement, setTriggerValue }) {
  const section = parentElement.querySelector(".notes");
  const { selected, ...content } = data;
  const signature = JSON.stringify(content);
  if (section.dataset.signature !== signature) {
    section.dataset.signature = signature;
    draw(section, content);
  }
  const buttons = [...section.querySelectorAll("button")];
  for (const button of buttons) {
    const open = button.dataset.id === selected;
    button.setAttribute("aria-pressed", String(open));
    button.onclick = () => setTriggerValue("open", open ? "" : button.dataset.id);
  }
}

function draw(section, { notes, summary, reading, name_tables }) {
  const parts = [];
  if (summary) parts.push(element("p", "summary", summary));
  if (notes.length) {
    parts.push(element("ol", "list", ...notes.map((note) => noteItem(note, name_tables))));
  }
  if (reading.length) {
    parts.push(element("h4", "", "How it was read"));
    parts.push(element("ul", "reading", ...reading.map((note) => readingItem(note, name_tables))));
  }
  section.replaceChildren(...parts);
}

function noteItem({ id, severity, word, table, place, cite, message, why, remedy }, nameTable) {
  const where = [nameTable && table, place].filter(Boolean).join(" · ");
  const button = element(
    "button",
    severity,
    icon(severity),
    element(
      "span",
      "text",
      element(
        "span",
        "head",
        element("span", "word", word),
        element("span", "where", where),
        element("span", "cite", cite),
      ),
      element("span", "message", message),
      element("span", "why", why),
      element("span", "remedy", remedy),
    ),
  );
  button.type = "button";
  button.dataset.id = id;
  button.title = "Show it on the page";
  return element("li", "", button);
}

function readingItem({ table, text }, nameTable) {
  return element("li", "", ...(nameTable ? [element("b", "", `${table} `)] : []), text);
}

function icon(severity) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[severity] ?? ICONS.info);
  svg.append(path);
  return svg;
}

/** Children are elements or text; text is never markup. */
function element(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return node;
}
