/** The table: turn bar, warnings, the table itself, and what one can do now. */

import { act } from "./act.js";
import { h } from "./dom.js";
import { drawAside } from "./aside.js";
import { drawLobby } from "./lobby.js";
import { drawMay } from "./mayi.js";
import { tapSlot } from "./slotsheet.js";
import { tapTile } from "./stacksheet.js";
import {
  app,
  cardWord,
  changed,
  isHost,
  isSeated,
  isNarrow,
  isWide,
  ownSeat,
  player,
  turnWithoutShield,
} from "./store.js";
import { lettersOf, shieldIcon } from "./symbols.js";
import { bestColumns } from "./plan.js";
import { drawTable } from "./table.js";
import { drawTurnBar } from "./turnbar.js";
import { drawWarnings, marksOf } from "./warnings.js";
import { t } from "./words.js";

export function drawTableView() {
  const settingUp = app.state.phase === "set-up";
  // Who has no seat yet finds the seats before the table; at the host's the code must be seen.
  const seatsFirst = settingUp && (isHost() || ownSeat() === null);
  return [
    drawTurnBar(),
    seatsFirst && drawLobby(),
    h(
      "section",
      { class: "notices", "aria-label": t("warning.label"), "data-key": "notices" },
      drawWarnings(),
    ),
    h(
      "section",
      { class: "felt", "aria-label": t("table.label"), "data-key": "felt" },
      drawCamera(),
      drawBoard(),
    ),
    h(
      "div",
      { class: "shield-offer", "data-key": "shield-offer" },
      app.state.phase === "over" && drawScoringButton(),
      drawShieldButton(),
    ),
    h(
      "section",
      { class: "actions", "aria-label": t("actions.label"), "data-key": "actions" },
      drawActions(),
    ),
    !seatsFirst && drawLobby(),
    !settingUp && isWide() && drawAside(),
  ];
}

function drawBoard() {
  const { state, board } = app;
  const marks = {
    ...marksOf(state.findings.filter(({ code }) => !(state.phase === "set-up" && code === "setup-count"))),
  };
  for (const slot of app.may?.slots ?? []) marks[slot] ??= "may";
  const view = {
    ...state,
    marks,
    newest: state.last?.slot ?? null,
    suggested: state.phase === "set-up" ? board.suggested_start : [],
  };
  return drawTable(board, state.players, view, columnsFor(board), {
    focused: app.focused,
    onSlot: tapSlot,
    onTile: tapTile,
    onFocus: (slot) => {
      if (app.focused !== slot) {
        app.focused = slot;
        changed();
      }
    },
  });
}

/** The row is broken where that makes cards larger; see docs/page.md for what was tried. */
function columnsFor(board) {
  const seatsBeside = isWide() && app.state.phase === "set-up";
  const around = isNarrow() ? 0 : 32; // on a phone the table goes from edge to edge
  const width = Math.min(document.documentElement.clientWidth - around, 1900) - (seatsBeside ? 480 : 0);
  const height = window.innerHeight * (seatsBeside ? 0.76 : 0.62);
  return bestColumns(board, width, height, true);
}

function drawCamera() {
  const { camera } = app.state;
  const quiet = camera === "none" || camera === "live";
  return !quiet && h("p", { class: "camera-lost", role: "status" }, t(`camera.${camera}`));
}

function drawActions() {
  const { state } = app;
  const buttons = [drawMay()];
  if (isSeated()) {
    buttons.push(
      h(
        "div",
        { class: "row" },
        h(
          "button",
          { "data-do": "undo", disabled: !state.can_undo, onclick: () => act("undo") },
          "↶ ",
          t("actions.undo"),
        ),
        h(
          "button",
          { "data-do": "redo", disabled: !state.can_redo, onclick: () => act("redo") },
          "↷ ",
          t("actions.redo"),
        ),
      ),
    );
  }
  return buttons;
}

function drawScoringButton() {
  const go = () => (location.hash = "points");
  return h(
    "button",
    { class: "big primary", "data-do": "scoring", "data-key": "scoring", onclick: go },
    t("actions.scoring"),
  );
}

/** The player's own phone offers the shield; the host's offers everybody's. */
function drawShieldButton() {
  const seat = isHost() ? (app.state.last?.player ?? null) : ownSeat();
  const turn = seat === null ? null : turnWithoutShield(seat);
  if (!turn) return null;
  const own = seat === ownSeat();
  const words = own
    ? t("shield.here", { tile: turn.tile })
    : t("shield.for", { name: player(seat).name, tile: turn.tile });
  const letters = lettersOf(app.state.players)[seat];
  const same = (state) =>
    state.last?.turn === turn.turn && state.last.slot === turn.slot && !state.last.shields.length;
  return h(
    "button",
    {
      class: "big primary shield-here",
      "data-do": "shield",
      "data-key": "shield",
      onclick: () => act("shield", { player: seat, tile: turn.tile, turn: turn.turn }, same),
    },
    shieldIcon(player(seat).shields, letters, 30),
    h(
      "span",
      {},
      words,
      h("small", {}, turn.card === "face-down" ? t("card.face-down") : cardWord(turn.card)),
    ),
  );
}
