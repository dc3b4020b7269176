/** Who sits where: taking a seat, and before play the code to scan. */

import { act, ask } from "./act.js";
import { h } from "./dom.js";
import { prefs, setPref } from "./prefs.js";
import { openSheet, closeSheet } from "./sheet.js";
import { app, changed, isHost, isSeated, ownSeat } from "./store.js";
import { lettersOf, shieldIcon } from "./symbols.js";
import { t } from "./words.js";

const SHIELDS = ["red", "blue", "green", "yellow", "white", "black"];

/** Below the table: seats and code before play; later only a chair for who has none. */
export function drawLobby() {
  const { phase } = app.state;
  if (phase !== "set-up")
    return (
      ownSeat() === null &&
      !isHost() &&
      !prefs.watching &&
      h(
        "section",
        { class: "panel lobby", "data-key": "lobby" },
        h("div", { class: "lobby-seats" }, drawSeats()),
      )
    );
  return h(
    "section",
    { class: "panel lobby", "data-key": "lobby", "aria-label": t("lobby.title") },
    h("div", { class: "lobby-seats" }, drawSeats(), drawBegin()),
    h("div", { class: "lobby-code" }, drawCode()),
  );
}

let link = null;

/** The seat link as a code to scan, and in letters for who cannot scan. */
export function drawCode() {
  if (link === null) {
    link = "";
    ask("/link").then((answer) => {
      link = answer?.seat ?? "";
      changed();
    });
  }
  return h(
    "figure",
    { class: "code" },
    h("img", { src: "/qr.svg", alt: t("lobby.code"), width: 220, height: 220 }),
    h("figcaption", {}, t("lobby.scan"), link && h("code", {}, link)),
  );
}

export function drawSeats() {
  const { players, seats, phase } = app.state;
  const letters = lettersOf(players);
  const own = ownSeat();
  return [
    h("h2", {}, t("lobby.title")),
    h(
      "ul",
      { class: "seats" },
      players.map(({ name, shields }, seat) =>
        h(
          "li",
          { class: "seat", "data-seat": seat },
          shieldIcon(shields, letters[seat], 30),
          h("span", { class: "seat-name" }, name, h("small", {}, seatWords(seat))),
          drawSeatButton(seat, seats[seat], own),
        ),
      ),
    ),
    h(
      "div",
      { class: "row" },
      phase === "set-up" &&
        players.length < app.state.most_players &&
        (isHost() || own === null) &&
        h(
          "button",
          { "data-do": "add-seat", onclick: () => (isHost() ? addSeat() : openSeat(players.length)) },
          t("lobby.add"),
        ),
      own === null &&
        !isHost() &&
        !prefs.watching &&
        h(
          "button",
          { "data-do": "watch", onclick: () => (setPref("watching", true), changed()) },
          t("lobby.watch"),
        ),
    ),
  ];
}

function seatWords(seat) {
  const { seats } = app.state;
  const order = seat === 0 ? t("seat.starts") : "";
  const whose = seats[seat] === app.device ? t("seat.own") : seats[seat] ? t("seat.taken") : t("seat.free");
  return [whose, order].filter(Boolean).join(" · ");
}

function drawSeatButton(seat, device, own) {
  if (device === app.device)
    return h("button", { "data-do": "edit-seat", onclick: () => openSeat(seat) }, t("seat.edit"));
  if (device && isHost()) return h("button", { onclick: () => act("stand", { seat }) }, t("seat.clear"));
  if (!device && (own === null || app.state.phase === "set-up"))
    return h(
      "button",
      { class: own === null && !isHost() ? "primary" : "", "data-do": "sit", onclick: () => openSeat(seat) },
      t(isHost() ? "seat.edit" : "seat.take"),
    );
  return null;
}

function drawBegin() {
  const { start_cards: start, cards } = app.state;
  if (!isSeated()) return null;
  return h(
    "div",
    { class: "begin" },
    h("p", {}, t("begin.words", { laid: start.laid, expected: start.expected })),
    Object.keys(cards).length > 0 &&
      h("button", { "data-do": "begin", onclick: () => act("begin") }, t("begin.anyway")),
  );
}

/** The host adds a seat for somebody without a phone. */
async function addSeat() {
  const { players, rulings } = app.state;
  const free = SHIELDS.find((colour) => !players.some(({ shields }) => shields === colour));
  const fresh = { name: t("seat.name", { number: players.length + 1 }), shields: free, was: null };
  await act("arrange", { players: [...players.map((own, was) => ({ ...own, was })), fresh], rulings });
}

/** Name and colour of a seat; the host may also name a seat without sitting down. */
function openSeat(seat) {
  const { players } = app.state;
  const taken = players.filter((_, other) => other !== seat).map(({ shields }) => shields);
  let colour = players[seat]?.shields ?? SHIELDS.find((known) => !taken.includes(known));
  const sitting = !isHost() || app.state.seats[seat] === app.device;
  const send = async (event, sit) => {
    event.preventDefault();
    const name = document.getElementById("seat-name").value.trim();
    if (!name) return;
    closeSheet();
    if (sit) await act("sit", { seat, name, shields: colour }, (state) => !state.seats[seat]);
    else await rename(seat, name, colour);
  };
  openSheet(() => ({
    title: t("seat.title"),
    body: h(
      "form",
      { class: "seat-form", onsubmit: (event) => send(event, sitting) },
      h(
        "label",
        { class: "field" },
        h("span", {}, t("seat.your-name")),
        h("input", {
          id: "seat-name",
          maxlength: 24,
          required: true,
          autocomplete: "nickname",
          placeholder: players[seat]?.name ?? "",
        }),
      ),
      h(
        "fieldset",
        { class: "colours" },
        h("legend", {}, t("seat.colour")),
        SHIELDS.map((known) =>
          h(
            "button",
            {
              class: "colour",
              "data-colour": known,
              disabled: taken.includes(known),
              "aria-pressed": String(known === colour),
              "aria-label": t(`shield.${known}`),
              onclick: () => ((colour = known), changed()),
            },
            shieldIcon(known, "", 34),
          ),
        ),
      ),
      h(
        "button",
        { type: "submit", class: "wide primary", "data-do": "save-seat" },
        t(sitting ? "seat.sit" : "seat.save"),
      ),
      !sitting &&
        !app.state.seats[seat] &&
        h(
          "button",
          { class: "wide", "data-do": "host-sits", onclick: (event) => send(event, true) },
          t("seat.sit-self"),
        ),
    ),
  }));
}

async function rename(seat, name, shields) {
  const { players, rulings } = app.state;
  const renamed = players.map((own, was) => (was === seat ? { name, shields, was } : { ...own, was }));
  await act("arrange", { players: renamed, rulings });
}
