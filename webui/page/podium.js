/** The result: places, ties included, the points of each card, and what to do with it. */

import { act } from "./act.js";
import { h } from "./dom.js";
import { picture } from "./picture.js";
import { cardPicture } from "./picker.js";
import { changed, isHost } from "./store.js";
import { lettersOf, shieldIcon } from "./symbols.js";
import { toast } from "./toast.js";
import { t } from "./words.js";

export function drawPodium(story, onAgain = null) {
  const { score, players } = story;
  const letters = lettersOf(players);
  const order = [...score.players].sort((a, b) => a.place - b.place || a.player - b.player);
  return [
    h(
      "section",
      { class: "panel podium-panel" },
      h("h1", {}, winnerWords(score)),
      h(
        "ol",
        { class: "podium" },
        order.map(({ player, name, points, cards, place }) =>
          h(
            "li",
            { class: `step place-${place}`, "data-player": player },
            shieldIcon(players[player].shields, letters[player], 44),
            h("span", { class: "podium-name" }, name),
            h("strong", { class: "podium-points" }, String(points)),
            h("small", {}, t("points.cards", { count: cards })),
            h("span", { class: "block" }, String(place)),
          ),
        ),
      ),
      tieWords(score),
    ),
    h(
      "section",
      { class: "panel" },
      h("h2", {}, t("podium.cards")),
      order.map(({ player }) => drawHaul(story, player, letters)),
    ),
    h(
      "section",
      { class: "panel stacked afterwards" },
      h("button", { class: "wide", "data-do": "picture", onclick: () => share(story) }, t("podium.picture")),
      h(
        "a",
        {
          class: "button wide",
          "data-do": "record",
          href: `/api/record/${story.game}.json`,
          download: `cairn-${story.game}.json`,
        },
        t("podium.record"),
      ),
      onAgain && h("button", { class: "wide", onclick: () => (onAgain(), changed()) }, t("podium.replay")),
      onAgain &&
        isHost() &&
        h("button", { class: "wide primary", "data-do": "again", onclick: again }, t("podium.again")),
      onAgain && !isHost() && h("p", { class: "hint" }, t("podium.host-again")),
    ),
  ];
}

function winnerWords(score) {
  const names = score.winners.map((seat) => score.players[seat].name);
  if (names.length === 1) return t("podium.wins", { name: names[0] });
  return t("podium.shared", { names: `${names.slice(0, -1).join(", ")} ${t("page.and")} ${names.at(-1)}` });
}

/** Points alone did not decide: say what did. */
function tieWords(score) {
  const best = Math.max(...score.players.map(({ points }) => points));
  const level = score.players.filter(({ points }) => points === best);
  if (level.length === 1) return null;
  return h("p", { class: "hint" }, t(score.winners.length === 1 ? "podium.by-cards" : "podium.tie"));
}

function drawHaul({ score, players, board }, player, letters) {
  const awards = score.tiles.flatMap(({ tile, awards }) =>
    awards.filter((award) => award.player === player).map((award) => ({ tile, ...award })),
  );
  return h(
    "details",
    { class: "haul" },
    h(
      "summary",
      {},
      shieldIcon(players[player].shields, letters[player], 24),
      h("span", {}, players[player].name),
      h("strong", {}, String(score.players[player].points)),
    ),
    awards.length
      ? awards.map(({ tile, cards, points }) =>
          h(
            "p",
            { class: "won" },
            h("span", { class: "hint" }, t("tile.name", { tile })),
            cards.map((card) => cardPicture(board, card)),
            h("strong", {}, String(points)),
          ),
        )
      : h("p", { class: "hint" }, t("podium.none")),
  );
}

async function again() {
  if (await act("new-game", { move_on: true })) location.hash = "table";
}

/** Hand the picture to the phone's own sharing where there is one, else save it. */
async function share(story) {
  const blob = await picture(story, winnerWords(story.score));
  const file = new File([blob], `cairn-${story.game}.png`, { type: "image/png" });
  try {
    if (navigator.canShare?.({ files: [file] })) {
      await navigator.share({ files: [file], title: winnerWords(story.score) });
      return;
    }
  } catch (error) {
    if (error.name === "AbortError") return;
  }
  const link = h("a", { href: URL.createObjectURL(blob), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  toast(t("podium.saved"));
}
