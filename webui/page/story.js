/** The story of a game, asked for when it is looked at and again when the game went on. */

import { get } from "./net.js";
import { app, changed } from "./store.js";
import { language } from "./words.js";

const known = new Map();

/** The story as last heard, or null while it is on its way. `game` is null for the present one. */
export function storyOf(game = null) {
  const number = game ?? app.state.game;
  const key = `${number} ${language()}`;
  const version = number === app.state.game ? app.state.number : 0;
  const story = known.get(key);
  if (story?.version !== version && story?.asked !== version) ask(key, number, version);
  return known.get(key)?.data ?? null;
}

async function ask(key, number, version) {
  const before = known.get(key);
  known.set(key, { ...before, asked: version });
  try {
    const data = await get(`/api/story/${number}`);
    known.set(key, { version: data.game === app.state.game ? data.number : 0, asked: version, data });
    changed();
  } catch {
    // The next state asks again.
    known.set(key, { ...before, asked: null });
  }
}
