// Pictures of a camera, one after another, as fast as it and this browser can.
import { pause } from "./live.js";

// Hand every picture of `path` to `show`, with at least `least` milliseconds between two.
export async function pictures(path, least, show) {
  for (let number = 0; ; number += 1) {
    if (document.visibilityState === "hidden") {
      await pause(500);
      continue;
    }
    const began = performance.now();
    const next = new Image();
    next.src = `${path}?n=${number}`;
    try {
      await next.decode();
      show(next);
    } catch {
      await pause(2000);
    }
    // Rest twice as long as the picture took, so that a slow camera is not pressed.
    await pause(Math.min(2000, Math.max(least, 2 * (performance.now() - began))));
  }
}
