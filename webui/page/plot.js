/** Everybody's points over the turns, as lines. */

import { s } from "./dom.js";
import { isNarrow } from "./store.js";
import { lettersOf, shield } from "./symbols.js";
import { t } from "./words.js";

const HEIGHT = 240;
const LEFT = 34;
const RIGHT = 40;
const BOTTOM = 26;
const DASHES = ["", "9 4", "2.5 4", "12 3 2.5 3"];

export function drawPlot({ players, moments }, step) {
  const width = isNarrow() ? 340 : 720;
  const points = moments.map((moment) => moment.points).filter(Boolean);
  if (points.length < 2) return null;
  const most = Math.max(10, ...points.flat());
  const x = (turn) => LEFT + (turn / (points.length - 1)) * (width - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - (value / most) * (HEIGHT - BOTTOM - 12);
  const letters = lettersOf(players);
  const ends = spread(players.map((_, seat) => y(points.at(-1)[seat])));
  const grid = [0, Math.round(most / 2), most];
  return s(
    "svg",
    {
      class: "plot",
      viewBox: `0 0 ${width} ${HEIGHT}`,
      role: "img",
      "aria-label": t("plot.label", {
        points: players.map(({ name }, seat) => `${name} ${points.at(-1)[seat]}`).join(", "),
      }),
    },
    grid.map((value) => [
      s("path", { class: "grid", d: `M${LEFT} ${y(value)}H${width - RIGHT}` }),
      s("text", { class: "axis", x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, String(value)),
    ]),
    s("text", { class: "axis", x: LEFT, y: HEIGHT - 6 }, "0"),
    s(
      "text",
      { class: "axis", x: width - RIGHT, y: HEIGHT - 6, "text-anchor": "end" },
      t("plot.turns", { count: points.length - 1 }),
    ),
    s("path", { class: "now", d: `M${x(step)} 8V${HEIGHT - BOTTOM}` }),
    players.map(({ shields }, seat) => [
      s("polyline", {
        class: `line line-${shields}`,
        "stroke-dasharray": DASHES[seat % DASHES.length],
        points: points.map((sums, turn) => `${x(turn).toFixed(1)},${y(sums[seat]).toFixed(1)}`).join(" "),
      }),
      shield(shields, letters[seat], { x: width - RIGHT + 8, y: ends[seat] - 11, size: 18 }),
    ]),
  );
}

/** Move labels apart so that none hides another. */
function spread(ys) {
  const order = ys.map((y, seat) => ({ y, seat })).sort((a, b) => a.y - b.y);
  order.forEach((label, number) => {
    if (number) label.y = Math.max(label.y, order[number - 1].y + 23);
  });
  const over = Math.max(0, order.at(-1).y - (HEIGHT - BOTTOM));
  const result = [];
  for (const { y, seat } of order) result[seat] = y - over;
  return result;
}
