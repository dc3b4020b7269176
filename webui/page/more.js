/** Everything else: seats, the code, how the page looks and sounds, the rulings. */

import { act } from "./act.js";
import { h } from "./dom.js";
import { drawCode, drawSeats } from "./lobby.js";
import { prefs, setPref } from "./prefs.js";
import { app, changed, isHost } from "./store.js";
import { buzz, ring } from "./sound.js";
import { LANGUAGES, language, t } from "./words.js";

export function drawMore() {
  return [
    h("h1", { class: "said" }, t("tab.more")),
    h(
      "section",
      { class: "panel lobby" },
      h("div", { class: "lobby-seats" }, drawSeats(), drawOrder()),
      h("div", { class: "lobby-code" }, drawCode()),
    ),
    drawLook(),
    isHost() && drawRulings(),
    isHost() && drawCameraPanel(),
    isHost() && drawNewGame(),
  ];
}

/** The host says who starts; the others follow in their order. */
function drawOrder() {
  const { phase, players, rulings } = app.state;
  if (!isHost() || phase !== "set-up") return null;
  const start = (seat) => {
    const order = players.map((own, was) => ({ ...own, was }));
    act("arrange", { players: [...order.slice(seat), ...order.slice(0, seat)], rulings });
  };
  const fewer = () =>
    act("arrange", { players: players.slice(0, -1).map((own, was) => ({ ...own, was })), rulings });
  return h(
    "div",
    { class: "stacked" },
    h("h3", {}, t("order.starts")),
    h(
      "div",
      { class: "choices", role: "group", "aria-label": t("order.starts") },
      players.map(({ name }, seat) =>
        h(
          "button",
          { class: "choice", "aria-pressed": String(seat === 0), onclick: () => start(seat) },
          name,
        ),
      ),
    ),
    players.length > 2 &&
      h(
        "button",
        { class: "wide", "data-do": "fewer", onclick: fewer },
        t("order.fewer", { name: players.at(-1).name }),
      ),
  );
}

function drawLook() {
  return h(
    "section",
    { class: "panel stacked" },
    h("h2", {}, t("look.title")),
    choices("look.language", Object.entries(LANGUAGES), language(), (value) => {
      setPref("language", value);
      window.dispatchEvent(new CustomEvent("cairn-language"));
    }),
    choices(
      "look.theme",
      ["auto", "light", "dark"].map((theme) => [theme, t(`look.${theme}`)]),
      prefs.theme,
      (value) => (setPref("theme", value), changed()),
    ),
    toggle("sound", ring),
    toggle("buzz", buzz),
  );
}

function choices(label, options, current, onPick) {
  return h(
    "div",
    { class: "field" },
    h("span", {}, t(label)),
    h(
      "div",
      { class: "choices", role: "group", "aria-label": t(label) },
      options.map(([value, words]) =>
        h(
          "button",
          {
            class: "choice",
            "data-value": value,
            lang: label === "look.language" ? value : null,
            "aria-pressed": String(value === current),
            onclick: () => onPick(value),
          },
          words,
        ),
      ),
    ),
  );
}

function toggle(name, sample) {
  const flip = () => {
    setPref(name, !prefs[name]);
    if (prefs[name]) sample();
    changed();
  };
  return h(
    "label",
    { class: "switch" },
    h("input", { type: "checkbox", checked: prefs[name], onchange: flip }),
    h("span", {}, t(`look.${name}`)),
  );
}

function drawRulings() {
  const { rulings, players } = app.state;
  const flip = (name) =>
    act("arrange", {
      players: players.map((own, was) => ({ ...own, was })),
      rulings: { [name]: !rulings[name] },
    });
  return h(
    "section",
    { class: "panel stacked" },
    h("h2", {}, t("rulings.title")),
    Object.entries(rulings).map(([name, on]) =>
      h(
        "label",
        { class: "switch" },
        h("input", { type: "checkbox", checked: on, "data-ruling": name, onchange: () => flip(name) }),
        h("span", {}, t(`ruling.${name}`)),
      ),
    ),
  );
}

// While somebody looks at the camera's picture it follows the table.
setInterval(() => app.view === "more" && isHost() && app.state?.camera !== "none" && changed(), 1000);

function drawCameraPanel() {
  const { camera } = app.state;
  if (camera === "none")
    return h("section", { class: "panel" }, h("h2", {}, t("camera.title")), h("p", {}, t("camera.none")));
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, t("camera.title")),
    h("p", {}, t(`camera.${camera}`)),
    h("img", {
      class: "preview",
      alt: t("camera.picture"),
      src: `/camera.jpg?at=${Math.floor(Date.now() / 1000)}`,
    }),
  );
}

function drawNewGame() {
  const begin = async () => {
    if (!confirm(t("new.sure"))) return;
    if (await act("new-game", { move_on: false })) location.hash = "table";
  };
  return h(
    "section",
    { class: "panel stacked" },
    h("h2", {}, t("new.title")),
    h("p", { class: "hint" }, t("new.words")),
    h("button", { class: "wide", "data-do": "new-game", onclick: begin }, t("new.begin")),
  );
}
