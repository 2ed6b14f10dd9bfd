export default function ({ data, parentElement }) {
  const badge = parentElement.querySelector(".badge");
  badge.textContent = data.letter;
  badge.className = `badge ${data.letter.toLowerCase()}`;
}
