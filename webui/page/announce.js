/** What is new is said to screen readers, and warnings ring and buzz. */

import { buzz, ring } from "./sound.js";
import { cardWord, ownSeat } from "./store.js";
import { t } from "./words.js";

export function announce(before, state) {
  if (!before || before.game !== state.game) return;
  const known = new Set(before.findings.map(({ text }) => text));
  const fresh = state.findings.filter(
    ({ text, code }) => !known.has(text) && !(state.phase === "set-up" && code === "setup-count"),
  );
  if (fresh.length) {
    say("warnings-said", fresh.map(({ text }) => text).join(" "));
    ring();
    buzz();
  } else if (!state.findings.length) {
    say("warnings-said", "");
  }
  if (state.turns > before.turns && state.last) say("news-said", newsOf(state));
}

function newsOf({ last, players, next_player: next, phase }) {
  const card = last.card === "face-down" ? t("card.face-down") : cardWord(last.card);
  const laid = t("log.laid", { name: players[last.player].name, card, slot: last.slot });
  const then =
    phase === "over"
      ? t("headline.over")
      : next === ownSeat()
        ? t("headline.own")
        : t("headline.turn", { name: players[next].name });
  return `${laid}. ${then}`;
}

function say(id, words) {
  document.getElementById(id).textContent = words;
}
