const SVG = "http://www.w3.org/2000/svg";
const PIXELS_PER_POINT = 96 / 72;
const ZOOM_STEPS = [0.25, 0.33, 0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4];
const FIT = "fit";
const CHIP_HEIGHT = 15;
/** Points left of a table that its row numbers need; without them they move into the rows. */
const MARGIN_FOR_NUMBERS = 24;
/** Pixels for a row number and the caret before it. */
const NUMBER_ROOM = 40;
/** A choice is shown at once; if Python does not confirm it within this time, it is taken back. */
const PENDING_MS = 4000;
/** Points around the ink of a matched cell. */
const CELL_PADDING = 2;
const PREVIEW_DELAY_MS = 90;
/** Pixels between a preview card and what it is about, and how far from its row it may be. */
const CARD_GAP = 8;
const CARD_REACH = 180;

/** By channel, so that it outlives a visit to another page of the app. */
const zooms = new Map();
const views = new WeakMap();

export default function (component) {
  const { parentElement, data } = component;
  if (views.get(parentElement)?.channelName !== data.channel) {
    views.get(parentElement)?.destroy();
    views.set(parentElement, new PageView(parentElement, data.channel));
  }
  const view = views.get(parentElement);
  view.send = component.setTriggerValue;
  view.setHeight(data.height);
  view.draw();
  const run = ++view.runs;
  return () => {
    // Streamlit may call the cleanup of an earlier run after a later one has started.
    if (run !== view.runs) return;
    view.destroy();
    views.delete(parentElement);
  };
}

class PageView {
  runs = 0;
  signatures = new Map();
  shown = null;
  loading = null;
  pending = null;
  askedPage = null;

  constructor(root, channelName) {
    this.root = root;
    this.channelName = channelName;
    this.channel = openChannel(channelName);
    this.abort = new AbortController();
    this.el = findElements(root);
    this.listen();
    this.onParts = () => this.draw();
    this.channel.listeners.add(this.onParts);
    this.resizing = new ResizeObserver(() => this.layOut());
    this.resizing.observe(this.el.scroll);
  }

  destroy() {
    this.abort.abort();
    this.resizing.disconnect();
    this.channel.listeners.delete(this.onParts);
    clearTimeout(this.previewTimer);
    clearTimeout(this.pendingTimer);
    if (this.shown?.url) URL.revokeObjectURL(this.shown.url);
  }

  setHeight(height) {
    this.el.view.style.setProperty("--height", `${height}px`);
  }

  // Drawing ----------------------------------------------------------------------------------

  draw() {
    const overlay = this.channel.parts.get("overlay");
    if (!overlay) return;
    if (overlay.page.num === this.askedPage) this.askedPage = null;
    this.overlay = overlay;
    const focused = this.root.activeElement;
    this.drawBar(overlay);
    this.drawStrip(overlay);
    const image = this.channel.parts.get("image");
    // Boxes never stand on another page's picture: the old page stays until the new one is here.
    if (image?.id === overlay.image_id) this.showImage(image);
    const ready = this.shown?.id === overlay.image_id;
    if (ready) this.drawOverlay(overlay);
    this.setBusy(!ready || this.askedPage !== null);
    // Keys must go on working when what had the focus is gone, as after turning the page.
    if (focused && !this.root.activeElement) this.el.scroll.focus({ preventScroll: true });
  }

  setBusy(busy) {
    this.el.view.setAttribute("aria-busy", String(busy));
  }

  async showImage({ id, blob }) {
    if (this.shown?.id === id || this.loading === id) return;
    this.loading = id;
    const url = blob.size ? URL.createObjectURL(blob) : "";
    if (url) await decoded(url);
    if (this.loading !== id || this.abort.signal.aborted) return URL.revokeObjectURL(url);
    this.loading = null;
    if (this.shown?.url) URL.revokeObjectURL(this.shown.url);
    this.shown = { id, url };
    this.el.img.hidden = !url;
    if (url) this.el.img.src = url;
    this.draw();
  }

