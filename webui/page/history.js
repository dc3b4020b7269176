/** Finished games, everybody's figures, and records that come and go. */

import { ask } from "./act.js";
import { h } from "./dom.js";
import { drawStory } from "./log.js";
import { post, Refused } from "./net.js";
import { drawPodium } from "./podium.js";
import { app, changed, isHost } from "./store.js";
import { storyOf } from "./story.js";
import { lettersOf, shieldIcon } from "./symbols.js";
import { toast } from "./toast.js";
import { date, t } from "./words.js";

let history = null;
let asked = null;
let opened = null;

export function drawHistory() {
  const key = `${app.state.game} ${app.state.number} ${history?.imports ?? 0}`;
  if (asked !== key) learn(key);
  if (opened !== null) return drawOpened();
  if (!history) return h("p", { class: "hint" }, t("page.loading"));
  return [h("h1", { class: "said" }, t("tab.history")), drawFigures(), drawGames(), drawExchange()];
}

async function learn(key) {
  asked = key;
  const answer = await ask("/api/history");
  if (!answer) return;
  history = { imports: history?.imports ?? 0, ...answer };
  changed();
}

function drawFigures() {
  if (!history.players.length) return null;
  const columns = ["games", "wins", "average", "best"];
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, t("history.players")),
    h(
      "table",
      { class: "figures" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, t("history.name")),
          columns.map((column) => h("th", { scope: "col" }, t(`history.${column}`))),
        ),
      ),
      h(
        "tbody",
        {},
        history.players.map((person) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, person.name),
            columns.map((column) => h("td", {}, String(person[column]))),
          ),
        ),
      ),
    ),
  );
}

function drawGames() {
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, t("history.games-title")),
    history.games.length
      ? h("ul", { class: "games" }, history.games.map(drawGame))
      : h("p", { class: "hint" }, t("history.none")),
  );
}

function drawGame({ game, began, over, imported, turns, winners, players }) {
  const letters = lettersOf([...players].sort((a, b) => a.player - b.player));
  return h(
    "li",
    { "data-key": `game-${game}` },
    h(
      "button",
      {
        class: "game",
        "data-game": game,
        onclick: () => ((opened = game), changed(), window.scrollTo(0, 0)),
      },
      h(
        "span",
        { class: "game-date" },
        date(began),
        imported && ` · ${t("history.imported")}`,
        !over && ` · ${t("history.open", { turns })}`,
      ),
      h(
        "span",
        { class: "game-players" },
        players.map(({ player, name, points, shields }) =>
          h(
            "span",
            { class: winners.includes(player) ? "winner" : "" },
            shieldIcon(shields, letters[player], 18),
            name,
            h("b", {}, ` ${points}`),
          ),
        ),
      ),
    ),
  );
}

function drawOpened() {
  const story = storyOf(opened);
  const back = h(
    "button",
    { class: "wide", "data-do": "history-back", onclick: () => ((opened = null), changed()) },
    t("history.back"),
  );
  if (!story) return [back, h("p", { class: "hint" }, t("page.loading"))];
  return [back, story.over && drawPodium(story), drawStory(story, false)];
}

function drawExchange() {
  return h(
    "section",
    { class: "panel stacked" },
    h("h2", {}, t("history.exchange")),
    h(
      "a",
      { class: "button wide", href: "/api/records.json", download: "cairn-records.json" },
      t("history.export"),
    ),
    h(
      "a",
      { class: "button wide", href: "/api/results.csv", download: "cairn-results.csv" },
      t("history.csv"),
    ),
    isHost() &&
      h(
        "label",
        { class: "button wide" },
        t("history.import"),
        h("input", {
          type: "file",
          class: "said",
          accept: "application/json,.json",
          "data-do": "import",
          onchange: takeFile,
        }),
      ),
  );
}

async function takeFile(event) {
  const file = event.target.files[0];
  event.target.value = "";
  if (!file) return;
  try {
    const { games } = await post("/api/import", await file.text());
    history.imports += 1;
    toast(t("history.took", { count: games.length }));
    changed();
  } catch (error) {
    toast(error instanceof Refused ? `${error.message} ${error.detail}` : t("page.not-sent"), "bad");
  }
}
