// What stands round a board: how much of it is shown, the sheets that slide over it, and the keys.
import { live, question, words } from "./live.js";

const LARGEST = 6;
const LEAST_CELL = 15; // pixels across, below which nobody reads a cell
const FINE = 1.1; // pixels to a millimetre of the board, from which its smallest letters are read
const WIDE = matchMedia("(min-width: 900px)");

// -- how much of the board is shown ---------------------------------------------------

// The buttons that make the board larger than its window: by steps, to the army, to the last move.
export function zoomable(board, ends = () => null) {
  const tools = document.getElementById("zooms");
  const frame = document.getElementById("frame");
  if (!tools || !frame) return;
  const thing = frame.firstElementChild;
  const staged = frame.closest(".stage");
  const look = document.getElementById("look");
  let size = 1;
  let middle = [0.5, 0.5]; // of `thing` (0 to 1), which stays in the middle of the frame however that is resized
  let settled = [0, 0]; // where the frame was scrolled to for that, whatever hindered it
  const show = (shown) => {
    tools.hidden = !shown;
    look?.setAttribute("aria-expanded", String(shown));
  };
  // A lesson on a phone has the room for its hints; where cells are small they are shown all the same.
  show(WIDE.matches || !(look || frame.closest("#lesson")));

  // How wide `thing` is when all of it is shown, in pixels.
  function whole() {
    const { width, height } = board ? board.svg.viewBox.baseVal : { width: 1, height: 0 };
    return staged ? Math.min(frame.clientWidth, (frame.clientHeight * width) / height) : frame.clientWidth;
  }

  // Show `thing` at `wanted` times its size, (x, y) of it (0 to 1) in the middle of the frame.
  function zoom(wanted, x, y) {
    const height = frame.clientHeight;
    size = Math.min(LARGEST, Math.max(1, wanted));
    const large = size > 1;
    middle = large ? [x ?? middle[0], y ?? middle[1]] : [0.5, 0.5];
    frame.classList.toggle("large", large);
    if (!staged) frame.style.height = large ? height + "px" : "";
    thing.style.width = large ? whole() * size + "px" : "";
    frame.scrollTo(middle[0] * frame.scrollWidth - frame.clientWidth / 2, middle[1] * frame.scrollHeight - frame.clientHeight / 2);
    settled = [frame.scrollLeft, frame.scrollTop];
    legible();
  }

  // Small letters on the board are shown where they are read.
  function legible() {
    const { a, b } = board?.svg.getScreenCTM() ?? { a: 0, b: 0 };
    frame.classList.toggle("fine", Math.hypot(a, b) >= FINE);
  }

  // Who scrolls chooses another middle; what the browser scrolls because the frame became smaller does not.
  function scrolled() {
    const [left, top] = [frame.scrollLeft, frame.scrollTop];
    if (left === settled[0] && top === settled[1]) return;
    settled = [left, top];
    middle = [(left + frame.clientWidth / 2) / frame.scrollWidth, (top + frame.clientHeight / 2) / frame.scrollHeight];
  }

  // A phone that is turned over, or a line beneath the board that grows: what was seen is seen as large as before.
  function resized() {
    if (size > 1) zoom(parseFloat(thing.style.width) / whole());
    else legible();
  }
  frame.addEventListener("scroll", scrolled, { passive: true });
  new ResizeObserver(resized).observe(frame);

  function to(names) {
    const boxes = names.filter((name) => board.spots.has(name)).map((name) => board.spots.get(name).element.getBoundingClientRect());
    if (!boxes.length) return;
    const { left: x0, top: y0, width, height } = board.drawn();
    const [left, right] = [Math.min(...boxes.map((b) => b.left)), Math.max(...boxes.map((b) => b.right))];
    const [top, bottom] = [Math.min(...boxes.map((b) => b.top)), Math.max(...boxes.map((b) => b.bottom))];
    const room = Math.min(frame.clientWidth / (right - left), frame.clientHeight / (bottom - top)) * 0.85;
    zoom(Math.min(size * room, Math.max(3, size)), ((left + right) / 2 - x0) / width, ((top + bottom) / 2 - y0) / height);
  }

  const last = () => {
    const marked = [...board.spots].filter(([, { element }]) => element.dataset.mark === "last").map(([name]) => name);
    return marked.length ? marked : (ends() ?? []);
  };
  const turn = (sides) => {
    const ways = [...new Set(Object.values(sides))].sort((a, b) => a - b);
    board.turn(ways[(ways.indexOf(board.turned) + 1) % ways.length]);
  };
  const acts = {
    in: () => zoom(size * 1.6),
    out: () => zoom(size / 2),
    all: () => zoom(1),
    army: ({ seat }) => to(board.army(seat)),
    last: () => to(last()),
    turn: ({ sides }) => turn(JSON.parse(sides)),
    names: () => name(board.svg.classList.contains("nameless")),
  };
  tools.addEventListener("click", (event) => {
    const data = event.target.closest("button")?.dataset;
    if (data) acts[data.zoom]?.(data);
  });
  look?.addEventListener("click", () => show(tools.hidden));

  // Whether the board's edges are lettered, kept by this phone.
  const names = tools.querySelector("[data-zoom=names]");
  function name(shown) {
    board?.svg.classList.toggle("nameless", !shown);
    board?.fit();
    names?.setAttribute("aria-pressed", String(shown));
    localStorage.setItem("coordinates", shown ? "1" : "0");
  }
  if (names && !board?.svg.querySelector(".names")) names.remove();
  else if (names) name(localStorage.getItem("coordinates") !== "0");

  if (!board) return;
  pinched(board, frame, thing, () => size, zoom);
  const seat = tools.querySelector("[data-seat]")?.dataset.seat;
  const fit = () => {
    const cell = (board.svg.dataset.pitch * whole()) / board.svg.viewBox.baseVal.width;
    if (!cell || cell >= LEAST_CELL) return;
    show(true);
    if (seat) to(board.army(seat));
  };
  fit();
  board.begin(seat);
}

