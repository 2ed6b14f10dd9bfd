/** Rows filled at once; the others get their text while the browser is idle. */
const FILLED_AT_ONCE = 40;
const FILLED_PER_IDLE = 60;
/** A choice is shown at once; if Python does not confirm it within this time, it is taken back. */
const PENDING_MS = 4000;
const PAGE_OF_ROWS = 10;
const TAGS = { "value-hit": "mark", "label-hit": "u" };

const lists = new WeakMap();

export default function (component) {
  const { parentElement, data } = component;
  if (lists.get(parentElement)?.channelName !== data.channel) {
    lists.get(parentElement)?.destroy();
    lists.set(parentElement, new RowList(parentElement, data.channel));
  }
  const list = lists.get(parentElement);
  list.send = component.setTriggerValue;
  list.configure(data);
  list.draw();
  const run = ++list.runs;
  return () => {
    // Streamlit may call the cleanup of an earlier run after a later one has started.
    if (run !== list.runs) return;
    list.destroy();
    lists.delete(parentElement);
  };
}

class RowList {
  runs = 0;
  drawn = null;
  pending = null;
  /** By row id: the row, its signature and its element, kept while the row stays the same. */
  items = new Map();

  constructor(root, channelName) {
    this.root = root;
    this.channelName = channelName;
    this.channel = openChannel(channelName);
    this.view = root.querySelector(".list");
    this.box = root.querySelector(".rows");
    this.empty = root.querySelector(".empty");
    this.why = root.querySelector(".why");
    this.abort = new AbortController();
    const signal = this.abort.signal;
    this.box.addEventListener("click", (event) => this.onClick(event), { signal });
    this.box.addEventListener("keydown", (event) => this.onKey(event), { signal });
    this.onParts = () => this.draw();
    this.channel.listeners.add(this.onParts);
  }

  destroy() {
    this.abort.abort();
    this.channel.listeners.delete(this.onParts);
    clearTimeout(this.pendingTimer);
    cancelIdle(this.filling);
  }

  configure({ height, empty, turns }) {
    this.view.style.setProperty("--height", `${height}px`);
    this.box.classList.toggle("turns", turns);
    this.turns = turns;
    this.empty.textContent = empty;
  }

  // Drawing ----------------------------------------------------------------------------------

  draw() {
    const rows = this.channel.parts.get("rows");
    if (!rows) return;
    if (rows !== this.drawn) this.drawRows(rows);
    this.drawWhy();
    this.drawSelected();
  }

  drawWhy() {
    const part = this.channel.parts.get("why");
    if (!part || part === this.explained) return;
    this.explained = part;
    drawWhy(this.why, part);
  }

  drawRows(rows) {
    const focused = this.focusedId();
    const before = this.items;
    this.items = new Map(rows.map((row) => [row.id, keptOrNew(before.get(row.id), row)]));
    this.box.replaceChildren(...[...this.items.values()].map((item) => item.element));
    this.box.classList.toggle("several", new Set(rows.map((row) => row.table)).size > 1);
    this.box.hidden = !rows.length;
    this.empty.hidden = rows.length > 0;
    this.drawn = rows;
    this.marked = undefined;
    this.fill(0, FILLED_AT_ONCE);
    this.fillWhenIdle(FILLED_AT_ONCE);
    if (focused) this.items.get(focused)?.element.focus({ preventScroll: true });
    // Another answer is read from its start, the same rows in place.
    if (![...this.items.keys()].some((id) => before.has(id)) || this.answerChanged(rows)) {
      this.box.scrollTop = 0;
    }
  }

  answerChanged(rows) {
    const answer = JSON.stringify(rows.filter((row) => row.matched).map((row) => row.id));
    const changed = this.answer !== answer;
    this.answer = answer;
    return changed;
  }

  fill(start, end) {
    for (const item of [...this.items.values()].slice(Math.max(0, start), end)) fillItem(item);
  }

  fillWhenIdle(start) {
    cancelIdle(this.filling);
    if (start >= this.items.size) return;
    this.filling = whenIdle(() => {
      this.fill(start, start + FILLED_PER_IDLE);
      this.fillWhenIdle(start + FILLED_PER_IDLE);
    });
  }

  drawSelected() {
    const selected = this.selected();
    // What is said is of another row until the server has answered.
    this.why.classList.toggle("waiting", (this.explained?.row ?? null) !== selected);
    if (selected === this.marked) return;
    this.items.get(this.marked)?.element.setAttribute("aria-selected", "false");
    const first = this.items.values().next().value;
    const item = this.items.get(selected) ?? first;
    this.marked = selected;
    if (!item) return;
    this.setTabStop(item.element);
    for (const chosen of this.box.querySelectorAll("[aria-selected=true]")) {
      chosen.setAttribute("aria-selected", "false");
    }
    if (item.row.id !== selected) return;
    item.element.setAttribute("aria-selected", "true");
    if (this.chosenHere === selected) return;
    this.reveal(item);
  }

  reveal(item) {
    const at = [...this.items.keys()].indexOf(item.row.id);
    // Neighbours too: what stands above must have its height before anything scrolls.
    this.fill(at - FILLED_AT_ONCE / 2, at + FILLED_AT_ONCE / 2);
    scrollWithin(this.box, item.element);
  }

