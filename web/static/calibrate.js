// Calibrating: the live picture under the outlines of all cells, and points to be placed.
import { fetchJson, shape } from "./board.js";
import { fill, pause, post, start } from "./live.js";
import { pictures } from "./pictures.js";
import { zoomable } from "./stage.js";

const $ = (id) => document.getElementById(id);
const overlay = $("overlay");
const points = new Map(); // name -> {x, y, mark, choice}
let size = [0, 0];
let chosen = null;
let drag = null;
let timer = 0; // of a placement by keys
let waiting = 0; // placements on their way: what the server says meanwhile is old

function text(element, words) {
  if (element.textContent !== words) element.textContent = words;
}

function choose(name) {
  chosen = name;
  for (const [other, point] of points) {
    point.mark.classList.toggle("chosen", other === name);
    point.choice.setAttribute("aria-pressed", String(other === name));
  }
}

function create(name) {
  const mark = shape("g", { class: "point", tabindex: 0, role: "button", "aria-describedby": "how" });
  // A large invisible disc to grab, a cross whose middle can be seen through, the name beside it.
  mark.append(
    shape("circle", { class: "grip", r: 1 }),
    shape("path", { class: "under", d: "M-1 0H-.3M.3 0H1M0-1V-.3M0 .3V1" }),
    shape("path", { class: "over", d: "M-1 0H-.3M.3 0H1M0-1V-.3M0 .3V1" }),
    shape("text", { x: 0.5, y: -0.5 }),
  );
  mark.lastChild.textContent = name;
  mark.addEventListener("focus", () => choose(name));
  mark.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const step = event.shiftKey ? 10 : 1;
    const point = points.get(name);
    put(name, point.x + step * way[0], point.y + step * way[1]);
    later();
  });
  const choice = document.createElement("button");
  choice.type = "button";
  choice.textContent = name;
  choice.addEventListener("click", () => choose(chosen === name ? null : name));
  $("points").append(mark);
  $("choices").append(choice);
  points.set(name, { x: 0, y: 0, mark, choice });
}

function put(name, x, y) {
  const point = points.get(name);
  const round = (value) => Math.round(value * 10) / 10;
  point.x = round(Math.min(Math.max(x, 0), size[0] - 1));
  point.y = round(Math.min(Math.max(y, 0), size[1] - 1));
  const reach = overlay.getBoundingClientRect().width || 1;
  const unit = (22 * size[0]) / reach; // 22 CSS pixels, whatever the picture's size
  point.mark.setAttribute("transform", `translate(${point.x} ${point.y}) scale(${unit})`);
  point.mark.setAttribute("aria-label", fill(overlay.dataset.point, { name, across: Math.round(point.x), down: Math.round(point.y) }));
}

function show(status) {
  if (String(size) !== String(status.size)) {
    size = status.size;
    overlay.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    $("camera").width = size[0];
    $("camera").height = size[1];
  }
  for (const { name, x, y } of status.points) {
    if (!points.has(name)) create(name);
    if (drag?.name !== name) put(name, x, y);
  }
  const path = Object.values(status.outlines).map((corners) => `M${corners.map((c) => c.join(" ")).join("L")}Z`).join("");
  for (const id of ["outlines", "outlines-on"]) $(id).setAttribute("d", path);
  overlay.dataset.sure = String(status.sure);
  text($("words"), status.words);
  $("accept").disabled = status.how === "guess";
  $("turn").hidden = status.ways < 2;
  const remarks = status.remarks.length ? status.remarks : [{ text: $("remarks").dataset.good, kind: "good" }];
  const list = $("remarks");
  if (list.dataset.said !== JSON.stringify(remarks)) {
    list.dataset.said = JSON.stringify(remarks);
    list.replaceChildren(
      ...remarks.map((remark) => {
        const item = document.createElement("li");
        item.textContent = (remark.kind === "good" ? "✓ " : remark.bad ? "✗ " : "⚠ ") + remark.text;
        return item;
      }),
    );
  }
}

function place() {
  const sent = Object.fromEntries(Array.from(points, ([name, point]) => [name, [point.x, point.y]]));
  return ask("place", { points: sent });
}

async function ask(what, body) {
  clearTimeout(timer);
  timer = 0;
  waiting += 1;
  const data = await post(`/api/calibrate/${what}`, body);
  waiting -= 1;
  text($("done"), "");
  if (waiting || drag) return;
  if (data.ok) show(data);
  else text($("words"), data.error.message);
}

// Keys come in bursts: ask once they pause.
function later() {
  clearTimeout(timer);
  timer = setTimeout(place, 350);
}

function inPicture(event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(overlay.getScreenCTM().inverse());
  return [at.x, at.y];
}

overlay?.addEventListener("pointerdown", (event) => {
  const mark = event.target.closest(".point");
  if (!mark || event.button !== 0) return;
  const name = Array.from(points).find(([, point]) => point.mark === mark)[0];
  const [x, y] = inPicture(event);
  const point = points.get(name);
  drag = { name, moved: false, dx: point.x - x, dy: point.y - y };
  overlay.setPointerCapture(event.pointerId);
  choose(name);
});
overlay?.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const [x, y] = inPicture(event);
  drag.moved = true;
  put(drag.name, x + drag.dx, y + drag.dy);
});
for (const end of ["pointerup", "pointercancel"]) {
  overlay?.addEventListener(end, () => {
    const done = drag;
    drag = null;
    if (done?.moved) place();
  });
}
overlay?.addEventListener("click", (event) => {
  if (chosen === null || event.target.closest(".point")) return;
  put(chosen, ...inPicture(event));
  place();
});
for (const what of ["find", "turn"]) {
  $(what)?.addEventListener("click", async () => {
    $(what).disabled = true;
    await ask(what, {});
    $(what).disabled = false;
  });
}
$("accept")?.addEventListener("click", async () => {
  $("accept").disabled = true;
  const data = await post("/api/calibrate/accept");
  $("accept").disabled = false;
  text($("done"), data.ok ? $("done").dataset.kept : data.error.message);
});
addEventListener("resize", () => points.forEach((point, name) => put(name, point.x, point.y)));
$("zooms")?.addEventListener("click", () => requestAnimationFrame(() => points.forEach((point, name) => put(name, point.x, point.y))));

async function follow() {
  for (;;) {
    if (document.visibilityState !== "hidden" && !drag && !waiting && !timer) {
      const data = await fetchJson("/api/calibrate/status");
      if (data && !drag && !waiting) data.ok ? show(data) : text($("words"), data.error.message);
    }
    await pause(1500);
  }
}

start();
if (overlay) {
  zoomable(null);
  pictures("/api/calibrate/picture", 200, (next) => ($("camera").src = next.src));
  follow();
}