// Two fingers make the board larger. Nothing is laid out anew before they are lifted.
function pinched(board, frame, thing, sized, zoom) {
  let begun = null;
  const far = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  frame.addEventListener("touchstart", (event) => {
    if (event.touches.length !== 2) return;
    const box = board.drawn();
    const [x, y] = [0, 1].map((axis) => (event.touches[0][axis ? "clientY" : "clientX"] + event.touches[1][axis ? "clientY" : "clientX"]) / 2);
    begun = { far: far(event.touches), x: x - box.left, y: y - box.top, width: box.width, height: box.height, ratio: 1 };
    const { left, top } = thing.getBoundingClientRect();
    thing.style.transformOrigin = `${x - left}px ${y - top}px`;
  }, { passive: true });
  frame.addEventListener("touchmove", (event) => {
    if (!begun || event.touches.length !== 2) return;
    event.preventDefault();
    begun.ratio = Math.max(1 / sized(), far(event.touches) / begun.far);
    thing.style.transform = `scale(${begun.ratio})`;
  }, { passive: false });
  frame.addEventListener("touchend", () => {
    if (!begun) return;
    const { x, y, width, height, ratio } = begun;
    begun = null;
    thing.style.transform = "";
    zoom(sized() * ratio, x / width, y / height);
  });
}

// The board as the game tells it, and the way back of a move that it refused.
export function following(board, view, position = view.position) {
  if (live.past) return;
  const steps = document.querySelector("#part-ruling .refused")?.dataset.steps;
  const ends = steps ? steps.split(" ") : [];
  board.update(position, view.lights, view.marks, view.legal);
  board.back(ends.length > 1 ? [ends.at(-1), ends[0]] : []);
  if (!view.news.some((entry) => entry.kind === "refused")) return;
  for (const spot of ends) board.motion.shake(spot);
}

// -- sheets ------------------------------------------------------------------------------

export const DRAWN = 60; // pixels that a finger draws a sheet down to close it, or the line up to open one

