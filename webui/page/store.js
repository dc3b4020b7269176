/** What the page knows now; everything on it is drawn from this. */

const root = document.documentElement;

export const app = {
  role: root.dataset.role,
  device: root.dataset.device,
  state: null,
  board: null,
  online: false,
  view: "table",
  may: null, // {card, slots}: the answer to "May I?", shown only here
  columns: 1,
};

let redraw = () => {};

export function onChange(draw) {
  redraw = draw;
}

/** Something of `app` changed: draw the page again. */
export const changed = () => redraw();

export const isHost = () => app.role === "host";

/** The seat in which this browser sits, or null. */
export function ownSeat() {
  const seat = app.state.seats.indexOf(app.device);
  return seat < 0 ? null : seat;
}

/** A phone held upright, and a television; the style has the same bounds. */
export const isNarrow = () => window.matchMedia("(max-width: 640px)").matches;
export const isWide = () => window.matchMedia("(min-width: 1100px)").matches;

export const isSeated = () => isHost() || ownSeat() !== null;
export const player = (seat) => app.state.players[seat];

/** A card as people call it, in the reader's language. */
export function cardWord(card, board = app.board, hidden = "") {
  return board.cards[card] ?? (card === "face-down" ? hidden : card);
}

/** The turn for which this seat's shield may still come without a detour: the latest of all. */
export function turnWithoutShield(seat) {
  const { last, left, phase, rulings } = app.state;
  if (!last || last.player !== seat || last.shields.length || !left[seat].shields) return null;
  if (!last.tile || (phase === "over" && rulings["last-shield"] === false)) return null;
  return last;
}
