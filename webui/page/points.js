/** Points: how it stands now, and at the end the scoring step by step and the result. */

import { act } from "./act.js";
import { h } from "./dom.js";
import { drawPodium } from "./podium.js";
import { drawScoring } from "./scoring.js";
import { app, isHost } from "./store.js";
import { storyOf } from "./story.js";
import { lettersOf, shieldIcon } from "./symbols.js";
import { t } from "./words.js";

const told = new Set(); // games whose scoring was gone through on this phone

export function drawPoints() {
  const { state } = app;
  if (state.phase !== "over") return [drawStandings(), drawHiding()];
  const story = storyOf();
  if (!story || !story.over) return h("p", { class: "hint" }, t("page.loading"));
  if (!told.has(story.game)) return drawScoring(story, () => told.add(story.game));
  return drawPodium(story, () => told.delete(story.game));
}

export function drawStandings(heading = "h1") {
  const { standings, players, left } = app.state;
  if (!standings)
    return h(
      "section",
      { class: "panel" },
      h(heading, {}, t("points.title")),
      h("p", {}, t("points.hidden")),
    );
  const letters = lettersOf(players);
  const rows = [...standings].sort((a, b) => a.place - b.place || a.player - b.player);
  const most = Math.max(1, ...rows.map(({ points }) => points));
  return h(
    "section",
    { class: "panel standings" },
    h(heading, {}, t("points.title")),
    h("p", { class: "hint" }, t("points.now")),
    h(
      "ol",
      { class: "standing-list" },
      rows.map(({ player, points, cards, place }) =>
        h(
          "li",
          { "data-key": `standing-${player}` },
          h("span", { class: "place" }, `${place}.`),
          shieldIcon(players[player].shields, letters[player], 30),
          h(
            "span",
            { class: "standing-name" },
            players[player].name,
            h(
              "small",
              {},
              t("points.cards", { count: cards }),
              " · ",
              t("points.left", { count: left[player].shields }),
            ),
          ),
          h("span", { class: "bar", "aria-hidden": "true" }, bar(points / most, players[player].shields)),
          h("strong", { class: "sum" }, String(points)),
        ),
      ),
    ),
  );
}

function bar(share, colour) {
  const node = h("span", { class: `bar-fill bar-${colour}` });
  node.style.width = `${Math.round(share * 100)}%`;
  return node;
}

function drawHiding() {
  if (!isHost()) return null;
  const hidden = app.state.standings_hidden;
  return h(
    "section",
    { class: "panel" },
    h(
      "label",
      { class: "switch" },
      h("input", {
        type: "checkbox",
        checked: hidden,
        "data-do": "hide",
        onchange: () => act("standings", { hidden: !hidden }),
      }),
      h("span", {}, t("points.hide")),
    ),
  );
}
