/** "May I?" in private, and "I cannot place anything". */

import { ask } from "./act.js";
import { h } from "./dom.js";
import { cardPicker } from "./picker.js";
import { closeSheet, openSheet } from "./sheet.js";
import { app, cardWord, changed, ownSeat } from "./store.js";
import { t } from "./words.js";

let claim = null;

export function drawMay() {
  if (app.state.phase !== "play") return null;
  if (app.may) {
    return h(
      "div",
      { class: "may-answer", "data-key": "may-answer" },
      h("p", {}, t("may.answer", { card: cardWord(app.may.card), count: app.may.slots.length })),
      h("button", { "data-do": "may-done", onclick: () => ((app.may = null), changed()) }, t("may.done")),
    );
  }
  return h(
    "div",
    { class: "row", "data-key": "may" },
    h("button", { "data-do": "may", onclick: () => openSheet(drawMaySheet) }, t("may.ask")),
    ownSeat() !== null && h("button", { "data-do": "claim", onclick: askClaim }, t("claim.ask")),
  );
}

function drawMaySheet() {
  return {
    title: t("may.title"),
    body: [
      h("p", { class: "hint" }, t("may.private")),
      cardPicker(app.board, {
        used: new Set(Object.values(app.state.cards)),
        faceDown: false,
        onPick: askMay,
      }),
    ],
  };
}

async function askMay(card) {
  closeSheet();
  const answer = await ask(`/api/may-i?card=${encodeURIComponent(card)}`);
  app.may = answer && { card, ...answer };
  changed();
}

async function askClaim() {
  claim = await ask(`/api/claim?player=${ownSeat()}`);
  if (!claim) return;
  openSheet(() => ({
    title: t("claim.title"),
    body: [
      h(
        "p",
        { class: "big", "data-verdict": claim.verdict },
        t(`claim.${claim.verdict}`, { unseen: claim.unseen, count: claim.fitting }),
      ),
      h("p", {}, t("claim.then")),
    ],
  }));
}
