const SVG = "http://www.w3.org/2000/svg";
/** Points around the tables of the pair, room for chips and numbers; and how far they are enlarged. */
const MARGIN = 34;
const MAX_ZOOM = 2.4;
/** Points between a table and its name: clear of the frames of both sides. */
const CHIP_GAP = 6;
const views = new WeakMap();

export default function (component) {
  const { parentElement, data } = component;
  if (views.get(parentElement)?.name !== data.channel) {
    views.get(parentElement)?.destroy();
    views.set(parentElement, new BothPage(parentElement, data.channel));
  }
  const view = views.get(parentElement);
  view.send = component.setTriggerValue;
  view.find(".view").style.setProperty("--height", `${data.height}px`);
  view.draw();
  const run = ++view.runs;
  return () => {
    // Streamlit may call the cleanup of an earlier run after a later one has started.
    if (run !== view.runs) return;
    view.destroy();
    views.delete(parentElement);
  };
}

class BothPage {
  runs = 0;
  whole = false;

  constructor(root, name) {
    this.root = root;
    this.name = name;
    this.channel = openChannel(name);
    this.abort = new AbortController();
    const { signal } = this.abort;
    const view = this.find(".view");
    view.addEventListener("click", (event) => this.onClick(event), { signal });
    view.addEventListener("keydown", (event) => this.onKey(event), { signal });
    this.onParts = () => this.draw();
    this.channel.listeners.add(this.onParts);
    this.resizing = new ResizeObserver(() => this.layOut());
    this.resizing.observe(this.find(".scroll"));
  }

  destroy() {
    this.abort.abort();
    this.resizing.disconnect();
    this.channel.listeners.delete(this.onParts);
    if (this.url) URL.revokeObjectURL(this.url);
  }

  find(selector) {
    return this.root.querySelector(selector);
  }

  draw() {
    const overlay = this.channel.parts.get("overlay");
    const image = this.channel.parts.get("image");
    // Boxes never stand on another page's picture.
    if (!overlay || image?.id !== overlay.image_id) return;
    this.showImage(image);
    if (overlay === this.overlay) return;
    const turned = this.overlay?.page.num !== overlay.page.num;
    this.overlay = overlay;
    this.drawBar(overlay);
    this.drawBoxes(overlay);
    this.layOut();
    this.reveal(turned);
  }

  showImage({ id, blob }) {
    if (this.imageId === id) return;
    this.imageId = id;
    if (this.url) URL.revokeObjectURL(this.url);
    this.url = URL.createObjectURL(blob);
    this.find("img").src = this.url;
  }

  drawBar({ page, message, sides }) {
    const { num, count } = page;
    this.find(".where").textContent = `Page ${num} of ${count}`;
    this.find("[data-step='-1']").setAttribute("aria-disabled", String(num <= 1));
    this.find("[data-step='1']").setAttribute("aria-disabled", String(num >= count));
    this.find("img").alt = `Page ${num}`;
    this.find(".scroll").setAttribute("aria-label", `Page ${num} with both sides`);
    const notice = this.find(".notice");
    notice.textContent = message;
    notice.hidden = !message;
    this.find(".name-a").textContent = sides[0].name;
    this.find(".name-b").textContent = sides[1].name;
    this.find(".overlay").setAttribute("aria-label", inWords(sides));
  }

  drawBoxes({ page, sides }) {
    const svg = this.find(".overlay");
    svg.setAttribute("viewBox", `0 0 ${page.width} ${page.height}`);
    this.find(".sheet").style.aspectRatio = `${page.width} / ${page.height}`;
    const groups = sides.map((side) => sideGroup(side, page));
    svg.replaceChildren(...groups);
  }

  layOut() {
    if (!this.overlay) return;
    const { width } = this.overlay.page;
    const sheet = this.find(".sheet");
    sheet.style.width = `${100 * this.zoom()}%`;
    svgUnit(this.find(".overlay"), width / Math.max(1, sheet.clientWidth));
  }

  /** The tables of the pair that is shown fill the width, unless the whole page is asked for. */
  zoom() {
    const boxes = this.litBoxes();
    if (!boxes.length || this.whole) return 1;
    const { width } = this.overlay.page;
    const wide = Math.max(...boxes.map((box) => box[2])) - Math.min(...boxes.map((box) => box[0]));
    return Math.min(MAX_ZOOM, Math.max(1, width / (wide + 2 * MARGIN)));
  }

  litBoxes() {
    return this.overlay.sides.flatMap(({ tables }) => tables.filter((t) => t.lit).map((t) => t.box));
  }

  reveal(turned) {
    const boxes = this.litBoxes();
    const pair = JSON.stringify(boxes);
    if (!turned && pair === this.pair) return;
    this.pair = pair;
    this.scrollToPair(boxes);
  }

