/** A sound and a buzz, for those who asked for them. */

import { prefs } from "./prefs.js";

let audio = null;

/** Two soft tones, falling. */
export function ring() {
  if (!prefs.sound) return;
  audio ??= new AudioContext();
  [659, 523].forEach((pitch, number) => {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const from = audio.currentTime + number * 0.16;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, from);
    volume.gain.exponentialRampToValueAtTime(0.22, from + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + 0.32);
    tone.connect(volume).connect(audio.destination);
    tone.start(from);
    tone.stop(from + 0.34);
  });
}

export function buzz() {
  if (prefs.buzz) navigator.vibrate?.([90, 60, 90]);
}
