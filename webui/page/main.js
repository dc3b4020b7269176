/** The page: where everything is put together. */

import { h, show } from "./dom.js";
import { announce } from "./announce.js";
import { keepAwake } from "./awake.js";
import { connect, forget, get, refresh } from "./net.js";
import { applyTheme, prefs } from "./prefs.js";
import { redrawSheet } from "./sheet.js";
import { app, changed, onChange } from "./store.js";
import { language, LANGUAGES, loadWords, t } from "./words.js";
import { drawHistory } from "./history.js";
import { drawLog } from "./log.js";
import { drawMore } from "./more.js";
import { drawPoints } from "./points.js";
import { drawTableView } from "./tableview.js";

const VIEWS = {
  table: { draw: drawTableView, icon: "M3 6h18v12H3zM9 6v12M15 6v12M3 12h18" },
  points: { draw: drawPoints, icon: "M4 20V10h4v10M10 20V4h4v16M16 20v-7h4v7" },
  log: { draw: drawLog, icon: "M5 5h14M5 10h14M5 15h9M5 20h6" },
  history: { draw: drawHistory, icon: "M12 4a8 8 0 1 1-7.7 5.8M4 4v6h6M12 8v5l3 2" },
  more: {
    draw: drawMore,
    icon: "M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M18.4 5.6l-2.1 2.1M7.7 16.3l-2.1 2.1",
  },
};

const root = document.getElementById("app");

function draw() {
  if (!app.state) return;
  document.title = t("page.title", { game: app.state.game });
  show(
    root,
    h("a", { class: "skip", href: "#main", onclick: skip }, t("page.skip")),
    !app.online &&
      h(
        "div",
        { class: "offline", role: "status", "data-key": "offline" },
        h("span", { class: "pulse" }),
        t("page.offline"),
      ),
    h(
      "main",
      {
        id: "main",
        tabindex: "-1",
        class: `view view-${app.view} ${app.state.phase}`,
        "data-key": `view-${app.view}`,
      },
      VIEWS[app.view].draw(),
    ),
    drawTabs(),
  );
  redrawSheet();
}

function skip(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}

function drawTabs() {
  return h(
    "nav",
    { class: "tabs", "aria-label": t("page.tabs"), "data-key": "tabs" },
    Object.entries(VIEWS).map(([name, { icon }]) =>
      h(
        "button",
        {
          class: "tab",
          "data-view": name,
          "aria-current": app.view === name ? "page" : null,
          onclick: () => go(name),
        },
        tabIcon(icon),
        h("span", {}, t(`tab.${name}`)),
      ),
    ),
  );
}

function tabIcon(path) {
  const holder = document.createElement("span");
  holder.className = "tab-icon";
  holder.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
  return holder;
}

/** The view stands in the address, so that the phone's back button works and a reload keeps it. */
const go = (view) => (location.hash = view);

function showView() {
  const wanted = location.hash.slice(1);
  app.view = wanted in VIEWS ? wanted : "table";
  changed();
  window.scrollTo(0, 0);
}

let boardOf = "";
let order = Promise.resolve();

/** States are shown in the order they came, though some wait for their board. */
function receive(state) {
  order = order.then(() => take(state)).catch(tryAgain);
}

/** The board did not come: ask for the state once more. */
function tryAgain() {
  forget();
  setTimeout(refresh, 500);
}

async function take(state) {
  const key = `${state.players.length} ${language()}`;
  if (key !== boardOf) {
    app.board = await get("/api/board");
    boardOf = key;
  }
  const before = app.state;
  app.state = state;
  changed();
  announce(before, state);
}

function setOnline(online) {
  if (app.online === online) return;
  app.online = online;
  changed();
}

async function begin() {
  applyTheme();
  const wanted = prefs.language in LANGUAGES ? prefs.language : document.documentElement.lang;
  await loadWords(wanted);
  forget();
  boardOf = "";
  connect(receive, setOnline);
}

onChange(draw);
window.addEventListener("hashchange", showView);
window.addEventListener("resize", changed);
window.addEventListener("cairn-language", begin);
keepAwake();
showView();
await begin();
