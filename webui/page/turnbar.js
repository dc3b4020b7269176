/** Whose turn it is, and what everybody has left. */

import { h, s } from "./dom.js";
import { app, ownSeat } from "./store.js";
import { lettersOf, shieldIcon } from "./symbols.js";
import { t } from "./words.js";

export function drawTurnBar() {
  const { players, next_player: next, phase } = app.state;
  return h(
    "section",
    { class: "turnbar", "aria-label": t("turnbar.label"), "data-key": "turnbar" },
    h(
      "div",
      { class: "heading" },
      h("h1", { class: `headline${phase === "play" && next === ownSeat() ? " own" : ""}` }, headline()),
      drawProgress(),
    ),
    h(
      "ul",
      { class: `players players-${players.length}` },
      players.map((_, seat) => drawPlayer(seat)),
    ),
  );
}

/** Which turn it is, of how many. */
function drawProgress() {
  const { phase, turns, placements } = app.state;
  return (
    phase === "play" &&
    h("small", {}, t("headline.progress", { turn: Math.min(turns + 1, placements), placements }))
  );
}

function headline() {
  const { phase, players, next_player: next, start_cards: start } = app.state;
  if (phase === "set-up") return t("headline.set-up", { laid: start.laid, expected: start.expected });
  if (phase === "over") return t("headline.over");
  return next === ownSeat() ? t("headline.own") : t("headline.turn", { name: players[next].name });
}

function drawPlayer(seat) {
  const { players, left, standings, next_player: next, phase } = app.state;
  const { name, shields } = players[seat];
  const own = standings?.find((row) => row.player === seat);
  const active = phase === "play" && seat === next;
  return h(
    "li",
    {
      class: `player${active ? " active" : ""}${seat === ownSeat() ? " me" : ""}`,
      "aria-current": active ? "true" : null,
    },
    shieldIcon(shields, lettersOf(players)[seat], 26),
    h("span", { class: "player-name" }, name),
    h(
      "span",
      { class: "left" },
      h(
        "span",
        { class: "count" },
        icon("M3 1h8a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V2a1 1 0 0 1 1-1z"),
        String(left[seat].cards),
        h("span", { class: "said" }, t("left.cards", { count: left[seat].cards })),
      ),
      h(
        "span",
        { class: "count" },
        icon("M2 1h10v7c0 4-3 6-5 7-2-1-5-3-5-7z"),
        String(left[seat].shields),
        h("span", { class: "said" }, t("left.shields", { count: left[seat].shields })),
      ),
    ),
    own &&
      phase !== "set-up" &&
      h(
        "span",
        { class: "player-points" },
        String(own.points),
        h("span", { class: "said" }, t("left.points")),
      ),
  );
}

const icon = (path) =>
  s("svg", { class: "count-icon", viewBox: "0 0 14 16", "aria-hidden": "true" }, s("path", { d: path }));
