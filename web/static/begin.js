// A first evening: what has been done is ticked off as it happens.
import { fetchJson } from "./board.js";
import { live, pause, start } from "./live.js";

const tick = (name, done) => document.getElementById("begin-" + name)?.classList.toggle("ticked", done);

live.listeners.push((view) => {
  const { camera, phones, seats, last } = view;
  const felt = document.getElementById("felt-words");
  const differs = camera.differs.slice(0, 12).join(", ");
  document.getElementById("differs").textContent = differs || (felt ? "" : camera.message) || "";
  tick("unpack", phones > 0 || last.length > 0 || camera.still);
  tick("felt", camera.still && !camera.lost);
  if (felt) felt.textContent = (camera.still && !camera.lost ? "" : camera.message) || "";
  tick("set", (camera.still && !camera.lost && !camera.differs.length) || last.length > 0);
  tick("phones", phones > 0);
  tick("seats", seats.some((seat) => seat.taken));
  tick("move", last.length > 0);
});

// How well the camera sees: the light meter of the page on which it is calibrated.
async function look(card) {
  const [words, remarks] = [document.getElementById("camera-words"), document.getElementById("camera-remarks")];
  for (;;) {
    const status = document.visibilityState === "hidden" ? null : await fetchJson("/api/calibrate/status");
    if (status?.ok) {
      words.textContent = status.words;
      const told = status.remarks.length ? status.remarks : [remarks.dataset.good];
      remarks.replaceChildren(...told.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
      card.classList.toggle("ticked", status.sure && !status.remarks.length);
    }
    await pause(3000);
  }
}

const card = document.getElementById("begin-camera");
if (card) look(card);
start();
