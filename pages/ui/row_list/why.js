/** What is said of one row: verdict, reason, score and terms. All of it is text, never markup. */
function drawWhy(region, { why, hint }) {
  region.hidden = !why && !hint;
  if (region.hidden) return region.replaceChildren();
  region.classList.toggle("hinting", !why);
  if (!why) return region.replaceChildren(textElement("p", "hint", hint));
  region.setAttribute("aria-label", `${why.question} ${why.row}`);
  region.replaceChildren(whyHead(why), textElement("p", "reason", why.reason), whyScore(why), whyTerms(why));
  region.scrollTop = 0;
}

function whyHead({ question, row, verdict, tone, rank, score }) {
  const head = textElement("div", "head", "");
  const place = textElement("span", "place", rank ? `${rank} · score ${score}` : `score ${score}`);
  place.title = rank ? `Place in the ranking, and score` : "Score; beyond the ranking";
  head.append(
    textElement("strong", "ask", question),
    textElement("span", "who", row),
    place,
    textElement("span", `verdict ${tone}`, verdict),
  );
  return head;
}

/** The parts of the score as one bar, with the line that the cut drew. */
function whyScore({ parts, line, bar }) {
  const score = textElement("div", "sum", "");
  const track = textElement("div", "track", "");
  track.setAttribute("role", "img");
  track.setAttribute("aria-label", bar);
  track.title = bar;
  for (const { part, share } of parts) {
    const piece = textElement("div", `part of-${part}`, "");
    piece.style.width = percent(share);
    track.append(piece);
  }
  if (line !== null) {
    const tick = textElement("div", "tick", "");
    tick.style.left = percent(line);
    track.append(tick);
  }
  const legend = textElement("div", "legend", "");
  for (const { part, name, value, title } of parts) {
    const item = textElement("span", `key of-${part}`, `${name} ${value}`);
    item.title = title;
    legend.append(item);
  }
  if (line !== null) legend.append(textElement("span", "key of-line", "line"));
  score.append(track, legend);
  return score;
}

function whyTerms({ terms }) {
  const list = textElement("ul", "terms", "");
  for (const { text, found, where, kind, title } of terms) {
    const item = textElement("li", `term in-${kind}`, "");
    item.title = title;
    item.append(textElement("b", "", text), ` ${[found, where].filter(Boolean).join(" ")}`);
    list.append(item);
  }
  return list;
}

function percent(share) {
  return `${Math.min(100, Math.max(0, share * 100))}%`;
}