  drawBar({ page, message }) {
    const { where, previous, next, notice, img, scroll, rows } = this.el;
    setText(where, `Page ${page.num} of ${page.count}`);
    // Not `disabled`, which would take the focus from the button that reached the last page.
    previous.setAttribute("aria-disabled", String(page.num <= 1));
    next.setAttribute("aria-disabled", String(page.num >= page.count));
    setText(notice, message);
    notice.hidden = !message;
    img.alt = `Page ${page.num}`;
    scroll.setAttribute("aria-label", `Page ${page.num}`);
    rows.setAttribute("aria-label", `Rows on page ${page.num}`);
  }

  drawStrip({ page, pages }) {
    const { strip } = this.el;
    if (this.changed("strip", pages)) {
      strip.hidden = pages.length < 2;
      strip.firstElementChild.replaceChildren(...pages.map(pageChip));
      this.signatures.delete("current");
    }
    const behavior = this.signatures.has("current") ? this.scrollBehavior() : "instant";
    if (!this.changed("current", page.num)) return;
    for (const chip of strip.querySelectorAll("button")) {
      const current = Number(chip.dataset.page) === page.num;
      if (current) chip.setAttribute("aria-current", "page");
      else chip.removeAttribute("aria-current");
      if (current) scrollWithin(strip, chip, behavior, strip.clientWidth / 4);
    }
  }

  drawOverlay(overlay) {
    const { page, tables, rows } = overlay;
    if (this.changed("page", page)) {
      this.el.svg.setAttribute("viewBox", `0 0 ${page.width} ${page.height}`);
      this.el.sheet.style.aspectRatio = `${page.width} / ${page.height}`;
      this.layOut();
      this.el.scroll.scrollTop = 0;
      this.hidePreview();
    }
    if (this.changed("boxes", [page, tables, rows, overlay.any_match])) this.drawBoxes(overlay);
    this.drawSelected();
    this.reveal(overlay);
    this.drawFocus(overlay);
  }

  drawBoxes({ page, tables, rows, any_match }) {
    const { svg } = this.el;
    const focused = this.root.activeElement?.closest?.(".row")?.dataset.id;
    const state = new Map(tables.map((table) => [table.id, table.state]));
    const margin = leftMargins(tables, rows);
    svg.classList.toggle("answered", any_match);
    // A page the answer does not touch stays readable.
    const answers = rows.some((row) => row.matched) || [...state.values()].includes("widened");
    svg.classList.toggle("veiled", answers);
    this.el.tables.replaceChildren(...tables.map((table) => tableShape(table, margin.get(table.id))));
    this.el.rows.replaceChildren(
      ...rows.map((row) => rowShape(row, state.get(row.table), margin.get(row.table))),
    );
    this.el.holes.replaceChildren(...holes(page, tables, rows));
    this.signatures.delete("selected");
    if (focused) this.rowShape(focused)?.focus({ preventScroll: true });
  }

  drawSelected() {
    const selected = this.selected();
    if (!this.changed("selected", selected)) return;
    const shapes = this.rowShapes();
    for (const shape of shapes) {
      shape.setAttribute("aria-selected", String(shape.dataset.id === selected));
    }
    const chosen = this.rowShape(selected);
    // Drawn last, so that no neighbour covers its ring.
    this.el.top.replaceChildren(...(chosen ? [ringAround(chosen)] : []));
    this.setTabStop(chosen ?? shapes.find((shape) => shape.matches(".matched")) ?? shapes[0]);
  }

  /** The place a note is about, with its name. */
  drawFocus({ page }) {
    const chosen = this.channel.parts.get("selected");
    const focus = chosen?.page === page.num ? chosen.focus : null;
    if (!this.changed("focus", [page.num, focus])) return;
    this.el.focus.replaceChildren(...(focus ? [focusShape(focus, page)] : []));
    if (focus) scrollWithin(this.el.scroll, this.el.focus, this.scrollBehavior(), 48);
  }

