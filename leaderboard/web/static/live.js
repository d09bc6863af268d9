// The page of a running match: once it is over, and in the book, a link leads to the page of its record.

const TRIES_MS = 3000;

const kept = document.getElementById("kept");

async function look() {
  const answer = await fetch(kept.dataset.match);
  if (answer.ok && (await answer.json()).state !== "open") kept.hidden = false;
  else setTimeout(look, TRIES_MS);
}

document.querySelector(".viewer").addEventListener("viewer-end", look, { once: true });
