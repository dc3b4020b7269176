/** A tile was tapped: its shields, oldest first, and what each would take now. */

import { act } from "./act.js";
import { h } from "./dom.js";
import { cardPicture } from "./picker.js";
import { closeSheet, openSheet } from "./sheet.js";
import { app, isHost, ownSeat } from "./store.js";
import { lettersOf, shieldIcon } from "./symbols.js";
import { t } from "./words.js";

export function tapTile(tile) {
  openSheet(() => drawStackSheet(tile));
}

function drawStackSheet(tile) {
  const { players, left, stacks, phase, turns } = app.state;
  const letters = lettersOf(players);
  const stack = stacks[tile];
  const seats = players
    .map((_, seat) => seat)
    .filter((seat) => (isHost() || seat === ownSeat()) && left[seat].shields > 0 && turns > 0);
  return {
    title: t("tile.name", { tile }),
    body: [
      stack.length ? h("p", { class: "hint" }, t("stack.order")) : h("p", {}, t("stack.none")),
      h(
        "ol",
        { class: "stack-list" },
        stack.map((mark) => drawMark(mark, players, letters)),
      ),
      phase !== "set-up" && seats.length > 0 && h("h3", {}, t("stack.add")),
      phase !== "set-up" &&
        h(
          "div",
          { class: "stacked" },
          seats.map((seat) =>
            h(
              "button",
              { class: "wide", "data-do": `shield-${seat}`, onclick: () => put(seat, tile) },
              shieldIcon(players[seat].shields, letters[seat], 20),
              t("stack.put", { name: players[seat].name, count: left[seat].shields }),
            ),
          ),
        ),
      phase !== "set-up" && seats.length > 0 && h("p", { class: "hint" }, t("stack.latest")),
    ],
  };
}

function drawMark(mark, players, letters) {
  const { name, shields } = players[mark.player];
  return h(
    "li",
    {},
    shieldIcon(shields, letters[mark.player], 26),
    h(
      "div",
      {},
      h("strong", {}, name),
      h(
        "span",
        { class: "hint" },
        mark.cards.length ? t("stack.takes", { points: mark.points }) : t("stack.takes-nothing"),
      ),
    ),
    h(
      "span",
      { class: "won" },
      mark.cards.map((card) => cardPicture(app.board, card)),
    ),
  );
}

async function put(player, tile) {
  closeSheet();
  await act("shield", { player, tile, turn: null });
}