  setTabStop(stop) {
    for (const shape of this.rowShapes()) shape.setAttribute("tabindex", shape === stop ? 0 : -1);
  }

  /** Scroll to the row just selected, or to the first match of a new answer. */
  reveal({ page, rows }) {
    const matched = rows.filter((row) => row.matched).map((row) => row.id);
    const answered = this.changed("matched", [page.num, matched]);
    const selected = this.selected();
    const target = this.changed("revealed", [page.num, selected]) && this.rowShape(selected);
    if (target) this.scrollToRow(target);
    else if (answered && matched.length && !this.rowShape(selected)) {
      this.scrollToRow(this.rowShape(matched[0]));
    }
  }

  scrollToRow(shape) {
    const behavior = this.scrollBehavior();
    scrollWithin(this.el.scroll, shape.querySelector(".box"), behavior, 48);
  }

  /** Whether a part differs from what was drawn last; remembers it. */
  changed(part, value) {
    const signature = JSON.stringify(value);
    if (this.signatures.get(part) === signature) return false;
    this.signatures.set(part, signature);
    return true;
  }

  // Zoom -------------------------------------------------------------------------------------

  get zoom() {
    return zooms.get(this.channelName) ?? FIT;
  }

  get scale() {
    return this.zoom === FIT ? this.fitScale() : this.zoom;
  }

  fitScale() {
    const { scroll } = this.el;
    const style = getComputedStyle(scroll);
    const inner =
      scroll.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return Math.max(0.1, inner / (this.overlay.page.width * PIXELS_PER_POINT));
  }

  layOut() {
    if (!this.overlay) return;
    const { sheet, svg, percent, fit } = this.el;
    const width = this.overlay.page.width * PIXELS_PER_POINT * this.scale;
    sheet.style.width = `${width}px`;
    // Points per pixel: what keeps chips and numbers the same size at every zoom.
    svg.style.setProperty("--unit", String(this.overlay.page.width / width));
    setText(percent, `${Math.round(this.scale * 100)}%`);
    fit.setAttribute("aria-pressed", String(this.zoom === FIT));
    this.keepNumbersInSight();
  }

  /** Row numbers stop at the left edge when a zoomed page is scrolled sideways. */
  keepNumbersInSight() {
    const { scroll, svg } = this.el;
    const unit = Number(svg.style.getPropertyValue("--unit"));
    const hidden = scroll.getBoundingClientRect().left - svg.getBoundingClientRect().left;
    const left = `${Math.round((hidden + NUMBER_ROOM) * unit)}px`;
    if (svg.style.getPropertyValue("--left") !== left) svg.style.setProperty("--left", left);
  }

  setZoom(zoom) {
    const { scroll } = this.el;
    const centre = {
      x: (scroll.scrollLeft + scroll.clientWidth / 2) / scroll.scrollWidth,
      y: (scroll.scrollTop + scroll.clientHeight / 2) / scroll.scrollHeight,
    };
    zooms.set(this.channelName, zoom);
    this.hidePreview();
    this.layOut();
    scroll.scrollTo({
      left: centre.x * scroll.scrollWidth - scroll.clientWidth / 2,
      top: centre.y * scroll.scrollHeight - scroll.clientHeight / 2,
      behavior: "instant",
    });
  }

  stepZoom(direction) {
    const now = this.scale;
    const steps = direction > 0 ? ZOOM_STEPS : ZOOM_STEPS.toReversed();
    const next = steps.find((step) => (step - now) * direction > 0.005);
    if (next) this.setZoom(next);
  }

