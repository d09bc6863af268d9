// A tournament that goes on: its numbers as they are told, and the rest of the page anew now and then.

const FRESH_MS = 4000; // between two looks at the page

const head = document.querySelector("[data-live]");
const bar = document.querySelector("[data-news=bar]");
let asked = 0;
let waiting = null;

const source = new EventSource(head.dataset.live);
source.addEventListener("progress", (event) => {
  const { done, void: struck, open, is_over: isOver } = JSON.parse(event.data);
  if (bar) Object.assign(bar, { max: done + struck + open || 1, value: done + struck });
  if (isOver) source.close();
  waiting ??= setTimeout(look, Math.max(0, asked + FRESH_MS - Date.now()));
});

// The page as the server draws it: its parts take the place of those that stand here.
async function look() {
  asked = Date.now();
  waiting = null;
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const kind of ["news", "fresh"]) {
    for (const part of document.querySelectorAll(`[data-${kind}]`)) {
      const fresh = page.querySelector(`[data-${kind}="${part.dataset[kind]}"]`);
      if (!fresh || part.contains(document.activeElement)) continue;
      const left = part.querySelector(".scroll")?.scrollLeft ?? 0;
      part.replaceChildren(...fresh.childNodes);
      const scroll = part.querySelector(".scroll");
      if (scroll) scroll.scrollLeft = left;
    }
  }
}
