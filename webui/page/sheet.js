/** One sheet at a time slides over the page; it is drawn again whenever the state changes. */

import { h, show } from "./dom.js";
import { t } from "./words.js";

const dialog = document.getElementById("sheet");
let drawn = null;

dialog.addEventListener("close", () => {
  drawn = null;
  show(dialog);
});
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});

/** Open a sheet; `draw` gives its title and content, or null when it has nothing more to show. */
export function openSheet(draw) {
  drawn = draw;
  redrawSheet();
  if (drawn && !dialog.open) dialog.showModal();
  dialog.querySelector(".sheet-body")?.scrollTo(0, 0);
}

export function closeSheet() {
  if (dialog.open) dialog.close();
}

export function redrawSheet() {
  const content = drawn?.();
  if (drawn && !content) closeSheet();
  if (!content) return;
  dialog.setAttribute("aria-labelledby", "sheet-title");
  show(
    dialog,
    h(
      "div",
      { class: "sheet-inner" },
      h(
        "header",
        { class: "sheet-head" },
        h("h2", { id: "sheet-title", tabindex: "-1", autofocus: true }, content.title),
        h("button", { class: "close", "aria-label": t("sheet.close"), onclick: closeSheet }, "×"),
      ),
      h("div", { class: "sheet-body" }, content.body),
    ),
  );
}
