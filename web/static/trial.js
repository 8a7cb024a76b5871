// Trying lights, the box, sensors and camera out: one step after the other, answered yes or no.
import { fetchJson } from "./board.js";
import { complain, fill, post, start } from "./live.js";
import { pictures } from "./pictures.js";

const $ = (id) => document.getElementById(id);
const steps = [...$("steps").children].map((item) => ({ ...item.dataset, ask: item.textContent, answer: "" }));
const WALK = 700; // milliseconds for which a cell shines while the walk goes on by itself
const LISTEN = 400;

let at = -1;
let timer = 0;
let walking = false;
let looking = false;

// The camera's picture is fetched once its step is reached.
function look() {
  if (!looking) pictures("/api/calibrate/picture", 200, (next) => ($("picture").src = next.src));
  looking = true;
}

async function show(index) {
  clearTimeout(timer);
  if (index >= steps.length) return end();
  at = Math.max(index, 0);
  const step = steps[at];
  if (step.kind !== "cell") walked(false);
  $("step").hidden = false;
  $("result").hidden = true;
  $("begin").hidden = true;
  $("ask").textContent = step.ask;
  $("count").textContent = fill($("count").dataset.text, { at: at + 1, all: steps.length });
  $("walk").hidden = $("past").hidden = step.kind !== "cell";
  $("picture").hidden = step.kind !== "camera";
  $("felt").hidden = step.kind !== "sensors";
  $("back").disabled = at === 0;
  $("yes").focus({ preventScroll: true });
  if (step.kind === "camera") return look();
  const data = await post("/api/trial/show", { kind: step.kind, name: step.name, state_id: undefined });
  complain(data.ok ? "" : data.error.message);
  if (steps[at] !== step) return;
  if (step.kind === "button" || step.kind === "sensors") listen(step);
  if (walking) timer = setTimeout(() => show(at + 1), WALK);
}

// A press that is heard answers by itself; what sensors feel is told as it changes.
async function listen(step) {
  const data = await fetchJson("/api/trial/heard").catch(() => null);
  if (steps[at] !== step || $("step").hidden) return;
  if (step.kind === "button" && data?.heard?.includes(step.name)) return answer("yes");
  if (data?.felt) $("felt").textContent = data.felt.length ? fill($("felt").dataset.text, { spots: data.felt.join(", ") }) : $("felt").dataset.none;
  timer = setTimeout(() => listen(step), LISTEN);
}

function answer(said) {
  steps[at].answer = said;
  show(at + 1);
}

function walked(on) {
  walking = on;
  $("walk").setAttribute("aria-pressed", String(on));
}

async function end() {
  walked(false);
  $("step").hidden = true;
  $("result").hidden = false;
  $("begin").hidden = false;
  const failed = steps.filter((step) => step.answer === "no");
  $("well").hidden = failed.length > 0;
  $("failed").replaceChildren(
    ...[...$("hints").children].flatMap((hint) => {
      const some = failed.filter((step) => step.kind === hint.dataset.kind);
      if (!some.length) return [];
      const item = document.createElement("li");
      const named = some.filter((step) => step.kind === "cell").map((step) => step.name).join(", ");
      item.textContent = `${named ? `${named}:` : some.map((step) => step.ask).join(" ")} ${hint.textContent}`;
      return [item];
    }),
  );
  $("result-title").focus();
  const data = await post("/api/trial/end", { state_id: undefined });
  complain(data.ok ? "" : data.error.message);
}

$("begin").addEventListener("click", () => {
  for (const step of steps) step.answer = "";
  show(0);
});
$("yes").addEventListener("click", () => answer("yes"));
$("no").addEventListener("click", () => answer("no"));
$("back").addEventListener("click", () => show(at - 1));
$("skip").addEventListener("click", () => show(at + 1));
$("past").addEventListener("click", () => show(steps.findLastIndex((step) => step.kind === "cell") + 1));
$("walk").addEventListener("click", () => {
  walked(!walking);
  show(at);
});
addEventListener("keydown", (event) => {
  if ($("step").hidden || event.ctrlKey || event.metaKey || event.altKey) return;
  const button = { n: "no", N: "no", ArrowLeft: "back", ArrowRight: "skip" }[event.key];
  if (!button) return;
  event.preventDefault();
  $(button).click();
});
addEventListener("pagehide", () => {
  if ($("step").hidden) return;
  // What a page asks while it goes is answered to nobody: this outlives it.
  const asked = new Blob([JSON.stringify({ key: String(Date.now()).padStart(20, "0") })], { type: "application/json" });
  navigator.sendBeacon("/api/trial/end", asked);
});

start();