// What lies beside the stage where there is room slides over it where there is none: into a dialog,
// which keeps the focus while it is open and gives it back to whoever opened it.
function sheeted() {
  const rest = document.getElementById("sheets");
  const handles = document.getElementById("handles");
  if (!rest || !handles) return () => {};
  handles.hidden = false;
  const dialog = document.createElement("dialog");
  dialog.className = "drawn";
  document.body.append(dialog);
  let mark = null;

  function open(name) {
    const sheet = document.getElementById("sheet-" + name);
    if (!sheet) return;
    if (WIDE.matches) {
      sheet.scrollIntoView({ block: "nearest" });
      return void sheet.querySelector("a, button:not([data-shut]), summary, input")?.focus();
    }
    back(); // a sheet that was just closed, too: its `close` has still to come
    mark = document.createComment(name);
    sheet.replaceWith(mark);
    dialog.setAttribute("aria-labelledby", `sheet-${name}-title`);
    dialog.append(sheet);
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
  }
  function back() {
    if (!mark) return;
    mark.replaceWith(dialog.firstElementChild);
    mark = null;
  }
  dialog.addEventListener("close", () => dialog.open || back());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest("[data-shut]")) dialog.close();
  });
  document.addEventListener("click", (event) => {
    const name = event.target.closest("[data-sheet]")?.dataset.sheet;
    if (name) open(name);
    // What was asked for there is seen on the board.
    if (event.target.closest("dialog #sheet-more button, dialog #sheet-moves :is([data-correct], [data-at])")) dialog.close();
  });
  WIDE.addEventListener("change", () => dialog.open && dialog.close());
  // Where nothing is left to decide there, the line says how it goes on.
  live.listeners.push(() => dialog.querySelector("#part-do:not(:has(*))") && dialog.close());
  swiped(dialog, (by) => by > DRAWN && dialog.scrollTop <= 0 && dialog.close());
  swiped(document.getElementById("line"), (by, line) => {
    const ends = line.scrollTop + line.clientHeight >= line.scrollHeight - 1;
    if (by < -DRAWN && ends && !WIDE.matches) open("scores");
  });
  return () => dialog.open && dialog.close();
}

// Tells by how many pixels one finger went down over `thing`, or with `aside` to the right, when it is lifted.
export function swiped(thing, done, aside = false) {
  let from = null;
  thing?.addEventListener("touchstart", ({ touches: [touch, second] }) => (from = second ? null : [touch.clientX, touch.clientY]), { passive: true });
  thing?.addEventListener("touchend", ({ changedTouches: [touch] }) => {
    if (!from) return;
    const [x, y] = [touch.clientX - from[0], touch.clientY - from[1]];
    from = null;
    const [by, across] = aside ? [x, y] : [y, x];
    if (Math.abs(by) > 2 * Math.abs(across)) done(by, thing);
  });
}

// -- keys --------------------------------------------------------------------------------

const LETTERS = "letters";
const SIGNS = { ArrowLeft: "←", ArrowRight: "→" };

// What a button says it may be pressed by. Letters can be switched off where they are shown.
function keyed(board, shut) {
  const marked = () => [...document.querySelectorAll("[aria-keyshortcuts]")].filter((one) => !one.closest("dialog") && !one.disabled);
  const on = () => localStorage.getItem(LETTERS) !== "0";
  async function help() {
    const lines = [[words.keyBoard, "b"], [words.keyWalk, "← ↑ ↓ →"], [words.keyPick, "Enter"], [words.keyGo, "Esc"]];
    for (const one of marked()) lines.push([one.getAttribute("aria-label") || one.textContent.trim(), SIGNS[one.getAttribute("aria-keyshortcuts")] ?? one.getAttribute("aria-keyshortcuts")]);
    const list = document.createElement("dl");
    list.className = "keys";
    for (const [text, key] of lines) {
      const [dt, dd] = ["dt", "dd"].map((name) => document.createElement(name));
      dt.append(Object.assign(document.createElement("kbd"), { textContent: key }));
      dd.textContent = text;
      list.append(dt, dd);
    }
    const answer = await question(words.keys, [["", words.close, "primary"], ["turn", on() ? words.lettersOff : words.lettersOn]], false, list);
    if (answer === "turn") localStorage.setItem(LETTERS, on() ? "0" : "1");
  }
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
    // Arrows walk over the board once somebody is on it.
    if (defaultPrevented || ctrlKey || metaKey || altKey || target.matches("input, select, textarea") || target.closest("dialog:not(.drawn)")) return;
    if (key === "?") return void help();
    if (!on() && /^[a-z]$/i.test(key)) return;
    if (key === "b") {
      shut();
      event.preventDefault();
      return void board.svg.querySelector('.spot[tabindex="0"]').focus();
    }
    const button = marked().find((one) => one.getAttribute("aria-keyshortcuts") === key);
    if (!button) return;
    event.preventDefault();
    button.click();
  });
}

// Sets a board upon its stage.
export function stage(board, ends) {
  const shut = sheeted();
  zoomable(board, ends);
  keyed(board, shut);
}
