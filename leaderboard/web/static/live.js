// The page of a running match: once it is over, and in the book, a link leads to the page of its record.

const EVERY_MS = 3000;
const TRIES = 40; // a match that nobody writes into the book is not waited for

const kept = document.getElementById("kept");

async function look(left) {
  const answer = await fetch(kept.dataset.asks);
  if (answer.ok && (await answer.json()).kept) kept.hidden = false;
  else if (left) setTimeout(look, EVERY_MS, left - 1);
}

document.querySelector(".viewer").addEventListener("viewer-end", () => look(TRIES), { once: true });
