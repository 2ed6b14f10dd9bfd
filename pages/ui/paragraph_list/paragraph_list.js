export default function ({ data, parentElement, setTriggerValue }) {
  const section = parentElement.querySelector(".paragraphs");
  const signature = JSON.stringify(data);
  if (section.dataset.signature !== signature) {
    section.dataset.signature = signature;
    section.classList.toggle("cards", Boolean(data.headline));
    section.replaceChildren(...data.paragraphs.map((each) => paragraph(each, data.headline)));
  }
  for (const button of section.querySelectorAll("button")) {
    button.onclick = () => setTriggerValue("turn", Number(button.dataset.page));
  }
}

function paragraph({ page, cite, share, segments }, headline) {
  const head = element("span", "head");
  if (headline) head.append(element("strong", "title", headline));
  head.append(element("span", "cite", cite), element("span", "share", share));
  const text = element("span", "text");
  for (const [piece, kind] of segments) {
    text.append(element(kind === "text-hit" ? "mark" : "span", "", piece));
  }
  const button = element("button", "");
  button.type = "button";
  button.title = `Turn to page ${page}`;
  button.dataset.page = page;
  button.append(head, text);
  return button;
}

/** Text is never markup. */
function element(tag, className, content = "") {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.textContent = content;
  return node;
}
