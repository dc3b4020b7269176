/** Short words that come and go. */

import { h } from "./dom.js";

export function toast(words, kind = "good") {
  const node = h("p", { class: `toast toast-${kind}` }, words);
  document.getElementById("toasts").append(node);
  setTimeout(() => node.classList.add("leaving"), 4200);
  setTimeout(() => node.remove(), 4600);
}