  scrollBehavior() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
  }

  // Events -----------------------------------------------------------------------------------

  listen() {
    const { view, scroll, svg } = this.el;
    const signal = this.abort.signal;
    const on = (target, type, handler, options) =>
      target.addEventListener(type, handler.bind(this), { signal, ...options });
    on(view, "click", this.onClick);
    on(view, "keydown", this.onKey);
    on(svg, "pointerover", this.onPointer);
    on(svg, "pointerleave", this.hidePreview);
    on(svg, "focusin", this.onFocus);
    on(svg, "focusout", this.hidePreview);
    on(scroll, "scroll", this.onScroll, { passive: true });
    on(scroll, "wheel", this.onWheel, { passive: false });
  }

  onClick(event) {
    const action = event.target.closest("[data-act]")?.dataset.act;
    const chip = event.target.closest("[data-page]");
    const row = event.target.closest(".row");
    if (action) this.act(action);
    else if (chip) this.turn(Number(chip.dataset.page));
    else if (row) this.toggle(row.dataset.id);
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = event.target.closest?.(".row");
    const handled =
      (row && this.onRowKey(event.key, row)) || this.act(ACTION_BY_KEY.get(event.key));
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  onRowKey(key, row) {
    if (key === "Enter" || key === " ") return this.toggle(row.dataset.id);
    const shapes = this.rowShapes();
    const at = shapes.indexOf(row);
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shapes.length - 1 }[key];
    if (target === undefined) return false;
    const shape = shapes[Math.min(Math.max(target, 0), shapes.length - 1)];
    this.setTabStop(shape);
    shape.focus({ preventScroll: true });
    this.scrollToRow(shape);
    return true;
  }

  onScroll() {
    this.hidePreview();
    this.keepNumbersInSight();
  }

  onWheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.stepZoom(event.deltaY < 0 ? 1 : -1);
  }

  onPointer(event) {
    const row = event.target.closest(".row");
    if (row) this.showPreview(row, event.clientX);
    else this.hidePreview();
  }

  onFocus(event) {
    const row = event.target.closest(".row");
    if (row?.matches(":focus-visible")) this.showPreview(row);
  }

  act(action) {
    const page = this.askedPage ?? this.overlay?.page.num;
    const actions = {
      previous: () => this.turn(page - 1),
      next: () => this.turn(page + 1),
      in: () => this.stepZoom(1),
      out: () => this.stepZoom(-1),
      fit: () => this.setZoom(FIT),
      clear: () => (this.selected() || this.focused()) && this.select(""),
    };
    if (!action || !page) return false;
    actions[action]();
    return true;
  }

  turn(page) {
    const { num, count } = this.overlay.page;
    if (page === (this.askedPage ?? num) || page < 1 || page > count) return;
    this.askedPage = page;
    this.setBusy(true);
    this.takeBackLater();
    this.send("turn", page);
  }

  toggle(id) {
    this.select(id === this.selected() ? "" : id);
    return true;
  }

  select(id) {
    this.pending = { id, before: this.channel.parts.get("selected") };
    this.takeBackLater();
    // A choice made here is in sight already.
    this.signatures.set("revealed", JSON.stringify([this.overlay.page.num, id || null]));
    this.drawSelected();
    this.send("select", id);
  }

  takeBackLater() {
    clearTimeout(this.pendingTimer);
    this.pendingTimer = setTimeout(() => {
      this.pending = this.askedPage = null;
      this.draw();
    }, PENDING_MS);
  }

  selected() {
    const confirmed = this.channel.parts.get("selected");
    if (this.pending && this.pending.before !== confirmed) this.pending = null;
    return this.pending ? this.pending.id || null : (confirmed?.row ?? null);
  }

  focused() {
    return this.channel.parts.get("selected")?.focus ?? null;
  }

  rowShapes() {
    return [...this.el.rows.children];
  }

  rowShape(id) {
    return this.rowShapes().find((shape) => shape.dataset.id === id);
  }

  // Preview ----------------------------------------------------------------------------------

  showPreview(shape, pointerX) {
    clearTimeout(this.previewTimer);
    const row = this.overlay.rows.find(({ id }) => id === shape.dataset.id);
    if (!row) return;
    this.previewTimer = setTimeout(() => {
      const { preview, view, scroll } = this.el;
      setText(preview.querySelector(".title"), `Row ${row.number} of ${row.table}`);
      setText(preview.querySelector(".text"), row.text);
      preview.classList.toggle("matched", row.matched);
      preview.hidden = false;
      const table = this.el.tables.querySelector(`[data-id="${CSS.escape(row.table)}"] .outline`);
      const at = shape.querySelector(".box").getBoundingClientRect();
      place(preview, at, table?.getBoundingClientRect() ?? at, view, scroll, pointerX);
    }, PREVIEW_DELAY_MS);
  }

  hidePreview() {
    clearTimeout(this.previewTimer);
    this.el.preview.hidden = true;
  }
}

