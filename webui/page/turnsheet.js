/** Edit any turn: who, where, which card, which shields; take it out, or put a forgotten one in. */

import { act, ask } from "./act.js";
import { h } from "./dom.js";
import { cardPicker, cardPicture } from "./picker.js";
import { closeSheet, openSheet } from "./sheet.js";
import { app, cardWord, changed, isSeated } from "./store.js";
import { t } from "./words.js";

let draft = null; // {turn, isNew, player, slot, card, shields}
let choosing = false;

export async function editTurn(turn) {
  const story = await ask("/api/story");
  if (!story) return;
  const { player, slot, card, shields } = story.moments[turn + 1].turn;
  begin({ turn, isNew: false, player, slot, card, shields });
}

/** A turn that was forgotten becomes turn number `turn`. */
export function insertTurn(turn) {
  const free = Object.keys(app.board.slots).find((slot) => !app.state.cards[slot]);
  begin({
    turn,
    isNew: true,
    player: turn % app.state.players.length,
    slot: free,
    card: "face-down",
    shields: [],
  });
}

function begin(fresh) {
  draft = fresh;
  choosing = false;
  openSheet(drawTurn);
}

const set = (change) => () => {
  Object.assign(draft, change);
  changed();
};

function drawTurn() {
  const { turn, isNew, player, slot, card, shields } = draft;
  const tiles = Object.keys(app.board.tiles).map(Number);
  return {
    title: t(isNew ? "turn.new" : "turn.edit", { turn: turn + 1 }),
    body: [
      h("h3", {}, t("turn.who")),
      h(
        "div",
        { class: "choices", role: "group", "aria-label": t("turn.who") },
        app.state.players.map(({ name }, seat) =>
          h(
            "button",
            { class: "choice", "aria-pressed": String(seat === player), onclick: set({ player: seat }) },
            name,
          ),
        ),
      ),
      h("h3", {}, t("turn.card")),
      choosing
        ? cardPicker(app.board, {
            chosen: card,
            onPick: (picked) => ((choosing = false), set({ card: picked })()),
          })
        : h(
            "button",
            { class: "wide offer", "data-do": "choose-card", onclick: () => ((choosing = true), changed()) },
            cardPicture(app.board, card),
            card === "face-down" ? t("card.face-down") : cardWord(card),
          ),
      h(
        "label",
        { class: "field" },
        h("span", {}, t("turn.slot")),
        h(
          "select",
          { onchange: (event) => set({ slot: event.target.value })() },
          Object.keys(app.board.slots).map((name) =>
            h("option", { value: name, selected: name === slot }, name),
          ),
        ),
      ),
      h("h3", {}, t("turn.shields")),
      h(
        "div",
        { class: "choices", role: "group", "aria-label": t("turn.shields") },
        tiles.map((tile) =>
          h(
            "button",
            {
              class: "choice",
              "aria-pressed": String(shields.includes(tile)),
              onclick: set({
                shields: shields.includes(tile)
                  ? shields.filter((other) => other !== tile)
                  : [...shields, tile],
              }),
            },
            t("tile.name", { tile }),
          ),
        ),
      ),
      isSeated() &&
        h(
          "div",
          { class: "stacked" },
          h("button", { class: "wide primary", "data-do": "save-turn", onclick: save }, t("turn.save")),
          !isNew &&
            h("button", { class: "wide", "data-do": "remove-turn", onclick: remove }, t("turn.remove")),
        ),
    ],
  };
}

async function save() {
  const { turn, isNew, player, slot, card, shields } = draft;
  closeSheet();
  await act(isNew ? "insert-turn" : "change-turn", { turn, player, slot, card, shields });
}

async function remove() {
  closeSheet();
  await act("remove-turn", { turn: draft.turn });
}