  scrollToPair(boxes) {
    const scroll = this.find(".scroll");
    const scale = this.find(".sheet").clientWidth / this.overlay.page.width;
    const least = (at) => Math.min(...boxes.map((box) => box[at]));
    scroll.scrollTo({
      left: boxes.length ? (least(0) - MARGIN) * scale : 0,
      top: boxes.length ? (least(1) - MARGIN) * scale : 0,
      behavior: "instant",
    });
  }

  onClick(event) {
    const step = event.target.closest("[data-step]")?.dataset.step;
    const whole = event.target.closest(".whole");
    if (step) this.turn(Number(step));
    if (whole && this.overlay) {
      this.whole = !this.whole;
      whole.setAttribute("aria-pressed", String(this.whole));
      this.layOut();
      this.scrollToPair(this.whole ? [] : this.litBoxes());
    }
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    this.turn(step);
  }

  turn(step) {
    const { num, count } = this.overlay?.page ?? {};
    const target = num + step;
    if (target >= 1 && target <= count) this.send("turn", target);
  }
}

function inWords(sides) {
  return sides
    .map(({ letter, name, tables, rows }) => {
      const differ = rows.filter((row) => row.differs).length;
      return `${letter}, ${name}: ${tables.length} tables, ${rows.length} rows, ${differ} differ`;
    })
    .join("; ");
}

function svgUnit(svg, unit) {
  svg.style.setProperty("--unit", String(unit));
}

function sideGroup({ letter, tables, rows }, page) {
  const side = letter.toLowerCase();
  const group = shape("g", { class: `side ${side}` });
  const gap = side === "a" ? 2 : 5;
  group.append(
    // Rows that both have alike are drawn once, or every row would have four lines.
    ...rows.filter((row) => side === "a" || row.differs || row.matched).map((row) => rowShape(row, side)),
    ...tables.map((table) => tableShape(table, letter, gap, page)),
    ...rows.filter((row) => row.differs || row.matched).map((row) => mark(row, letter, page)),
  );
  return group;
}

function tableShape({ id, box, alone, lit }, letter, gap, page) {
  const group = shape("g", { class: ["table", alone && "alone", lit && "lit"].filter(Boolean).join(" ") });
  const [x0, y0, x1] = box;
  group.append(rect("outline", grown(box, gap)));
  const text = alone ? `${letter} ${id} only` : `${letter} ${id}`;
  const right = letter === "B";
  const x = right ? Math.min(x1 + gap, page.width - 2) : Math.max(x0 - gap, 2);
  group.append(chip(text, x, Math.max(y0 - CHIP_GAP, 15), right));
  return group;
}

function rowShape(row, side) {
  const names = ["row", row.differs && "differs", row.matched && "matched"].filter(Boolean).join(" ");
  const group = shape("g", { class: names });
  const title = shape("title");
  title.textContent = `${side.toUpperCase()} row ${row.number} of ${row.table}: ${row.text}`;
  group.append(rect("box", row.box), title);
  return group;
}

/** Numbers of A stand left of the row, those of B right of it. */
function mark({ number, box, matched }, letter, page) {
  const [x0, y0, x1, y1] = box;
  const right = letter === "B";
  const x = right ? Math.min(x1 + 7, page.width - 16) : Math.max(x0 - 5, 18);
  const group = fixed(`number${matched ? " matched" : ""}`, x, (y0 + y1) / 2);
  // Rows closer than a number is high get smaller numbers, not numbers on top of each other.
  group.style.setProperty("--room", String(Math.max(1, y1 - y0)));
  const width = 8 + String(number).length * 6;
  const label = shape("text", { x: right ? width / 2 : -width / 2, y: 0 });
  label.textContent = number;
  group.append(shape("rect", { x: right ? 0 : -width, y: -6.5, width, height: 13, rx: 3 }), label);
  return group;
}

function chip(text, x, y, right) {
  const width = 12 + text.length * 6.1;
  const left = right ? -width : 0;
  const group = fixed("chip", x, y);
  const label = shape("text", { x: left + width / 2, y: -7.5 });
  label.textContent = text;
  group.append(shape("rect", { x: left, y: -15, width, height: 15, rx: 3 }), label);
  return group;
}

function fixed(name, x, y) {
  const group = shape("g", { class: `fixed ${name}` });
  group.style.setProperty("--x", `${x}px`);
  group.style.setProperty("--y", `${y}px`);
  return group;
}

function rect(name, [x0, y0, x1, y1]) {
  return shape("rect", { class: name, x: x0, y: y0, width: Math.max(0, x1 - x0), height: Math.max(0, y1 - y0) });
}

function grown([x0, y0, x1, y1], by) {
  return [x0 - by, y0 - by, x1 + by, y1 + by];
}

function shape(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