const ACTION_BY_KEY = new Map([
  ["ArrowLeft", "previous"],
  ["ArrowRight", "next"],
  ["+", "in"],
  ["=", "in"],
  ["-", "out"],
  ["_", "out"],
  ["0", "fit"],
  ["Escape", "clear"],
]);

function findElements(root) {
  const find = (selector) => root.querySelector(selector);
  return {
    view: find(".view"),
    previous: find("[data-act=previous]"),
    next: find("[data-act=next]"),
    fit: find("[data-act=fit]"),
    where: find(".where"),
    percent: find(".percent"),
    notice: find(".notice"),
    scroll: find(".scroll"),
    sheet: find(".sheet"),
    img: find(".sheet img"),
    svg: find(".overlay"),
    holes: find(".holes"),
    tables: find(".tables"),
    rows: find(".rows"),
    top: find(".top"),
    focus: find(".focus"),
    strip: find(".strip"),
    preview: find(".preview"),
  };
}

async function decoded(url) {
  const image = new Image();
  image.src = url;
  // A damaged picture must not keep the boxes from being drawn.
  await image.decode().catch(() => {});
}

// Shapes, in points of the page ------------------------------------------------------------------

function tableShape(table, margin) {
  const widened = table.state === "widened";
  const frame = grown(table.box, widened ? 4 : 2);
  const group = shape("g", { class: `table ${table.state}`, "aria-hidden": "true" });
  group.dataset.id = table.id;
  group.append(
    ...table.header_boxes.map((box) => rect("header", box)),
    ...table.section_boxes.map((box) => rect("section", box)),
    rect("outline", frame),
    nameChip(table, frame, margin),
  );
  if (widened) {
    const note = chip("whole table", "end", frame[2] - 6, frame[3]);
    note.classList.add("below");
    group.append(note);
  }
  return group;
}

/**
 * Left of the header rows, where it covers neither the caption nor a row's number; above the table
 * when there is no margin.
 */
function nameChip({ label, caption, header_boxes }, [x0, y0, x1], margin) {
  const headerEnd = Math.max(y0 + 1, ...header_boxes.map(([, , , y1]) => y1));
  const name = margin.inside
    ? chip(label, "start", Math.max(x0, 2), Math.max(y0, 14))
    : chip(label, "end", x0, headerEnd);
  name.style.setProperty("--end", `${x1}px`);
  if (!margin.inside) name.classList.add("hanging");
  const title = shape("title");
  title.textContent = caption || label;
  name.append(title);
  return name;
}

/** Text on a filled plate whose lower left or lower right corner is at (x, y). */
function chip(text, anchor, x, y) {
  const width = 12 + text.length * 6.1;
  const left = anchor === "end" ? -width : 0;
  const group = fixed("chip", x, y);
  const label = shape("text", { x: left + width / 2, y: -CHIP_HEIGHT / 2 });
  label.textContent = text;
  const plate = { x: left, y: -CHIP_HEIGHT, width, height: CHIP_HEIGHT, rx: 3 };
  group.append(shape("rect", plate), label);
  return group;
}

