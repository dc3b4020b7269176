/** Choose a card: colours down, ranks across. */

import { h, s } from "./dom.js";
import { drawCard } from "./table.js";
import { t } from "./words.js";

/** A small picture of a card. */
export function cardPicture(board, card, className = "mini") {
  return s(
    "svg",
    { class: className, viewBox: "-22 -34 44 68", "aria-hidden": "true" },
    drawCard(board, card),
  );
}

/**
 * All cards as buttons. `fits` are set off, `used` are dimmed; both can be chosen all the same,
 * for what lies on the table lies there.
 */
export function cardPicker(board, { onPick, fits = null, used = new Set(), chosen = null, faceDown = true }) {
  const cell = (card) =>
    h(
      "button",
      {
        class: [
          "pick",
          fits?.has(card) && "fits",
          used.has(card) && "used",
          fits && !fits.has(card) && "unfit",
          chosen === card && "chosen",
        ]
          .filter(Boolean)
          .join(" "),
        "data-card": card,
        "aria-label": [
          board.cards[card],
          used.has(card) && t("picker.used"),
          fits?.has(card) && t("picker.fits"),
        ]
          .filter(Boolean)
          .join(", "),
        "aria-pressed": chosen === null ? null : String(chosen === card),
        onclick: () => onPick(card),
      },
      cardPicture(board, card),
    );
  return h(
    "div",
    { class: "picker" },
    h(
      "div",
      { class: "picker-grid", "data-ranks": board.ranks.length },
      board.colours.map(({ name }) => board.ranks.map((rank) => cell(`${name}-${rank}`))),
    ),
    faceDown &&
      h(
        "button",
        {
          class: `wide pick-down${chosen === "face-down" ? " chosen" : ""}`,
          "data-card": "face-down",
          onclick: () => onPick("face-down"),
        },
        cardPicture(board, "face-down"),
        t("card.face-down"),
      ),
  );
}
