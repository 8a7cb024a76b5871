// Hands on the simulated table: tap and tap, drag, or keys. The game hears of it by camera alone.
import { Board, fetchSymbols, nameOf, shape, tokenId } from "./board.js";
import { complain, fill, live, pause, post, renew, start, words } from "./live.js";
import { MatHands } from "./mat.js";
import { pictures } from "./pictures.js";
import { following, stage } from "./stage.js";

const svg = document.getElementById("board");
const side = document.getElementById("off");
const hint = document.getElementById("hint");
let camera = document.getElementById("camera");
const board = new Board(svg, pick);
const HINT = hint.textContent;
const half = svg.dataset.pitch / 2;
let world = { tokens: {}, off: [], held: null, lifts: false };
let held = null; // {spot, token} chosen on the board, or {token, index} chosen beside it
let queue = Promise.resolve();

// What lies there, and what shines under it.
const draw = () => board.update(world.tokens, live.view?.lights, live.view?.marks);

// Where a piece may go glows as soon as it is taken: the lights need not wait for the hand in the
// picture. Only a piece that the game knows there may go anywhere.
function reach(spot) {
  const { position, legal, settings } = live.view ?? {};
  const lit = (settings?.lights ?? "full") === "full" && position?.[spot] === held.token;
  return lit ? (legal?.[spot] ?? []) : [];
}

function hold(what) {
  held = what;
  document.getElementById("line").toggleAttribute("data-held", Boolean(what));
  board.show(what?.spot ? { chosen: [what.spot], aims: reach(what.spot) } : {});
  for (const button of side.children) button.setAttribute("aria-pressed", String(button.dataset.index === what?.index));
  for (const id of ["turn", "flip", "remove"]) document.getElementById(id).disabled = !what?.spot;
  hint.textContent = what ? fill(words.inHand, { piece: nameOf(what.token) }) : HINT;
}

// Whether this page's own hand holds something.
const chosen = () => held && (held.spot || held.index !== undefined);

// A piece that is taken into the hand: the camera sees it leave its spot.
function take(what) {
  hold(what);
  if (what?.spot && world.lifts) send("lift", { spot: what.spot });
}

async function show(next) {
  if (next.dice) await mat?.show(next.dice);
  const changed = JSON.stringify(next.off) !== JSON.stringify(world.off) || !side.childElementCount;
  world = next;
  await fetchSymbols(world.off);
  // Somebody left a piece in the air, or this page was opened anew; another page may put it down.
  if (!chosen() && (held?.token ?? null) !== world.held) hold(world.held ? { token: world.held } : null);
  draw();
  if (!changed) return;
  side.replaceChildren(
    ...world.off.map((token, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.index = String(index);
      button.dataset.token = token;
      button.setAttribute("aria-label", nameOf(token));
      button.setAttribute("aria-pressed", "false");
      const coin = shape("svg", { class: "coin", viewBox: `${-half} ${-half} ${2 * half} ${2 * half}`, "aria-hidden": "true" });
      coin.append(shape("use", { href: "#" + tokenId(token) }));
      button.append(coin);
      return button;
    }),
  );
}

// One hand does one thing after another.
function send(name, body) {
  queue = queue.then(async () => {
    const data = await post("/api/virtual/" + name, body);
    if (data.ok) return show(data);
    if (name === "lift") hold(null);
    return complain(data.error.message);
  }).catch(() => complain(words.noAnswer));
  return queue;
}

const matDrawn = document.getElementById("mat");
const mat = matDrawn && new MatHands(matDrawn, send);

// Do something to a piece on the board: one that is in the hand goes back to its spot first.
function treat(what, name) {
  hold(null);
  if (world.lifts) send("drop", { spot: what.spot });
  if (name) send(name, { spot: what.spot });
}

function drop(what, spot) {
  if (what.spot && (!spot || what.spot === spot)) return treat(what, spot ? null : "remove");
  hold(null);
  if (what.index !== undefined) return spot && send("put", { spot, token: what.token });
  return world.lifts ? send("drop", { spot }) : send("move", { origin: what.spot, target: spot });
}

