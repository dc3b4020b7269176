/** What is wrong on the table, and what people can do about it. */

import { act } from "./act.js";
import { h } from "./dom.js";
import { correctSlot, tapSlot } from "./slotsheet.js";
import { app, changed, isSeated, isWide } from "./store.js";
import { t } from "./words.js";

let open = false;

/** How slots of open findings are marked: the first is the one that is wrong, others prove it. */
export function marksOf(findings) {
  const marks = {};
  for (const { slots, code } of findings) {
    slots.forEach((slot, number) => {
      const wrong = number === 0 && code !== "setup-count";
      if (wrong || !marks[slot]) marks[slot] = wrong ? "wrong" : "proof";
    });
  }
  return marks;
}

export function drawWarnings() {
  const { findings, questions, phase } = app.state;
  // While start cards are still being laid their number is no news.
  const shown = findings.filter(({ code }) => !(phase === "set-up" && code === "setup-count"));
  const newest = [...shown].reverse();
  const atOnce = isWide() ? 3 : 2;
  return [
    newest.slice(0, open ? newest.length : atOnce).map((finding) => drawWarning(finding)),
    newest.length > atOnce &&
      h(
        "button",
        {
          class: "more-warnings",
          "data-key": "more-warnings",
          "aria-expanded": String(open),
          onclick: () => ((open = !open), changed()),
        },
        open ? t("warning.fewer") : t("warning.more", { count: newest.length - atOnce }),
      ),
    drawQuestion(Object.keys(questions)),
  ];
}

/** One notice for all that the camera is not sure of; the button asks for them one by one. */
function drawQuestion(slots) {
  if (!slots.length) return null;
  const answer = h(
    "button",
    { class: "primary", "data-do": "answer", onclick: () => tapSlot(slots[0]) },
    t("question.answer", { slot: slots[0] }),
  );
  return h(
    "article",
    { class: "warning question", "data-key": "question" },
    h("p", {}, t("question.words", { count: slots.length, slots: slots.join(", ") })),
    isSeated() && h("div", { class: "buttons" }, answer),
  );
}

function drawWarning(finding) {
  const { turn, code, slots, text, difference } = finding;
  const body = { turn, code, slot: difference ? slots[0] : null };
  const stillThere = (state) =>
    state.findings.some((other) => other.code === code && other.turn === turn && other.text === text);
  return h(
    "article",
    { class: "warning", "data-code": code, "data-key": `${code}-${turn}-${slots[0]}` },
    h("p", {}, h("span", { class: "warning-sign", "aria-hidden": "true" }, "!"), text),
    isSeated() &&
      h(
        "div",
        { class: "buttons" },
        slots[0] &&
          app.state.cards[slots[0]] &&
          h(
            "button",
            { "data-do": "not-there", onclick: () => correctSlot(slots[0]) },
            t("warning.not-there"),
          ),
        h(
          "button",
          { "data-do": "accept", onclick: () => act("accept", body, stillThere) },
          t("warning.accept"),
        ),
      ),
  );
}
