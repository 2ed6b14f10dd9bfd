// The address bar holds the whole state; the file's name goes along, so that whoever lacks the
// document can be told which one to open.
const SHOWN_MS = 2500;

function linkToHere(name) {
  const link = new URL(window.location.href);
  if (name) link.searchParams.set("name", name);
  return link.href;
}

export default function ({ data, parentElement }) {
  const button = parentElement.querySelector(".copy");
  const label = parentElement.querySelector(".label");
  const said = parentElement.querySelector(".said");
  const field = parentElement.querySelector(".link");
  let timer;
  const say = (text) => {
    label.textContent = said.textContent = text;
    clearTimeout(timer);
    timer = setTimeout(() => {
      label.textContent = "Copy link";
      said.textContent = "";
    }, SHOWN_MS);
  };
  button.onclick = async () => {
    const link = linkToHere(data.name);
    try {
      await navigator.clipboard.writeText(link);
      say("Copied");
    } catch {
      // No clipboard without https or permission: the link is there to be copied by hand.
      field.hidden = false;
      field.value = link;
      field.select();
      say("Copy it from here");
    }
  };
  return () => clearTimeout(timer);
}
