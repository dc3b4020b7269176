/** What this browser prefers, kept in it. */

const KEY = "cairn";
const DEFAULTS = { language: null, theme: "auto", sound: false, buzz: false, watching: false };

function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

export const prefs = read();

export function setPref(name, value) {
  prefs[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs));
  } catch {
    // A browser that keeps nothing still plays; it only forgets on reload.
  }
  applyTheme();
}

const deviceIsDark = window.matchMedia("(prefers-color-scheme: dark)");
deviceIsDark.addEventListener("change", applyTheme);

export function applyTheme() {
  const own = deviceIsDark.matches ? "dark" : "light";
  document.documentElement.dataset.theme = prefs.theme === "auto" ? own : prefs.theme;
}