  setTabStop(element) {
    this.tabStop?.setAttribute("tabindex", "-1");
    this.tabStop = element;
    element.setAttribute("tabindex", "0");
  }

  // Events -----------------------------------------------------------------------------------

  onClick(event) {
    const element = event.target.closest(".row");
    if (!element || hasSelection(this.root)) return;
    const { row } = this.items.get(element.dataset.id);
    if (this.turns && event.target.closest(".cite")) this.send("turn", row.page);
    else this.toggle(row.id);
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const element = event.target.closest(".row");
    if (!element || !this.onRowKey(event.key, element)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  onRowKey(key, element) {
    const elements = [...this.box.children];
    const at = elements.indexOf(element);
    const targets = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + PAGE_OF_ROWS,
      PageUp: at - PAGE_OF_ROWS,
      Home: 0,
      End: elements.length - 1,
    };
    if (key in targets) {
      const target = Math.max(0, Math.min(targets[key], elements.length - 1));
      this.focusRow(elements[target]);
    } else if (key === "Enter" || key === " ") this.toggle(element.dataset.id);
    else if (key === "Escape" && this.selected()) this.select("");
    else return false;
    return true;
  }

  focusRow(element) {
    this.setTabStop(element);
    element.focus({ preventScroll: true });
    this.reveal(this.items.get(element.dataset.id));
  }

  focusedId() {
    return this.root.activeElement?.closest?.(".row")?.dataset.id;
  }

  toggle(id) {
    this.select(id === this.selected() ? "" : id);
  }

  select(id) {
    this.pending = { id, before: this.channel.parts.get("selected") };
    clearTimeout(this.pendingTimer);
    this.pendingTimer = setTimeout(() => {
      this.pending = null;
      this.drawSelected();
    }, PENDING_MS);
    // A choice made here is in sight already.
    this.chosenHere = id;
    this.drawSelected();
    this.send("select", id);
  }

  selected() {
    const confirmed = this.channel.parts.get("selected");
    if (this.pending && this.pending.before !== confirmed) this.pending = null;
    const selected = this.pending ? this.pending.id || null : (confirmed?.row ?? null);
    if (selected !== this.chosenHere) this.chosenHere = null;
    return selected;
  }
}

function hasSelection(root) {
  const selection = root.getSelection?.() ?? document.getSelection();
  return selection && !selection.isCollapsed && selection.toString() !== "";
}

function keptOrNew(item, row) {
  const signature = JSON.stringify(row);
  return item?.signature === signature ? item : newItem(row, signature);
}

function newItem(row, signature) {
  const element = document.createElement("div");
  element.className = row.matched ? "row matched" : "row";
  element.setAttribute("role", "option");
  element.setAttribute("aria-selected", "false");
  element.setAttribute("aria-label", accessibleName(row));
  element.tabIndex = -1;
  element.dataset.id = row.id;
  return { row, signature, element, filled: false };
}

function accessibleName({ number, table, group, segments, matched, rank, page, line }) {
  const text = segments.map(([piece]) => piece).join("");
  const prefix = group ? `${group}: ` : "";
  const state = matched ? `, matched${rank ? `, rank ${rank}` : ""}` : "";
  return `Row ${number} of ${table}${state}: ${prefix}${text}, page ${page}, line ${line}`;
}

function fillItem(item) {
  if (item.filled) return;
  item.filled = true;
  const number = textElement("div", "number", item.row.number);
  number.append(textElement("span", "table", item.row.table));
  item.element.append(number, text(item.row), side(item.row));
}

function text({ group, segments }) {
  const element = textElement("div", "text", "");
  if (group) element.append(textElement("span", "group", group));
  for (const [piece, kind] of segments) {
    element.append(textElement(TAGS[kind] ?? "span", kind, piece));
  }
  return element;
}

function side({ page, line, table, matched, rank, score }) {
  const element = textElement("div", "side", "");
  const cite = textElement("span", "cite", `p. ${page}, l. ${line}`);
  cite.title = `Page ${page}, line ${line}, table ${table}`;
  element.append(cite);
  if (matched) {
    const known = typeof score === "number";
    const badge = textElement("span", "badge", rank && known ? `#${rank} · ${score.toFixed(2)}` : "match");
    if (known) badge.title = rank ? `Matched: rank ${rank}, score ${score}` : `Matched, score ${score}`;
    element.append(badge);
  }
  return element;
}

function textElement(tag, name, content) {
  const element = document.createElement(tag);
  element.className = name;
  element.textContent = content;
  return element;
}

/** Scroll the list alone; scrollIntoView would move the browser's page too. */
function scrollWithin(area, element, margin = 40) {
  const outer = area.getBoundingClientRect();
  const inner = element.getBoundingClientRect();
  const above = inner.top - outer.top - margin;
  const below = inner.bottom - outer.bottom + margin;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  // Far jumps are not animated: the rows between would be laid out one after the other.
  const far = Math.abs(above) > 2 * area.clientHeight;
  const top = above < 0 || inner.height > outer.height ? above : Math.max(0, below);
  area.scrollBy({ top, behavior: still || far ? "instant" : "smooth" });
}

function whenIdle(task) {
  return (window.requestIdleCallback ?? window.setTimeout)(task);
}

function cancelIdle(handle) {
  (window.cancelIdleCallback ?? window.clearTimeout)(handle ?? 0);
}
