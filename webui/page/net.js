/** The connection: states come in by a stream, taps go out as small posts. */

import { language } from "./words.js";

const SILENCE = 25_000; // the server says something every 10 seconds
const ASK_AGAIN = 450; // when all streams are taken: ask, and ask again
const ASKS_PER_STREAM = 20; // then try for a stream again
const TRIES = 9;

let source = null;
let heard = 0;
let held = null; // id of the newest state
let asking = null;
let asks = 0;
let listeners = { state: () => {}, online: () => {} };

/** Begin to listen; called again after the language changed. */
export function connect(onState, onOnline) {
  listeners = { state: onState, online: onOnline };
  open();
}

setInterval(() => {
  if (source && Date.now() - heard > SILENCE) open();
}, 5_000);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) ask();
});

function open() {
  source?.close();
  clearTimeout(asking);
  heard = Date.now();
  source = new EventSource(`/api/stream?language=${language()}`);
  source.onopen = () => listeners.online(true);
  source.onmessage = (event) => receive(JSON.parse(event.data));
  source.addEventListener("here", () => (heard = Date.now()));
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) askLater();
    else listeners.online(false);
  };
}

function askLater() {
  source = null;
  clearTimeout(asking);
  asking = setTimeout(
    async () => {
      await ask();
      asks += 1;
      if (asks % ASKS_PER_STREAM) askLater();
      else open();
    },
    ASK_AGAIN * (0.8 + 0.4 * Math.random()),
  );
}

/** One look at the state without a stream. */
async function ask() {
  try {
    const answer = await fetch(`/api/state?language=${language()}&seen=${held}`);
    if (answer.status === 403) location.reload();
    if (answer.status === 200) receive(await answer.json());
    listeners.online(answer.ok);
  } catch {
    listeners.online(false);
  }
}

function receive(state) {
  heard = Date.now();
  listeners.online(true);
  if (!isNewer(state.id, held)) return;
  held = state.id;
  listeners.state(state);
}

/** States of one run of the server are numbered; a restarted server begins anew. */
function isNewer(id, than) {
  if (than === null) return true;
  const [boot, version] = id.split(".");
  const [oldBoot, oldVersion] = than.split(".");
  return boot !== oldBoot || Number(version) > Number(oldVersion);
}

/** Forget which state is shown, so that the same one comes again in another language. */
export function forget() {
  held = null;
}

/** An error answer of the server, with its code and its sentence. */
export class Refused extends Error {
  constructor({ code, message, detail }) {
    super(message);
    this.code = code;
    this.detail = detail;
  }
}

export async function get(path) {
  const mark = path.includes("?") ? "&" : "?";
  return read(await fetch(`${path}${mark}language=${language()}`));
}

export async function post(path, body, type = "application/json") {
  const options = { method: "POST", headers: { "Content-Type": type }, body };
  return read(await fetch(`${path}?language=${language()}`, options));
}

async function read(answer) {
  const data = await answer.json();
  if (!answer.ok) throw new Refused(data.error);
  return data;
}

/**
 * Send a tap made on `state`. Its id makes it safe to send again when no answer came: it is
 * done once or not at all.
 */
export async function tap(path, state, body) {
  const id = [...crypto.getRandomValues(new Uint8Array(9))].map((n) => n.toString(36)).join("");
  const text = JSON.stringify({ tap: id, game: state.game, number: state.number, ...body });
  for (let tries = 1; ; tries += 1) {
    try {
      const fresh = await post(`/api/${path}`, text);
      receive(fresh);
      return fresh;
    } catch (error) {
      if (error instanceof Refused || tries === TRIES) throw error;
      listeners.online(false);
      await new Promise((done) => setTimeout(done, 250 * tries));
    }
  }
}

/** The newest state right away, after a tap that came too late. */
export const refresh = ask;