function pick(spot) {
  const token = board.token(spot);
  if (held) drop(held, spot);
  else if (token) take({ spot, token });
  else hint.textContent = `${fill(words.isEmpty, { spot })} ${HINT}`;
}

side.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button || board.quiet) return;
  const again = held && held.index === button.dataset.index;
  hold(again ? null : { token: button.dataset.token, index: button.dataset.index });
  // It goes onto the board, which a sheet would hide.
  side.closest("dialog")?.close();
});
for (const id of ["turn", "flip", "remove"]) {
  document.getElementById(id).addEventListener("click", () => held?.spot && treat(held, id));
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && held) return drop(held, held.spot);
  if (event.key === "Backspace" && held?.spot && event.target.closest(".board")) treat(held, "remove");
});

// -- the box --------------------------------------------------------------------------

// Some buttons are to be held, as on a real box: by a finger, or by Enter or Space.
const box = document.getElementById("box");
let holding = null;

async function press(button) {
  const data = await post("/api/virtual/press", { button: button.dataset.key });
  complain(data.ok ? HINT : data.error.message);
}

function begin(button) {
  const seconds = Number(button?.dataset.seconds ?? 0);
  if (!seconds || holding) return;
  button.classList.add("held");
  button.style.setProperty("--hold", `${seconds}s`);
  holding = { button, due: setTimeout(() => end(true), 1000 * seconds) };
}

function end(done) {
  if (!holding) return;
  const { button, due } = holding;
  holding = null;
  clearTimeout(due);
  button.classList.remove("held");
  if (done) press(button);
  else complain(fill(box.dataset.hold, { seconds: button.dataset.seconds }));
}

box?.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button && !button.dataset.seconds) press(button);
});
box?.addEventListener("pointerdown", (event) => begin(event.target.closest("button:enabled")));
box?.addEventListener("keydown", (event) => [" ", "Enter"].includes(event.key) && !event.repeat && begin(event.target.closest("button")));
box?.addEventListener("contextmenu", (event) => event.preventDefault());
for (const name of ["pointerup", "pointercancel", "keyup", "blur"]) addEventListener(name, () => end(false));

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
    take(drag.what);
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
  if (event.type === "pointercancel") return drop(done.what, done.what.spot);
  drop(done.what, board.at(event.clientX, event.clientY));
}

document.addEventListener("pointerdown", grab);
document.addEventListener("pointermove", carry, { passive: false });
document.addEventListener("pointerup", letGo);
document.addEventListener("pointercancel", letGo);

// -- looking -------------------------------------------------------------------------

// None was taken yet: its place stays empty. An error may have come before this module did.
const none = () => camera.setAttribute("data-none", "");
camera?.addEventListener("error", none);
if (camera?.complete && !camera.naturalWidth) none();

// The picture is exchanged whole: a decoded one does not flicker.
function picture(next) {
  for (const name of ["id", "alt", "width", "height"]) next.setAttribute(name, camera.getAttribute(name));
  camera.replaceWith(next);
  camera = next;
}

async function follow() {
  for (;;) {
    if (document.visibilityState !== "hidden" && !drag && !chosen()) {
      try {
        const before = queue;
        const answer = await fetch(`/api/virtual/table?game=${document.body.dataset.game}`);
        if (answer.status === 409) return renew();
        const next = answer.ok ? await answer.json() : null;
        // What was asked for before a hand took a piece would put it back.
        if (next && queue === before) await show(next);
      } catch {
        // The house does not answer; it is asked again.
      }
    }
    await pause(1000);
  }
}

live.listeners.push((view) => {
  following(board, view, world.tokens);
  if (held) hold(held);
});
stage(board, () => live.view?.last);
start();
// On a board of sensors alone there is none.
if (camera) pictures("/api/virtual/picture", 150, picture);
follow();
