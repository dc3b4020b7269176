/** The log: every turn with its time, findings and corrections; the table as it was; the points. */

import { h } from "./dom.js";
import { drawPlot } from "./plot.js";
import { cardPicture } from "./picker.js";
import { app, cardWord, changed, isSeated } from "./store.js";
import { storyOf } from "./story.js";
import { lettersOf, shieldIcon } from "./symbols.js";
import { bestColumns } from "./plan.js";
import { drawTable } from "./table.js";
import { editTurn, insertTurn } from "./turnsheet.js";
import { clock, t } from "./words.js";

let step = null; // null follows the game

export function drawLog() {
  const story = storyOf();
  if (!story) return h("p", { class: "hint" }, t("page.loading"));
  return drawStory(story, true);
}

/** A game's story: `own` is the present one, whose turns can be edited. */
export function drawStory(story, own) {
  const last = story.moments.length - 1;
  const now = Math.min(step ?? last, last);
  return [
    drawStepper(story, own, now, last),
    h(
      "section",
      { class: "panel" },
      h("h2", {}, t("plot.title")),
      drawPlot(story, now) ??
        h("p", { class: "hint" }, t(story.moments.at(-1).points ? "plot.none" : "points.hidden")),
    ),
    h("section", { class: "panel" }, h("h2", {}, t("log.title")), drawTurns(story, own, now)),
  ];
}

function drawStepper(story, own, now, last) {
  const moment = story.moments[now];
  const go = (to) => {
    step = to >= last ? null : Math.max(0, to);
    changed();
  };
  const marks = {};
  for (const { slots } of moment.findings)
    slots.forEach((slot, number) => (marks[slot] ??= number ? "proof" : "wrong"));
  const columns = bestColumns(
    story.board,
    Math.min(document.documentElement.clientWidth - 16, 1500),
    Math.max(window.innerHeight * 0.5, 260),
  );
  return h(
    "section",
    { class: "stepper", "aria-label": t("log.step") },
    own && h("h1", { class: "said" }, t("log.step")),
    h(
      "div",
      { class: "felt" },
      drawTable(
        story.board,
        story.players,
        { cards: moment.cards, stacks: moment.stacks, marks, newest: moment.turn?.slot },
        columns,
      ),
    ),
    h(
      "div",
      { class: "steps" },
      h(
        "button",
        {
          "data-do": "step-back",
          "aria-label": t("log.back"),
          disabled: now === 0,
          onclick: () => go(now - 1),
        },
        "‹",
      ),
      h(
        "label",
        { class: "slider" },
        h("span", {}, now ? t("log.turn", { turn: now, last }) : t("log.start")),
        slider(now, last, go),
      ),
      h(
        "button",
        {
          "data-do": "step-on",
          "aria-label": t("log.on"),
          disabled: now === last,
          onclick: () => go(now + 1),
        },
        "›",
      ),
    ),
  );
}

function slider(now, last, go) {
  const node = h("input", {
    type: "range",
    min: 0,
    max: last,
    step: 1,
    oninput: (event) => go(Number(event.target.value)),
    "data-now": now,
  });
  node.value = now;
  return node;
}

function drawTurns(story, own, now) {
  const letters = lettersOf(story.players);
  const rows = story.moments.map((moment, number) =>
    drawMoment(story, moment, number, letters, own, number === now),
  );
  return [
    h("ol", { class: "log", reversed: true }, rows.reverse()),
    h(
      "details",
      { class: "haul" },
      h("summary", {}, h("span", {}, t("log.all"))),
      h(
        "ul",
        { class: "lines" },
        [...story.log]
          .reverse()
          .map((line) => h("li", {}, h("time", {}, clock(line.at)), lineWords(story, line))),
      ),
    ),
  ];
}

function drawMoment(story, moment, number, letters, own, current) {
  const corrections = story.log.filter(
    (line) => number && line.turn === number - 1 && line.effect === "changed" && !isShieldOnly(line),
  );
  return h(
    "li",
    { class: `moment${current ? " current" : ""}`, "data-key": `moment-${number}` },
    h(
      "button",
      { class: "moment-main", onclick: () => ((step = number), changed()) },
      moment.turn
        ? [
            h("span", { class: "moment-number" }, String(number)),
            shieldIcon(story.players[moment.turn.player].shields, letters[moment.turn.player], 22),
            cardPicture(story.board, moment.turn.card),
            h(
              "span",
              { class: "moment-words" },
              turnWords(story, moment.turn),
              h("small", {}, clock(moment.at)),
            ),
          ]
        : h("span", { class: "moment-words" }, t("log.start")),
    ),
    moment.findings.map(({ text, accepted }) =>
      h(
        "p",
        { class: "moment-finding" },
        h("span", { class: "warning-sign", "aria-hidden": "true" }, "!"),
        text,
        accepted && h("em", {}, ` ${t("log.accepted")}`),
      ),
    ),
    corrections.map((line) =>
      h("p", { class: "moment-note" }, h("time", {}, clock(line.at)), lineWords(story, line)),
    ),
    own &&
      current &&
      isSeated() &&
      h(
        "div",
        { class: "row" },
        moment.turn &&
          h("button", { "data-do": "edit-turn", onclick: () => editTurn(number - 1) }, t("log.edit")),
        app.state.phase !== "set-up" &&
          h("button", { "data-do": "insert-turn", onclick: () => insertTurn(number) }, t("log.insert")),
      ),
  );
}

/** A shield put down later in the same turn is no correction. */
const isShieldOnly = ({ was, now }) =>
  was.card === now.card && was.slot === now.slot && was.player === now.player;

const cardOf = (story, card) => (card === "face-down" ? t("card.face-down") : cardWord(card, story.board));

export function turnWords(story, { player, slot, card, shields }) {
  const words = t("log.laid", { name: story.players[player].name, card: cardOf(story, card), slot });
  return shields.length ? `${words}, ${t("log.shield", { tile: shields.join(", ") })}` : words;
}

function byWords(story, by) {
  if (by === "camera") return t("log.by-camera");
  const seat = /^seat (\d+)$/.exec(by);
  return seat ? (story.players[seat[1]]?.name ?? t("log.by-host")) : t("log.by-host");
}

/** One line of the journal as a sentence. */
function lineWords(story, { by, effect, turn, was, now, accepted, undo, redo }) {
  const who = byWords(story, by);
  const back = undo ? t("log.undone") : redo ? t("log.redone") : null;
  const words = {
    laid: () => t("log.line-laid", { turn: turn + 1, words: turnWords(story, now) }),
    removed: () => t("log.line-removed", { turn: turn + 1, card: cardOf(story, was.card), slot: was.slot }),
    changed: () =>
      isShieldOnly({ was, now })
        ? t("log.line-shields", { turn: turn + 1, words: turnWords(story, now) })
        : t("log.line-changed", {
            turn: turn + 1,
            was: `${story.players[was.player].name}, ${cardOf(story, was.card)}, ${was.slot}`,
            words: turnWords(story, now),
          }),
    accepted: () => t("log.line-accepted", { words: accepted }),
    start: () => t("log.line-start"),
    table: () => t("log.line-table"),
  }[effect]();
  return ` ${who}: ${[back, words].filter(Boolean).join(" ")}`;
}
