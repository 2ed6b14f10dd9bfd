export default function ({ data, parentElement }) {
  const box = parentElement.querySelector(".verdict");
  box.classList.toggle("large", data.large);
  const sentence = document.createElement("p");
  sentence.className = "sentence";
  sentence.textContent = data.sentence;
  const list = document.createElement("ul");
  for (const detail of data.details) {
    const item = document.createElement("li");
    item.textContent = detail;
    list.append(item);
  }
  box.replaceChildren(sentence, ...(data.details.length ? [list] : []));
}
