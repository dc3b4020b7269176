/** What a television has room for under the table: the points, the last turns, the code. */

import { h } from "./dom.js";
import { drawCode } from "./lobby.js";
import { turnWords } from "./log.js";
import { cardPicture } from "./picker.js";
import { drawStandings } from "./points.js";
import { app } from "./store.js";
import { storyOf } from "./story.js";
import { lettersOf, shieldIcon } from "./symbols.js";
import { t } from "./words.js";

const TURNS = 5;

export function drawAside() {
  return h(
    "div",
    { class: "aside", "data-key": "aside" },
    drawStandings("h2"),
    drawLatest(),
    h("section", { class: "panel" }, drawCode()),
  );
}

function drawLatest() {
  const { players } = app.state;
  const story = storyOf();
  const turns = (story?.moments ?? [])
    .filter(({ turn }) => turn)
    .slice(-TURNS)
    .reverse();
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, t("log.latest")),
    h(
      "ol",
      { class: "latest" },
      turns.map(({ turn }) =>
        h(
          "li",
          { "data-key": `latest-${turn.turn}` },
          shieldIcon(players[turn.player].shields, lettersOf(players)[turn.player], 24),
          cardPicture(app.board, turn.card),
          h("span", {}, turnWords(story, turn)),
        ),
      ),
    ),
  );
}
