// The first five minutes on the simulated table: four steps, each done as soon as it has happened.
import { complain, get, joined, live } from "./live.js";

const guide = document.getElementById("guide");
const { origin, wrong, target, begun } = guide?.dataset ?? {};
const steps = Array.from(guide?.querySelectorAll("[data-step]") ?? []);
const aims = { lift: origin, wrong, undo: target };
let at = 0;

const here = (spot) => document.querySelector(`.board [data-spot="${spot}"]`);

function draw() {
  steps.forEach((step, index) => {
    // The step to take, and what came of the one before it.
    step.hidden = index > at || index < at - 1;
    step.classList.toggle("ticked", index < at);
  });
  for (const one of document.querySelectorAll(".guided")) one.classList.remove("guided");
  if (guide.hidden) return;
  steps[Math.min(at, steps.length - 1)].scrollIntoView({ block: "nearest" });
  here(aims[steps[at]?.dataset.step])?.classList.add("guided");
  document.getElementById("guide-skip").textContent = at < steps.length ? guide.dataset.skip : guide.dataset.close;
}

function reached(name) {
  const index = steps.findIndex((step) => step.dataset.step === name);
  if (index < at) return;
  at = index + 1;
  draw();
}

function put(away) {
  guide.hidden = away;
  document.getElementById("guide-open").hidden = !away;
  if (away) localStorage.setItem("guide", "skipped");
  draw();
}

async function ask() {
  const data = await get("/api/judge", { from: origin, to: wrong });
  if (!data.ok) return complain(data.error);
  const said = [data.ruling.text ?? data.ruling.reason, ...(data.hints ?? [])];
  document.getElementById("guide-answer").textContent = joined(said);
  reached("ask");
}

if (guide) {
  const asked = new URLSearchParams(location.search).has("guide");
  put(!asked && (begun === "1" || localStorage.getItem("guide") === "skipped"));
  document.getElementById("guide-skip").addEventListener("click", () => put(true));
  document.getElementById("guide-ask").addEventListener("click", ask);
  live.listeners.push((view) => {
    const kinds = view.news.map((entry) => entry.kind);
    if (at === 0 && view.camera.lifted === origin) reached("lift");
    // It lies there, whether the camera took it for a move or only sees that the table differs.
    const lies = !view.camera.lifted && view.camera.differs.includes(wrong);
    if (at < 2 && (lies || kinds.includes("refused"))) reached("wrong");
    if (at === 3 && kinds.includes("undone")) reached("undo");
  });
}
