/** Where everything on the table goes: tiles in one row, or the row broken into several. */

const EXTRA = 16; // the strip between the two sides, wider than on the real tile: stacks must be read
const TILE_GAP = 5; // tiles lie close on the table; apart they are easier to count
const ROW_GAP = 16;
const EDGE = 3; // with this a slot is 44 px wide on a phone of 360
export const PAD = 3;

/**
 * Where everything goes when the row of tiles is broken into rows of `columns` tiles.
 * All numbers are in the board's own unit.
 */
export function arrange(board, columns) {
  const tiles = Object.entries(board.tiles).map(([tile, slots]) => {
    const upright = slots.filter((slot) => !board.slots[slot].turned);
    const all = slots.map((slot) => board.slots[slot]);
    const own = upright.map((slot) => board.slots[slot]);
    return {
      tile,
      slots,
      head: slots.find((slot) => board.slots[slot].turned) ?? null,
      left: Math.min(...all.map((at) => at.x - (at.turned ? at.h : at.w) / 2)),
      right: Math.max(...all.map((at) => at.x + (at.turned ? at.h : at.w) / 2)),
      plate: [Math.min(...own.map((at) => at.x - at.w / 2)), Math.max(...own.map((at) => at.x + at.w / 2))],
    };
  });
  const ys = Object.values(board.slots).map((at) => at.y);
  const middle = (Math.min(...ys) + Math.max(...ys)) / 2;
  const tallest = Math.max(...Object.values(board.slots).map((at) => at.h));
  const rowHeight = Math.max(...ys) - Math.min(...ys) + tallest + EXTRA;
  const rows = [];
  for (let at = 0; at < tiles.length; at += columns) rows.push(tiles.slice(at, at + columns));
  const reach = (row) => row.at(-1).right - row[0].left + TILE_GAP * (row.length - 1);
  const width = Math.max(...rows.map(reach)) + 2 * EDGE;
  const places = new Map();
  const plates = [];
  rows.forEach((row, number) => {
    const begin = (width - reach(row)) / 2 - row[0].left;
    const y0 = EDGE + number * (rowHeight + ROW_GAP) - (Math.min(...ys) - tallest / 2);
    row.forEach(({ tile, slots, head, plate }, column) => {
      const x0 = begin + column * TILE_GAP;
      for (const slot of slots) {
        const { x, y, w, h, turned } = board.slots[slot];
        const lower = y > middle ? EXTRA : y === middle ? EXTRA / 2 : 0;
        places.set(slot, { x: x + x0, y: y + y0 + lower, w, h, turned, tile });
      }
      plates.push({
        tile,
        head,
        x: plate[0] + x0,
        right: plate[1] + x0,
        y: y0 + Math.min(...ys) - tallest / 2,
        height: rowHeight,
        strip: y0 + middle + EXTRA / 2,
      });
    });
  });
  return { width, height: EDGE * 2 + rows.length * rowHeight + (rows.length - 1) * ROW_GAP, places, plates };
}

/**
 * As many tiles a row as make the cards largest in this room; fewer rows win when it is close.
 * Where slots are tapped, a low room never makes them narrower than a finger: then one scrolls.
 */
export function bestColumns(board, width, height, tapped = false) {
  const count = Object.keys(board.tiles).length;
  let best = { columns: count, scale: 0 };
  for (let rows = 1; rows <= count; rows += 1) {
    const columns = Math.ceil(count / rows); // rows of equal length look calmer
    const plan = arrange(board, columns);
    const wide = width / plan.width;
    const scale = Math.max(Math.min(wide, height / plan.height), tapped ? Math.min(wide, 1) : 0);
    if (scale > best.scale * 1.25) best = { columns, scale };
  }
  return best.columns;
}