function rowShape(row, tableState, margin) {
  const group = shape("g", {
    class: ["row", row.matched && "matched", tableState === "widened" && "widened"]
      .filter(Boolean)
      .join(" "),
    role: "option",
    tabindex: -1,
    "aria-selected": "false",
    "aria-label": rowName(row),
  });
  if (row.matched && !row.hits.length) group.setAttribute("aria-description", "matched");
  group.dataset.id = row.id;
  const cells = row.cells.flatMap((cell) => cellMark(cell, row.box));
  group.append(rect("box", row.box), ...cells, numberMark(row, margin));
  return group;
}

/** A matched cell: a stronger fill and, not to say it by colour alone, a thick line below. */
function cellMark(cell, row) {
  const [x0, y0, x1, y1] = within(grown(cell, CELL_PADDING), row);
  const line = { class: "cell-line", x1: x0, x2: x1, y1, y2: y1 };
  return [rect("cell", [x0, y0, x1, y1]), shape("line", line)];
}

function rowName({ number, table, text, hits }) {
  const where = hits.length ? `; matched in ${hits.join(", ")}` : "";
  return `Row ${number} of ${table}: ${text}${where}`;
}

function numberMark(row, margin) {
  const [, y0, x1, y1] = row.box;
  const width = 8 + String(row.number).length * 6;
  const mark = fixed("number", margin.x, (y0 + y1) / 2);
  mark.style.setProperty("--end", `${x1}px`);
  mark.style.setProperty("--room", String(Math.max(1, y1 - y0)));
  const left = margin.inside ? 2 : -width - 4;
  const label = shape("text", { x: left + width / 2, y: 0 });
  label.textContent = row.number;
  mark.append(
    shape("rect", { x: left, y: -6, width, height: 12, rx: 3 }),
    label,
    shape("path", { class: "caret", d: `M${left - 9} -5l6 5l-6 5z` }),
  );
  return mark;
}

function focusShape({ box, label, severity }, { width }) {
  const frame = grown(box, 3);
  const group = shape("g", { class: `place ${severity}`, role: "img", "aria-label": label });
  const name = chip(label, "end", Math.min(frame[2], width - 2), frame[1]);
  name.setAttribute("aria-hidden", "true");
  // A place at the top of the page is named below it.
  if (frame[1] < CHIP_HEIGHT * 1.5) {
    name.style.setProperty("--y", `${frame[3]}px`);
    name.classList.add("under");
  }
  group.append(rect("place-frame", frame), name);
  return group;
}

/** What the veil over the rest of an answered page leaves open. */
function holes(page, tables, rows) {
  const open = tables
    .filter(({ state }) => state !== "idle")
    .flatMap(({ state, box, header_boxes }) => (state === "widened" ? [box] : header_boxes));
  const matched = rows.filter((row) => row.matched).map((row) => row.box);
  return [
    rect("closed", [0, 0, page.width, page.height]),
    ...[...open, ...matched].map((box) => rect("open", grown(box, 1))),
  ];
}

/** Where each table's row numbers stand: left of it, or in it when the page ends there. */
function leftMargins(tables, rows) {
  const margins = new Map();
  for (const { id, box } of tables) margins.set(id, box[0]);
  for (const { table, box } of rows) {
    margins.set(table, Math.min(margins.get(table) ?? Infinity, box[0]));
  }
  for (const [id, x] of margins) {
    const inside = x < MARGIN_FOR_NUMBERS;
    margins.set(id, { x: inside ? Math.max(x, 0) : x - 2, inside });
  }
  return margins;
}

