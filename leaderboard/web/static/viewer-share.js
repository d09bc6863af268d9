// Links to the moment that is shown, and the code that puts the match into another page.

import { html } from "./viewer-dom.js";

const THANKS = 1500; // milliseconds

export function shareButtons(embed, address) {
  if (location.protocol === "file:") return [];
  const here = () => location.href.replace(/#.*$/, "") + address();
  const buttons = [copyButton("Copy link", here)];
  if (embed) {
    const frame = () => `<iframe src="${new URL(embed, location.href)}${address()}" width="720" height="760" title="Conquest Arena match" loading="lazy"></iframe>`;
    buttons.push(copyButton("Copy embed code", frame));
  }
  return [html("span", { class: "share" }, ...buttons)];
}

function copyButton(label, text) {
  const button = html("button", { type: "button" }, label);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
    } catch {
      // Browsers give no clipboard to pages without TLS, or may be told not to.
      prompt(label, text());
    }
    setTimeout(() => (button.textContent = label), THANKS);
  });
  return button;
}
