/** Everything that is drawn by hand: card symbols, shields, the campfire. */

import { s } from "./dom.js";

/** In a box of 24 x 24, filled with the colour that they stand for. */
const SYMBOLS = {
  flame:
    "M12.6 1.5c.6 4.3 6.4 6.6 6.4 13A7 7 0 0 1 12 22a7 7 0 0 1-7-7.3c0-3.4 2.2-5 2.9-8.2 1.8 1 2.6 2.6 2.6 4.4 1.9-2.2 2.6-5.6 2.1-9.4z",
  sun: "M12 6.6a5.4 5.4 0 1 1 0 10.8 5.4 5.4 0 0 1 0-10.8zM10.9 1h2.2v4h-2.2zM10.9 19h2.2v4h-2.2zM1 10.9h4v2.2H1zM19 10.9h4v2.2h-4zM3.5 5 5 3.5l2.9 2.9-1.5 1.5zM16.1 17.6l1.5-1.5 2.9 2.9-1.5 1.5zM19 3.5 20.5 5l-2.9 2.9-1.5-1.5zM6.4 16.1l1.5 1.5L5 20.5 3.5 19z",
  star: "m12 1.6 3.2 6.9 7.4.9-5.5 5.1 1.5 7.4-6.6-3.7-6.6 3.7 1.5-7.4-5.5-5.1 7.4-.9z",
  leaf: "M3 21.5C1.6 9.6 8 2.6 21.5 2.5c.6 11.8-4.8 18-14 16.6L16 9.4 5.6 17.5 4.6 21.5z",
  drop: "M12 1.5c4.3 5.8 7.2 9.4 7.2 13.4a7.2 7.2 0 0 1-14.4 0c0-4 2.9-7.6 7.2-13.4z",
  thistle:
    "M5.4 2.2 8.9 6 12 1.2 15.1 6l3.5-3.8-1 8.2H6.4zM6.6 11.8h10.8c1.3 4.4-.8 7.2-4.2 7.7V23h-2.4v-3.5c-3.4-.5-5.5-3.3-4.2-7.7z",
  moon: "M14.6 2a10.2 10.2 0 1 0 7 14.7A9 9 0 0 1 14.6 2z",
  other: "M12 1.5 21 12l-9 10.5L3 12z",
};

const SHIELD = "M1 1h20v12.5c0 7.4-5.8 10.6-10 12.5C6.8 24.1 1 20.9 1 13.5z";
/** A heraldic sign for each colour, so that shields are told apart without their colour. */
const SIGNS = {
  red: "M1 17 11 8l10 9v5L11 13 1 22z",
  blue: "M1 1h4l6 8 6-8h4v3l-7 8.5 6 8-3 2-6-7.5-6 7.5-3-2 6-8L1 4z",
  green: "M1 1h6l14 17-4 5L1 6z",
  yellow: "M8 1h6v24.5l-3 1-3-1z",
  black: "M1 9h20v6H1z",
  white: "M11 1h10v12.5c0 7.4-5.8 10.6-10 12.5z",
};

export function symbol(name, { x = 0, y = 0, size = 24, ...rest } = {}) {
  const path = SYMBOLS[name] ?? SYMBOLS.other;
  return s("path", { d: path, transform: `translate(${x} ${y}) scale(${size / 24})`, ...rest });
}

/** A player's shield, 22 x 27, with the letters that stand for the player. */
export function shield(colour, letters, { x = 0, y = 0, size = 22, ...rest } = {}) {
  const known = colour in SIGNS ? colour : "other";
  return s(
    "g",
    { class: `shield shield-${known}`, transform: `translate(${x} ${y}) scale(${size / 22})`, ...rest },
    s("path", { class: "shield-field", d: SHIELD }),
    SIGNS[known] && s("path", { class: "shield-sign", d: SIGNS[known] }),
    s("path", { class: "shield-edge", d: SHIELD }),
    s(
      "text",
      {
        class: "shield-letters",
        x: 11,
        y: letters.length > 1 ? 16.5 : 17.5,
        "font-size": letters.length > 1 ? 10.5 : 13.5,
      },
      letters,
    ),
  );
}

/** A shield as a picture of its own, in a line of text. */
export function shieldIcon(colour, letters, size = 22) {
  return s(
    "svg",
    {
      class: "icon-shield",
      viewBox: "0 0 22 27",
      width: size,
      height: (size * 27) / 22,
      "aria-hidden": "true",
    },
    shield(colour, letters),
  );
}

/** What stands for each player: the first letter, or two where first letters are the same. */
export function lettersOf(players) {
  const first = players.map(({ name }) => [...name][0].toUpperCase());
  return players.map(({ name }, seat) => {
    const alone = first.filter((letter) => letter === first[seat]).length === 1;
    if (alone) return first[seat];
    const words = name.trim().split(/\s+/);
    return words.length > 1
      ? first[seat] + [...words.at(-1)][0].toUpperCase()
      : [...name].slice(0, 2).join("");
  });
}

/** Dark or light ink, whichever is read better on a colour. */
export function inkOn(swatch) {
  const [r, g, b] = [1, 3, 5]
    .map((at) => parseInt(swatch.slice(at, at + 2), 16) / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  const light = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return 1.05 / (light + 0.05) >= 4 ? "#fff" : "#26211a";
}

export function campfire(x, y, size = 1) {
  return s(
    "g",
    { class: "campfire", transform: `translate(${x} ${y}) scale(${size})`, "aria-hidden": "true" },
    s("path", {
      class: "campfire-wood",
      d: "M-14 15 12 8l1.5 4.5L-12.5 19.5zM14 15-12 8l-1.5 4.5L12.5 19.5z",
    }),
    s("path", {
      class: "campfire-outer",
      d: "M.5-17C2-8 10-4 10 4.5A10 9 0 0 1-10 4.5C-10-1-6-3-5-8.5-2.5-7-1.5-4.5-1.5-2 1-5 2-10 .5-17z",
    }),
    s("path", { class: "campfire-inner", d: "M0-4c1 4 4.5 5 4.5 9A4.5 4.5 0 0 1-4.5 5C-4.5 2-1.5 0 0-4z" }),
  );
}
