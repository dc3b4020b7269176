/** A slot was tapped: lay a card there, or say what really lies there. */

import { act, ask } from "./act.js";
import { h } from "./dom.js";
import { cardPicker, cardPicture } from "./picker.js";
import { closeSheet, openSheet } from "./sheet.js";
import { app, cardWord, changed, isHost, isSeated, ownSeat } from "./store.js";
import { editTurn } from "./turnsheet.js";
import { t } from "./words.js";

let taken = null; // who the host lays for
let opened = false; // whether all cards are shown for a slot that holds one
let fits = null;

export function tapSlot(slot) {
  taken = null;
  opened = false;
  fits = null;
  if (!app.state.cards[slot]) learnFits(slot);
  openSheet(() => (app.state.cards[slot] ? drawFilled(slot) : drawFree(slot)));
}

/** "That is not what lies there": straight to the cards. */
export function correctSlot(slot) {
  tapSlot(slot);
  opened = true;
  changed();
}

/** Which cards this slot takes, so that they stand out. */
async function learnFits(slot) {
  if (app.state.phase !== "play") return;
  const answer = await ask(`/api/fitting/${slot}`);
  fits = answer && new Set(answer.cards);
  changed();
}

function drawFree(slot) {
  const { phase, players, next_player: next } = app.state;
  const title = t("slot.title", { slot });
  if (!isSeated())
    return { title, body: [h("p", {}, t("slot.free-words")), h("p", { class: "hint" }, t("watch.hint"))] };
  if (phase === "over") return { title, body: h("p", {}, t("slot.free-words")) };
  const seat = taken ?? (isHost() ? (next ?? 0) : ownSeat());
  const words =
    phase === "set-up"
      ? t("slot.start-words")
      : seat === ownSeat()
        ? t("slot.lay-words")
        : t("slot.lay-for", { name: players[seat].name });
  return {
    title,
    body: [
      h("p", {}, words, phase === "play" && fits && ` ${t(fits.size ? "slot.green" : "slot.none-fits")}`),
      phase === "play" && isHost() && drawSeats(seat),
      phase === "play" &&
        seat !== next &&
        h("p", { class: "hint" }, t("slot.not-turn", { name: players[next].name })),
      cardPicker(app.board, {
        fits,
        used: new Set(Object.values(app.state.cards)),
        faceDown: phase === "play",
        onPick: (card) => lay(slot, card, seat),
      }),
    ],
  };
}

function drawSeats(seat) {
  return h(
    "div",
    { class: "choices", role: "group", "aria-label": t("slot.who") },
    app.state.players.map(({ name }, number) =>
      h(
        "button",
        {
          class: "choice",
          "aria-pressed": String(number === seat),
          onclick: () => ((taken = number), changed()),
        },
        name,
      ),
    ),
  );
}

async function lay(slot, card, player) {
  closeSheet();
  await act("lay", { slot, card, player }, (state) => !state.cards[slot] && state.next_player === player);
}

function drawFilled(slot) {
  const { cards, questions } = app.state;
  const card = cards[slot];
  const question = questions[slot];
  const name = card === "face-down" ? t("card.face-down") : cardWord(card);
  const offered = question ? [...new Set([question.card, ...question.also])] : [];
  return {
    title: t("slot.title", { slot }),
    body: [
      h(
        "div",
        { class: "lying" },
        cardPicture(app.board, card, "big-card"),
        app.state.camera !== "none" && crop(slot),
        h(
          "div",
          {},
          h("p", { class: "big" }, question ? t("slot.asks") : name),
          h("p", { class: "hint" }, whence(slot)),
        ),
      ),
      isSeated() &&
        offered.length > 0 &&
        h(
          "div",
          { class: "offers" },
          offered.map((other) =>
            h(
              "button",
              { class: "offer", "data-card": other, onclick: () => say(slot, other) },
              cardPicture(app.board, other),
              other === "face-down" ? t("card.face-down") : cardWord(other),
            ),
          ),
        ),
      isSeated() &&
        !opened &&
        h(
          "div",
          { class: "stacked" },
          h(
            "button",
            { class: "wide", "data-do": "another", onclick: () => ((opened = true), changed()) },
            t("slot.another"),
          ),
          h(
            "button",
            { class: "wide", "data-do": "nothing", onclick: () => say(slot, null) },
            t("slot.nothing"),
          ),
          app.state.laid[slot] &&
            h(
              "button",
              { class: "wide", onclick: () => editTurn(app.state.laid[slot].turn) },
              t("slot.edit-turn"),
            ),
        ),
      isSeated() &&
        opened && [
          h("p", {}, t("slot.what")),
          cardPicker(app.board, {
            fits,
            used: new Set(Object.values(cards)),
            chosen: card,
            onPick: (other) => say(slot, other),
          }),
          h(
            "button",
            { class: "wide", "data-do": "nothing", onclick: () => say(slot, null) },
            t("slot.nothing"),
          ),
        ],
      !isSeated() && h("p", { class: "hint" }, t("watch.hint")),
    ],
  };
}

function crop(slot) {
  return h("img", {
    class: "crop",
    alt: t("slot.crop"),
    src: `/camera/${slot}.jpg?state=${app.state.number}`,
    onerror: (event) => event.target.remove(),
  });
}

function whence(slot) {
  const laid = app.state.laid[slot];
  if (!laid) return t("slot.start-card");
  return t("slot.laid-by", { name: app.state.players[laid.player].name, turn: laid.turn + 1 });
}

async function say(slot, card) {
  closeSheet();
  const before = app.state.cards[slot];
  await act("correct", { slot, card }, (state) => state.cards[slot] === before);
}