function shape(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function rect(name, [x0, y0, x1, y1]) {
  return shape("rect", {
    class: name,
    x: x0,
    y: y0,
    width: Math.max(0, x1 - x0),
    height: Math.max(0, y1 - y0),
  });
}

/** A group at a point of the page whose content is in pixels at every zoom. */
function fixed(name, x, y) {
  const group = shape("g", { class: `fixed ${name}` });
  group.style.setProperty("--x", `${x}px`);
  group.style.setProperty("--y", `${y}px`);
  return group;
}

function grown([x0, y0, x1, y1], by) {
  return [x0 - by, y0 - by, x1 + by, y1 + by];
}

function within([x0, y0, x1, y1], [left, top, right, bottom]) {
  return [Math.max(x0, left), Math.max(y0, top), Math.min(x1, right), Math.min(y1, bottom)];
}

function ringAround(row) {
  const ring = row.querySelector(".box").cloneNode();
  ring.setAttribute("class", "ring");
  return ring;
}

// HTML -------------------------------------------------------------------------------------------

function pageChip({ num, tables, matched }) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.page = num;
  const what = [
    `Page ${num}`,
    tables && `${tables} ${tables === 1 ? "table" : "tables"}`,
    matched && `${matched} matched ${matched === 1 ? "row" : "rows"}`,
  ].filter(Boolean);
  button.setAttribute("aria-label", what.join(", "));
  button.title = what.join(", ");
  button.append(span("num", num), span("marks", ""));
  if (tables) button.lastChild.append(span("has-table", ""));
  if (matched) button.lastChild.append(span("has-match", matched));
  item.append(button);
  return item;
}

function span(name, text) {
  const element = document.createElement("span");
  element.className = name;
  element.textContent = text;
  return element;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Scroll `area` alone, as little as needed; scrollIntoView would move the browser's page too. */
function scrollWithin(area, element, behavior, margin = 8) {
  const outer = area.getBoundingClientRect();
  const inner = element.getBoundingClientRect();
  area.scrollBy({
    left: toMove(outer.left, outer.right, inner.left, inner.right, margin),
    top: toMove(outer.top, outer.bottom, inner.top, inner.bottom, margin),
    behavior,
  });
}

function toMove(outerStart, outerEnd, innerStart, innerEnd, margin) {
  const room = outerEnd - outerStart;
  if (innerEnd - innerStart > room - 2 * margin) {
    // Larger than the area: show its start, unless the area lies within it.
    const covers = innerStart <= outerStart && innerEnd >= outerEnd;
    return covers ? 0 : innerStart - outerStart - margin;
  }
  if (innerStart < outerStart + margin) return innerStart - outerStart - margin;
  if (innerEnd > outerEnd - margin) return innerEnd - outerEnd + margin;
  return 0;
}

/**
 * Put the card near a row, within the area: next to the table if that is close, so that the rows
 * around stay in sight, else next to the row.
 */
function place(card, row, table, view, area, pointerX) {
  const frame = view.getBoundingClientRect();
  const bounds = area.getBoundingClientRect();
  const x = (pointerX ?? Math.max(row.left, bounds.left) + 24) - 24;
  const left = clamp(
    x,
    bounds.left + CARD_GAP,
    bounds.left + area.clientWidth - card.offsetWidth - CARD_GAP,
  );
  const height = card.offsetHeight;
  const spots = [
    [table.bottom + CARD_GAP, table.bottom - row.bottom],
    [table.top - height - CARD_GAP, row.top - table.top],
    [row.bottom + CARD_GAP, 0],
    [row.top - height - CARD_GAP, 0],
  ];
  const lowest = bounds.top + area.clientHeight - height - CARD_GAP;
  const fits = ([top, away]) =>
    top >= bounds.top + CARD_GAP && top <= lowest && away <= CARD_REACH;
  const [top] = spots.find(fits) ?? [Math.max(bounds.top + CARD_GAP, lowest)];
  card.style.left = `${left - frame.left}px`;
  card.style.top = `${top - frame.top}px`;
}

function clamp(value, low, high) {
  return Math.max(low, Math.min(value, high));
}
