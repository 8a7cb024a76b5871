// What this phone does beside showing: sounds, speech, vibration, a screen that stays on. All of it
// is optional, and nothing is told by it alone.
const house = document.body.dataset;

function wanted(name) {
  const own = localStorage.getItem("device-" + name);
  if (own !== null) return own === "1";
  return { sound: house.sound === "1", speech: house.speech === "1", vibrate: true, awake: false }[name];
}

let audio = null;

// Browsers let a page sound only after a finger has touched it.
function unlock() {
  if (!wanted("sound") || !globalThis.AudioContext) return;
  audio ??= new AudioContext();
  audio.resume();
}

function tone(pitch, begin, length) {
  const [voice, volume] = [audio.createOscillator(), audio.createGain()];
  voice.frequency.value = pitch;
  voice.type = "triangle";
  const from = audio.currentTime + begin;
  volume.gain.setValueAtTime(0.12, from);
  volume.gain.exponentialRampToValueAtTime(0.001, from + length);
  voice.connect(volume).connect(audio.destination);
  voice.start(from);
  voice.stop(from + length);
}

const TUNES = { move: [[520, 0, 0.12]], turn: [[520, 0, 0.14], [780, 0.14, 0.22]], refused: [[196, 0, 0.3], [165, 0.2, 0.35]] };
const SHAKES = { turn: [60], refused: [90, 60, 90] };

function speak(text) {
  if (!globalThis.speechSynthesis || !text) return;
  speechSynthesis.cancel();
  const voice = new SpeechSynthesisUtterance(text.replaceAll("→", ","));
  voice.lang = document.documentElement.lang;
  speechSynthesis.speak(voice);
}

// Called with every new snapshot and what is to be said of it.
export function happened(view, before, sentence) {
  if (!before || !view.news.length) return;
  const played = view.to_move in (view.machines?.seats ?? {}); // by a machine
  const mine = view.you.seats.includes(view.to_move) && !played && before.to_move !== view.to_move;
  const kind = view.news.at(-1).kind === "refused" ? "refused" : mine ? "turn" : "move";
  if (wanted("sound") && audio?.state === "running") for (const note of TUNES[kind]) tone(...note);
  if (wanted("vibrate") && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(SHAKES[kind] || []);
  if (wanted("speech")) speak(sentence);
}

let lock = null;

async function keepAwake() {
  if (!wanted("awake") || document.visibilityState !== "visible" || (lock && !lock.released)) return;
  lock = await navigator.wakeLock?.request("screen").catch(() => null);
}

// The switches on the page of seats.
function switches() {
  const card = document.getElementById("device");
  if (!card) return;
  card.hidden = false;
  const can = {
    sound: "AudioContext" in globalThis,
    speech: "speechSynthesis" in globalThis,
    vibrate: "vibrate" in navigator,
    awake: "wakeLock" in navigator,
  };
  for (const box of card.querySelectorAll("[data-device]")) {
    const name = box.dataset.device;
    box.checked = wanted(name);
    box.closest("label").hidden = !can[name];
    box.addEventListener("change", () => {
      localStorage.setItem("device-" + name, box.checked ? "1" : "0");
      unlock();
      if (name === "awake" && !box.checked) lock?.release();
      keepAwake();
    });
  }
  const note = document.getElementById("device-note");
  if (!can.awake) note.textContent = note.dataset.awake;
}

switches();
keepAwake();
document.addEventListener("visibilitychange", keepAwake);
document.addEventListener("pointerdown", unlock);
unlock();

// A drawing to keep, as PNG: shared where the browser can (over HTTPS alone), else downloaded.
export async function keep(link) {
  const [image, canvas] = [new Image(), document.createElement("canvas")];
  image.src = link.href;
  await image.decode();
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext("2d").drawImage(image, 0, 0);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  const file = new File([blob], link.download.replace(/svg$/, "png"), { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] }).catch(() => {});
  const saved = document.createElement("a");
  [saved.href, saved.download] = [URL.createObjectURL(blob), file.name];
  saved.click();
  setTimeout(() => URL.revokeObjectURL(saved.href), 60000);
}
