// Making elements, and what seats are called. Seats have their colours in seats.css.

const SVG = "http://www.w3.org/2000/svg";
const LETTERS = "ABCDEF";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

export function html(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

export function letterOf(seat) {
  return LETTERS[seat] ?? "";
}

// The class that brings a seat's colour; also for places that nobody holds.
export function seatClass(seat) {
  return seat === null || seat === undefined || seat < 0 ? "seat-none" : `seat-${seat}`;
}

export function seatChip(seat) {
  return html("span", { class: `seat-chip ${seatClass(seat)}` }, letterOf(seat));
}

export function signed(number, digits = 1) {
  const text = Math.abs(number).toFixed(digits);
  return Number(text) === 0 ? text : (number < 0 ? "−" : "+") + text;
}

export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
