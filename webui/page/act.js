/** Taps that change the game, and the words when one could not be done. */

import { get, Refused, refresh, tap } from "./net.js";
import { app } from "./store.js";
import { toast } from "./toast.js";
import { t } from "./words.js";

/**
 * Send a tap; true if it was done. Somebody may have been faster: then `still` looks at the new
 * state and says whether the tap means the same there, and it is sent once more.
 */
export async function act(path, body = {}, still = () => false) {
  try {
    await tap(path, app.state, body);
    return true;
  } catch (error) {
    if (error instanceof Refused && error.code === "stale") {
      await refresh();
      await new Promise((done) => setTimeout(done));
      if (still(app.state)) return act(path, body);
    }
    complain(error);
    return false;
  }
}

/** Ask something; null, and a word about it, if no answer came. */
export async function ask(path) {
  try {
    return await get(path);
  } catch (error) {
    complain(error);
    return null;
  }
}

function complain(error) {
  toast(error instanceof Refused ? error.message : t("page.not-sent"), "bad");
}
