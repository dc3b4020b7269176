/** The screen stays awake while the page is looked at. */

let lock = null;

export function keepAwake() {
  document.addEventListener("visibilitychange", hold);
  // Browsers allow it only after somebody touched the page.
  document.addEventListener("pointerdown", hold);
  hold();
}

async function hold() {
  if (document.hidden || (lock && !lock.released)) return;
  try {
    if (navigator.wakeLock) lock = await navigator.wakeLock.request("screen");
    else playNothing();
  } catch {
    // A low battery refuses; the next touch asks again.
  }
}

let video = null;

/** Pages without https have no wake lock: a silent moving picture keeps most screens on. */
function playNothing() {
  if (video) {
    video.play().catch(() => {});
    return;
  }
  const canvas = Object.assign(document.createElement("canvas"), { width: 2, height: 2 });
  const pen = canvas.getContext("2d");
  if (!canvas.captureStream || !pen) return;
  setInterval(() => {
    pen.fillStyle = pen.fillStyle === "#000000" ? "#010101" : "#000000";
    pen.fillRect(0, 0, 2, 2);
  }, 1000);
  video = Object.assign(document.createElement("video"), {
    muted: true,
    playsInline: true,
    srcObject: canvas.captureStream(1),
  });
  video.className = "said";
  video.setAttribute("aria-hidden", "true");
  document.body.append(video);
  video.play().catch(() => {});
}
