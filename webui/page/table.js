/** The table as it lies, drawn in SVG from the slots of the board. */

import { s } from "./dom.js";
import { arrange, PAD } from "./plan.js";
import { campfire, inkOn, lettersOf, shield, symbol } from "./symbols.js";
import { t } from "./words.js";

const NUMBER = 17; // what the tile's number takes of the strip

/**
 * Draw a table.
 * `view` has cards, stacks and what else is known of slots; `taps` what happens on a tap.
 */
export function drawTable(board, players, view, columns, taps = {}) {
  const plan = arrange(board, columns);
  const letters = lettersOf(players);
  const slots = [...plan.places].map(([slot, at]) => drawSlot(board, slot, at, view, taps));
  const first =
    [...plan.places.keys()].find((slot) => slot === taps.focused) ?? plan.places.keys().next().value;
  slots.find((node) => node.dataset.slot === first).setAttribute("tabindex", taps.onSlot ? 0 : -1);
  return s(
    "svg",
    {
      class: "table",
      viewBox: `0 0 ${plan.width} ${plan.height}`,
      role: "group",
      "aria-label": t("table.label"),
      onkeydown: taps.onSlot && ((event) => moveFocus(event, plan.places)),
    },
    s(
      "defs",
      {},
      s(
        "pattern",
        { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        s("rect", { width: 2.4, height: 6, class: "hatch" }),
      ),
      s(
        "pattern",
        { id: "weave", width: 8, height: 8, patternUnits: "userSpaceOnUse" },
        s("path", { d: "M0 4 4 0 8 4 4 8z", class: "weave" }),
      ),
    ),
    plan.plates.map((plate) => drawPlate(plate, plan, view)),
    slots,
    plan.plates.map((plate) => drawStack(plate, players, letters, view, taps)),
  );
}

function drawPlate({ tile, head, x, right, y, height }, plan, view) {
  const at = head && plan.places.get(head);
  const left = at && at.x < x;
  const reach = at ? at.h + 2 * PAD : 0;
  const from = x - PAD - (left ? reach - PAD : 0);
  const width = right - x + 2 * PAD + (at ? reach - PAD : 0);
  const lit = view.tile === Number(tile) ? " lit" : "";
  return s(
    "g",
    { class: `tile${lit}`, "data-key": `plate-${tile}` },
    s("rect", { class: "plate", x: from, y: y - PAD, width, height: height + 2 * PAD, rx: 8 }),
    at && campfire(at.x, y + 30, 1.05),
    s("text", { class: "tile-number", x: x + 9, y: y + height / 2 + 5 }, tile),
  );
}

function drawSlot(board, slot, at, view, taps) {
  const card = view.cards[slot] ?? null;
  const ghost = card ? null : (view.unrecorded?.[slot] ?? null);
  const mark = view.marks?.[slot];
  const classes = [
    "slot",
    card || ghost ? "filled" : "free",
    mark && `mark-${mark}`,
    ghost && "ghost",
    view.newest === slot && "newest",
    view.suggested?.includes(slot) && !card && "suggested",
  ].filter(Boolean);
  return s(
    "g",
    {
      class: classes.join(" "),
      "data-key": slot,
      "data-slot": slot,
      "data-card": card,
      transform: `translate(${at.x} ${at.y})${at.turned ? " rotate(90)" : ""}`,
      role: taps.onSlot ? "button" : "img",
      tabindex: -1,
      "aria-label": slotWords(board, slot, view),
      onclick: taps.onSlot && (() => taps.onSlot(slot)),
      onkeydown:
        taps.onSlot &&
        ((event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), taps.onSlot(slot))),
      onfocus: taps.onFocus && (() => taps.onFocus(slot)),
    },
    s("rect", { class: "place", x: -at.w / 2, y: -at.h / 2, width: at.w, height: at.h, rx: 5 }),
    !card &&
      !ghost &&
      s("text", { class: "slot-name", y: 4, transform: at.turned ? "rotate(-90)" : null }, slot),
    (card || ghost) &&
      s("g", { class: "card", "data-key": card ?? ghost }, drawCard(board, card ?? ghost, at)),
    view.covered?.includes(slot) && drawCover(at),
    mark &&
      s("rect", {
        class: "mark",
        x: -at.w / 2 - 1,
        y: -at.h / 2 - 1,
        width: at.w + 2,
        height: at.h + 2,
        rx: 6,
      }),
    mark === "may" && !card && s("path", { class: "tick", d: "M-9 0l6 7L10-8" }),
    mark === "wrong" && badge("!", "wrong", at),
    view.questions?.[slot] && badge("?", "question", at),
  );
}

