// Hands on the simulated table: tap and tap, drag, or keys. The game hears of it by camera alone.
import { Board, fetchSymbols, shape, tokenId, zoomable } from "./board.js";
import { complain, post, start } from "./live.js";

const svg = document.getElementById("board");
const side = document.getElementById("off");
const hint = document.getElementById("hint");
let camera = document.getElementById("camera");
const board = new Board(svg, pick);
const HINT = hint.textContent;
const half = svg.dataset.pitch / 2;
let world = { tokens: {}, off: [] };
let held = null; // {spot} or {token} from beside the board

function hold(what) {
  held = what;
  board.show({ chosen: what?.spot ? [what.spot] : [] });
  for (const button of side.children) button.setAttribute("aria-pressed", String(button.dataset.index === what?.index));
  for (const id of ["turn", "flip", "remove"]) document.getElementById(id).disabled = !what?.spot;
  hint.textContent = what ? `In the hand: ${what.token}. Tap where it goes.` : HINT;
}

async function show(next) {
  const changed = JSON.stringify(next.off) !== JSON.stringify(world.off) || !side.childElementCount;
  world = { tokens: next.tokens, off: next.off };
  await fetchSymbols(world.off);
  board.update(world.tokens);
  if (!changed) return;
  side.replaceChildren(
    ...world.off.map((token, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.index = String(index);
      button.dataset.token = token;
      button.setAttribute("aria-label", token);
      button.setAttribute("aria-pressed", "false");
      const coin = shape("svg", { class: "coin", viewBox: `${-half} ${-half} ${2 * half} ${2 * half}`, "aria-hidden": "true" });
      coin.append(shape("use", { href: "#" + tokenId(token) }));
      button.append(coin);
      return button;
    }),
  );
}

async function hand(name, body) {
  hold(null);
  const data = await post("/api/virtual/" + name, body);
  if (data.ok) return show(data);
  return complain(data.error.message);
}

function drop(what, spot) {
  if (what.spot === spot) return hold(null);
  if (what.spot) return spot ? hand("move", { origin: what.spot, target: spot }) : hand("remove", { spot: what.spot });
  return spot ? hand("put", { spot, token: what.token }) : hold(null);
}

function pick(spot) {
  if (held) return drop(held, spot);
  const token = board.token(spot);
  if (token) return hold({ spot, token });
  hint.textContent = `${spot} is empty. ${HINT}`;
}

side.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button || board.quiet) return;
  const again = held && held.index === button.dataset.index;
  hold(again ? null : { token: button.dataset.token, index: button.dataset.index });
});
for (const id of ["turn", "flip", "remove"]) {
  document.getElementById(id).addEventListener("click", () => held?.spot && hand(id, { spot: held.spot }));
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") return hold(null);
  const act = { t: "turn", f: "flip", Delete: "remove", Backspace: "remove" }[event.key];
  if (act && held?.spot && event.target.closest(".board")) hand(act, { spot: held.spot });
});

// -- dragging ------------------------------------------------------------------------

let drag = null;

function inBoard(event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
}

function grab(event) {
  const from = event.target.closest(".spot[data-token], .off button");
  if (!from || event.button !== 0) return;
  const { spot, token, index } = from.dataset;
  drag = { what: { spot, token, index }, x: event.clientX, y: event.clientY, ghost: null };
}

function carry(event) {
  if (!drag) return;
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 8) return;
    hold(drag.what);
    drag.ghost = shape("use", { class: "ghost", href: "#" + tokenId(drag.what.token) });
    svg.append(drag.ghost);
    document.documentElement.setPointerCapture?.(event.pointerId);
  }
  event.preventDefault();
  const { x, y } = inBoard(event);
  drag.ghost.setAttribute("transform", `translate(${x} ${y}) scale(1.25)`);
}

function letGo(event) {
  const done = drag;
  drag = null;
  if (!done?.ghost) return;
  done.ghost.remove();
  // The click that follows a drag is none.
  board.quiet = true;
  setTimeout(() => (board.quiet = false), 50);
  if (event.type === "pointercancel") return hold(null);
  drop(done.what, board.at(event.clientX, event.clientY));
}

document.addEventListener("pointerdown", grab);
document.addEventListener("pointermove", carry, { passive: false });
document.addEventListener("pointerup", letGo);
document.addEventListener("pointercancel", letGo);

// -- looking -------------------------------------------------------------------------

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

async function look() {
  for (let number = 0; ; number += 1) {
    if (document.visibilityState === "hidden") {
      await pause(500);
      continue;
    }
    const began = performance.now();
    const next = new Image();
    next.src = "/api/virtual/picture?n=" + number;
    try {
      await next.decode();
      for (const name of ["id", "alt", "width", "height"]) next.setAttribute(name, camera.getAttribute(name));
      camera.replaceWith(next);
      camera = next;
    } catch {
      await pause(2000);
    }
    // Rest twice as long as the picture took, so that a slow camera is not pressed.
    await pause(Math.min(2000, Math.max(150, 2 * (performance.now() - began))));
  }
}

async function follow() {
  for (;;) {
    if (document.visibilityState !== "hidden" && !drag && !held) {
      const answer = await fetch("/api/virtual/table").catch(() => null);
      if (answer?.ok) await show(await answer.json());
    }
    await pause(1000);
  }
}

zoomable();
start();
look();
follow();
