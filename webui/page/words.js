/** The page's words in the reader's language. */

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" };

let words = {};
let current = "en";

/** Load a language; the page is drawn again by whoever asked for it. */
export async function loadWords(language) {
  const answer = await fetch(`/words/${language}`);
  words = await answer.json();
  current = language;
  document.documentElement.lang = language;
}

export const language = () => current;

/** A word or sentence by its key; `{name}` is replaced, and `key.one` is used for a count of 1. */
export function t(key, fields = {}) {
  const sentence = (fields.count === 1 && words[`${key}.one`]) || words[key] || key;
  return sentence.replace(/\{(\w+)\}/g, (_, name) => fields[name] ?? "");
}

/** The reader's own way to write times, where it is the language of the page. */
const region = () => (navigator.language.startsWith(current) ? navigator.language : current);

export const clock = (at) =>
  new Date(at).toLocaleTimeString(region(), { hour: "2-digit", minute: "2-digit" });
export const date = (at) =>
  new Date(at).toLocaleDateString(region(), { day: "numeric", month: "short", year: "numeric" });