/** The face of a card, in the middle of its slot. */
export function drawCard(board, card, { w = 44, h = 68, turned = false } = {}) {
  const cut = card.lastIndexOf("-");
  const colour = board.colours.find(({ name }) => name === card.slice(0, cut));
  const box = { x: -w / 2 + 1, y: -h / 2 + 1, width: w - 2, height: h - 2, rx: 4.5 };
  if (card === "face-down" || !colour) {
    return [
      s("rect", { class: "card-back", ...box }),
      s("rect", {
        class: "card-weave",
        x: -w / 2 + 4.5,
        y: -h / 2 + 4.5,
        width: w - 9,
        height: h - 9,
        rx: 2.5,
        fill: "url(#weave)",
      }),
    ];
  }
  const ink = inkOn(colour.swatch);
  const turn = turned ? "rotate(-90)" : null;
  const [number, sign] = turned
    ? [
        [-15, 10],
        [2, -12],
      ]
    : [
        [0, -3],
        [-11, 6],
      ];
  return [
    s("rect", { class: "card-face", fill: colour.swatch, ...box }),
    s("rect", {
      class: "card-line",
      stroke: ink,
      x: -w / 2 + 4,
      y: -h / 2 + 4,
      width: w - 8,
      height: h - 8,
      rx: 2.5,
    }),
    s(
      "g",
      { transform: turn },
      s("text", { class: "card-rank", x: number[0], y: number[1], fill: ink }, card.slice(cut + 1)),
      symbol(colour.symbol, { x: sign[0], y: sign[1], size: 22, fill: ink }),
    ),
  ];
}

function drawCover({ w, h }) {
  return s(
    "g",
    { class: "cover" },
    s("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: 5, fill: "url(#hatch)" }),
    s("path", {
      class: "hand",
      d: "M-7 9V-2a2 2 0 0 1 4 0v-6a2 2 0 0 1 4 0v1a2 2 0 0 1 4 0v2a2 2 0 0 1 4 0V5c0 5-3 9-8 9-4 0-6-2-8-5z",
    }),
  );
}

function badge(sign, kind, { w, h, turned }) {
  const at = turned ? [-w / 2 + 3, -h / 2 + 3] : [w / 2 - 3, -h / 2 + 3];
  return s(
    "g",
    { class: `badge badge-${kind}`, transform: `translate(${at})${turned ? " rotate(-90)" : ""}` },
    s("circle", { r: 9 }),
    s("text", { y: 4.6 }, sign),
  );
}

function drawStack({ tile, x, right, strip }, players, letters, view, taps) {
  const stack = view.stacks[tile] ?? [];
  const room = right - x - NUMBER - 20;
  const step = Math.min(27, room / Math.max(stack.length - 1, 1));
  const from = Math.max((x + right) / 2 - ((stack.length - 1) * step) / 2, x + NUMBER + 10);
  return s(
    "g",
    {
      class: `stack${stack.length ? "" : " empty"}`,
      "data-key": `stack-${tile}`,
      "data-tile": tile,
      role: taps.onTile ? "button" : "img",
      tabindex: taps.onTile ? 0 : null,
      "aria-label": stackWords(tile, stack, players),
      onclick: taps.onTile && (() => taps.onTile(Number(tile))),
      onkeydown:
        taps.onTile &&
        ((event) =>
          ["Enter", " "].includes(event.key) && (event.preventDefault(), taps.onTile(Number(tile)))),
    },
    s("rect", { class: "strip", x, y: strip - 25, width: right - x, height: 50, rx: 5 }),
    stack.map((mark, number) =>
      s(
        "g",
        { class: "laid-shield", "data-key": `${number}-${mark.player}` },
        shield(players[mark.player].shields, letters[mark.player], {
          x: from + number * step - 10,
          y: strip - 21,
          size: 20,
        }),
        s(
          "text",
          { class: `takes${mark.points ? "" : " nothing"}`, x: from + number * step, y: strip + 18 },
          mark.points ? `${mark.points}` : "–",
        ),
      ),
    ),
  );
}

/** A slot for somebody who cannot see it. */
function slotWords(board, slot, view) {
  const card = view.cards[slot];
  const words = [
    card === "face-down" ? t("card.face-down") : card ? (board.cards[card] ?? card) : t("slot.free"),
  ];
  if (view.covered?.includes(slot)) words.push(t("slot.covered"));
  if (view.questions?.[slot]) words.push(t("slot.unsure"));
  if (view.newest === slot) words.push(t("slot.newest"));
  if (view.marks?.[slot] === "wrong") words.push(t("slot.wrong"));
  if (view.marks?.[slot] === "may") words.push(t("slot.takes"));
  return `${slot}: ${words.join(", ")}`;
}

function stackWords(tile, stack, players) {
  const shields = stack.map((mark) =>
    t("stack.shield", { name: players[mark.player].name, points: mark.points }),
  );
  return t(shields.length ? "stack.label" : "stack.empty", { tile, shields: shields.join(", ") });
}

/** Arrow keys go to the nearest slot in their direction. */
function moveFocus(event, places) {
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  const from = places.get(event.target.dataset?.slot);
  if (!way || !from) return;
  event.preventDefault();
  let best = null;
  for (const [slot, at] of places) {
    const ahead = (at.x - from.x) * way[0] + (at.y - from.y) * way[1];
    const aside = Math.abs((at.x - from.x) * way[1]) + Math.abs((at.y - from.y) * way[0]);
    const far = ahead + 2.2 * aside;
    if (ahead > 1 && (!best || far < best.far)) best = { slot, far };
  }
  if (best) event.currentTarget.querySelector(`[data-slot="${best.slot}"]`).focus();
}
