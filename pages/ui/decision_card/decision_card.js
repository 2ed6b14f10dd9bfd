const element = (tag, className, text) => {
  const node = document.createElement(tag)
  node.className = className
  if (text !== undefined) node.textContent = text
  return node
}

const percent = (share) => `${Math.min(100, Math.max(0, share * 100))}%`

function track(table) {
  const bar = element("div", "track")
  bar.setAttribute("role", "img")
  bar.setAttribute(
    "aria-label",
    `${table.count} matched, ${Math.round(table.coverage * 100)}% coverage, ` +
      `threshold ${Math.round(table.threshold * 100)}%`
  )
  const fill = element("div", "fill")
  fill.style.width = percent(table.coverage)
  bar.append(fill)
  if (!table.whole) {
    const tick = element("div", "tick")
    tick.style.left = percent(table.threshold)
    bar.append(tick)
  }
  return bar
}

function tableBlock(table) {
  const block = element("div", `block ${table.widened ? "widened" : "rows"}`)
  const line = element("div", "line")
  line.append(element("span", "count", table.count))
  line.append(element("span", "of", `of ${table.table_id}`))
  line.append(element("span", "verdict", table.verdict))
  block.append(line, track(table), element("p", "margin", table.margin))
  return block
}

export default function (component) {
  const { data, parentElement } = component
  const card = parentElement.querySelector(".card")
  const signature = JSON.stringify(data)
  if (card.dataset.signature === signature) return
  card.dataset.signature = signature

  const saving = element("div", "saving")
  saving.append(element("span", "ratio", data.ratio), element("span", "sentence", data.sentence))
  const shape = element("p", "shape")
  shape.append(element("span", "chip", data.shape), element("span", "why", data.shape_reason))
  const level = element("p", "shape")
  level.append(element("span", "chip quiet", "Row level"), element("span", "why", data.row_level_reason))
  const parts = [saving, ...data.tables.map(tableBlock)]
  if (data.ambiguity) parts.push(element("p", "ambiguity", data.ambiguity))
  if (data.partial) parts.push(element("p", "partial", data.partial))
  parts.push(shape, level)
  card.replaceChildren(...parts)
}
