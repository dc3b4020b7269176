/** The scoring as the rules do it: tile by tile, shield by shield, at the reader's own pace. */

import { h } from "./dom.js";
import { cardPicture } from "./picker.js";
import { changed, isNarrow } from "./store.js";
import { lettersOf, shieldIcon } from "./symbols.js";
import { bestColumns } from "./plan.js";
import { drawTable } from "./table.js";
import { t } from "./words.js";

const at = new Map(); // game -> step

/** One step for each shield, and one for a tile that has none or leaves cards to nobody. */
function stepsOf(score) {
  const steps = [];
  for (const { tile, shields, awards, unclaimed } of score.tiles) {
    shields.forEach((player, number) => {
      const award = awards[number] ?? { cards: [], points: 0, rank: null };
      steps.push({ tile, player, number, cards: award.cards, points: award.points, rank: award.rank });
    });
    if (unclaimed.length || !shields.length) steps.push({ tile, player: null, cards: unclaimed, points: 0 });
  }
  return steps;
}

export function drawScoring(story, onDone) {
  const steps = stepsOf(story.score);
  const step = Math.min(at.get(story.game) ?? 0, steps.length - 1);
  const { tile, player, cards, points, rank, number } = steps[step];
  const letters = lettersOf(story.players);
  const sums = story.players.map((_, seat) =>
    steps.slice(0, step + 1).reduce((sum, one) => sum + (one.player === seat ? one.points : 0), 0),
  );
  const go = (to) => () => {
    at.set(story.game, to);
    changed();
  };
  const finish = () => {
    at.delete(story.game);
    onDone();
    changed();
  };
  return [
    h(
      "section",
      { class: "panel scoring" },
      h("h1", {}, t("scoring.title", { tile, tiles: story.score.tiles.length })),
      h("div", { class: "felt small", "aria-hidden": "true" }, drawOneTile(story, tile, cards)),
      h(
        "div",
        { class: "award", role: "status" },
        player === null
          ? h(
              "p",
              { class: "big" },
              t(cards.length ? "scoring.nobody" : "scoring.empty", { count: cards.length }),
            )
          : [
              shieldIcon(story.players[player].shields, letters[player], 40),
              h(
                "p",
                { class: "big" },
                t(cards.length ? "scoring.takes" : "scoring.takes-nothing", {
                  name: story.players[player].name,
                  number: number + 1,
                  rank,
                  count: cards.length,
                  points,
                }),
              ),
            ],
        h(
          "p",
          { class: "won" },
          cards.map((card) => cardPicture(story.board, card)),
          points > 0 && h("strong", { class: "plus" }, `+${points}`),
        ),
      ),
      h("progress", { value: step + 1, max: steps.length, "aria-label": t("scoring.progress") }),
      h(
        "div",
        { class: "row" },
        h("button", { "data-do": "back", disabled: step === 0, onclick: go(step - 1) }, t("scoring.back")),
        step < steps.length - 1
          ? h("button", { class: "primary", "data-do": "next", onclick: go(step + 1) }, t("scoring.next"))
          : h("button", { class: "primary", "data-do": "result", onclick: finish }, t("scoring.result")),
      ),
      h("button", { class: "plain", "data-do": "all", onclick: finish }, t("scoring.all")),
    ),
    h(
      "ul",
      { class: "panel sums" },
      story.players.map(({ name, shields }, seat) =>
        h(
          "li",
          { class: seat === player ? "active" : "" },
          shieldIcon(shields, letters[seat], 24),
          h("span", {}, name),
          h("strong", {}, String(sums[seat])),
        ),
      ),
    ),
  ];
}

/** The table with one tile lit and the cards that are being taken marked; on a phone just the tile. */
function drawOneTile(story, tile, cards) {
  const last = story.moments.at(-1);
  const marks = {};
  for (const slot of story.board.tiles[tile]) if (cards.includes(last.cards[slot])) marks[slot] = "take";
  const board = isNarrow() ? onlyTile(story.board, tile) : story.board;
  const width = Math.min(document.documentElement.clientWidth - 48, 1350);
  const columns = bestColumns(board, width, window.innerHeight * 0.4);
  return drawTable(board, story.players, { cards: last.cards, stacks: last.stacks, marks, tile }, columns);
}

function onlyTile(board, tile) {
  const slots = Object.fromEntries(board.tiles[tile].map((slot) => [slot, board.slots[slot]]));
  return { ...board, slots, tiles: { [tile]: board.tiles[tile] } };
}
