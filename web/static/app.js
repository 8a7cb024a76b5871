// The phone's pages. First a board that is asked: where a piece may go, was that allowed, and, where
// the camera cannot, a move; then the other pages.
import { Board, nameOf } from "./board.js";
import { asked, complain, fill, get, live, load, post, renew, start, words } from "./live.js";
import { DRAWN, following, stage, swiped } from "./stage.js";

const svg = document.getElementById("board");
const hint = document.getElementById("hint");
const place = document.getElementById("answer");
const line = document.getElementById("line");
const ruled = document.getElementById("ruled");
const point = document.getElementById("point")?.dataset.at ?? "";
const page = document.body.dataset.page;
const referee = page === "allowed";
const NAMED = 8; // cells that a line names one by one

function element(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function button(text, kind, act) {
  const made = element("button", text, kind);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

// The point of the game, here and on the referee's page, and the "what if" there.
function about() {
  const query = {};
  const at = live.past?.ask ?? point;
  if (at) query.at = at;
  for (const name of ["turn", "piece"]) {
    const value = document.getElementById(name)?.value;
    if (value) query[name] = value;
  }
  return query;
}

async function play(action, seen) {
  const data = await post("/api/move", { action, state_id: seen });
  place.replaceChildren();
  if (!data.ok) return complain(data.error);
  complain(data.allowed === false ? data.reason : words.askMove);
}

async function letStand(action, seen) {
  const why = await asked(words.why);
  if (why === null) return;
  const data = await post("/api/ruling", { why: why || words.letStand, action, state_id: seen });
  if (!data.ok) return complain(data.error.message);
  place.replaceChildren();
}

// A ruling: what was decided and why in `place`, its rule at length beside the board if there is room.
function answered({ action, ruling, text, hints = [] }) {
  const card = element("section", "", "answer");
  const verdict = element("p", "", "verdict " + (ruling.allowed ? "yes" : "no"));
  verdict.append(element("b", ruling.allowed ? "✓ " + words.allowed : "✗ " + words.notAllowed), " ", element("span", text));
  const rule = element("a", ruling.title ? `${ruling.rule} · ${ruling.title}` : ruling.rule);
  rule.href = "/rules#" + ruling.rule;
  const more = element("p", "", "small");
  more.append(rule);
  if (ruling.section) more.append(element("span", " · " + fill(words.section, ruling), "section"));
  if (ruling.spots.length) more.append(" · " + fill(words.proof, { spots: ruling.spots.join(", ") }));
  card.append(verdict, element("p", ruling.reason), more);
  const long = ruled ? element("section", "", "card") : card;
  if (ruled) long.append(...[verdict, card.children[1], more].map((one) => one.cloneNode(true)));
  if (ruling.text) long.append(element("p", ruling.text, "ruletext"));
  if (hints.length) {
    const list = element("ul", "", "hints");
    list.append(...hints.map((text) => element("li", text)));
    long.append(element("p", words.legalIf, "eyebrow"), list);
  }
  ruled?.replaceChildren(long);
  const tools = element("p", "", "tools");
  const { you } = live.view ?? {};
  const plain = !Object.keys(about()).length;
  const seen = live.stateId;
  if (plain && ruling.allowed && you?.moves && !live.past) tools.append(button(words.play, "primary", () => play(action, seen)));
  if (plain && !ruling.allowed && you?.decides) (ruled ? long : tools).append(button(words.letStand, "", () => letStand(action, seen)));
  if (ruled) {
    const why = button(words.showWhy, "", () => {});
    why.dataset.sheet = "referee";
    tools.append(why);
  } else if (!referee) {
    const link = element("a", words.earlier, "button");
    link.href = "/allowed";
    tools.append(link);
  }
  if (tools.childElementCount) card.append(tools);
  if (referee) card.className = "card";
  place.replaceChildren(card);
}

// Several actions end on one spot, such as what a pawn becomes: each has a button.
function choosing(ways, seen) {
  const list = element("div", "", "aims");
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", words.which);
  list.append(...ways.map(({ action, text }) => button(text, "primary", () => play(action, seen))));
  place.replaceChildren(element("p", words.which, "eyebrow"), list);
  list.firstElementChild.focus({ preventScroll: true });
}

function asking() {
  let origin = null;
  const board = new Board(svg, (spot) => (edit.on ? edit.pick(spot) : past?.cells ? past.pick(spot) : pick(spot)));
  const edit = referee ? editing(board, forget) : { on: false };
  const opening = () => (live.view?.you.moves && !referee && !live.past ? words.askMove : words.ask);
  let past = null;
  const looking = async () => (past ??= new (await load("./past.js")).Past(board, { forget, answered, following }));
  if (!referee) remembering(looking);

  function forget() {
    origin = null;
    delete line?.dataset.held;
    board.show();
    hint.textContent = opening();
  }

  async function reach(spot) {
    if (!live.past && live.view?.legal && !Object.keys(about()).length) return { ok: true, targets: live.view.legal[spot] ?? [] };
    return get("/api/judge", { from: spot, ...about() });
  }

  async function choose(spot) {
    origin = spot;
    if (line) line.dataset.held = "";
    place.replaceChildren();
    board.show({ chosen: [spot] });
    const data = await reach(spot);
    if (origin !== spot) return;
    if (!data.ok) return complain(data.error.message);
    const ways = [...new Set(data.targets)];
    board.show({ chosen: [spot], aims: ways });
    const places = ways.length > NAMED ? fill(words.manyCells, { count: ways.length }) : ways.join(", ");
    const can = ways.length ? `${words.mayGo} ${places}` : words.mayNot;
    const text = document.getElementById("text-" + board.token(spot));
    if (text && !ways.length) place.replaceChildren(...Array.from(text.children, (one) => (one.matches("summary") ? element("p", nameOf(board.token(spot)), "eyebrow") : one.cloneNode(true))));
    hint.textContent = `${nameOf(board.token(spot))}, ${spot}: ${can}. ${playing() ? "" : words.askThen}`;
  }

  // Whether the second tap plays: moves are entered by phone here. With a camera a tap only asks.
  const playing = () => !referee && !live.past && live.view?.you.plays && !Object.keys(about()).length;

  async function pick(spot) {
    if (origin === null) {
      const cards = document.getElementById("place-" + spot);
      if (cards && !live.past) return void (cards.open = true);
      if (!board.token(spot)) return void (hint.textContent = `${fill(words.isEmpty, { spot })} ${opening()}`);
      return choose(spot);
    }
    if (origin === spot) {
      place.replaceChildren();
      return forget();
    }
    const from = origin;
    const seen = live.stateId;
    const data = await get("/api/judge", { from, to: spot, ...about() });
    if (origin !== from) return;
    // One's own piece that stands elsewhere is rather meant to be moved itself.
    if (data.ok && !data.ruling.allowed && playing() && live.view.legal[spot]) return choose(spot);
    forget();
    if (!data.ok) return complain(data.error.message);
    board.show({ chosen: [from, spot], proof: data.ruling.spots });
    if (!data.ruling.allowed) board.motion.shake(from);
    if (playing() && data.ways.length > 1) return choosing(data.ways, seen);
    if (playing() && data.ruling.allowed) return play(data.action, seen);
    answered(data);
    for (const [id, value] of [["from", from], ["to", spot]]) {
      const field = document.getElementById(id);
      if (field) field.value = value;
    }
  }

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.target.closest("dialog")) return;
    if (live.past) return past.back();
    place.replaceChildren();
    forget();
  });
  let shown = live.stateId;
  live.listeners.push((view) => {
    // A point of the past does not change, and nobody's editing is wiped away.
    if (point || live.past || edit.on) return;
    if (referee) board.update(view.position, {}, {}, view.legal);
    else following(board, view);
    if (view.news.some((entry) => entry.kind !== "refused") && view.state_id !== shown) {
      place.replaceChildren();
      forget();
    } else if (origin === null && !place.childElementCount) hint.textContent = opening();
    shown = view.state_id;
  });
  if (!place.childElementCount) hint.textContent = opening();
  stage(board, () => live.view?.last);
}

// The list of moves, which is fetched once it is seen, and steps back and forth from move to move.
function remembering(looking) {
  const moves = document.getElementById("moves");
  let seen = false;
  const list = async () => seen && (await looking()).list();
  new IntersectionObserver(([{ isIntersecting }]) => list((seen = isIntersecting))).observe(moves);
  live.listeners.push(list);
  const step = async (way) => (await looking()).step(way);
  document.getElementById("steps").hidden = false;
  document.getElementById("earlier").addEventListener("click", () => step(-1));
  document.getElementById("later").addEventListener("click", () => step(1));
  const turned = (by, thing) => Math.abs(by) > DRAWN && !thing.matches(".large") && step(by > 0 ? -1 : 1);
  for (const thing of [document.getElementById("frame"), line]) swiped(thing, turned, true);
  live.correct = async (asked) => (await looking()).correct(asked);
}

// Nobody scrolls a screen on the wall: what is told beside the board becomes smaller until all is seen.
function fitted(beside) {
  const told = [...beside.children].filter((part) => !part.matches(".tools"));
  const fit = () => {
    for (let size = 1; size > 0.5; size -= 0.05) {
      for (const part of told) part.style.zoom = size;
      if (beside.scrollHeight <= beside.clientHeight) return;
    }
  };
  const sizes = new ResizeObserver(fit);
  for (const part of [beside, ...told]) sizes.observe(part);
  return fit;
}

// A board that only shows: the table view.
function showing() {
  const board = new Board(svg, () => {});
  live.listeners.push((view) => following(board, view), fitted(document.getElementById("sheets")));
  stage(board, () => live.view?.last);
}

// The position as the table wants it: tap a piece, then its spot; or take it off.
function editing(board, forget) {
  const [switcher, take, off, send] = ["edit", "take", "off", "send"].map((id) => document.getElementById("house-" + id));
  const state = { on: false, pick };
  if (!switcher) return state;
  let position = {};
  let held = null;
  let side = [];
  const note = document.getElementById("house-hint");

  function draw() {
    board.update(position);
    board.show({ chosen: held?.spot ? [held.spot] : [] });
    take.disabled = !held?.spot;
    off.hidden = !side.length;
    off.replaceChildren(
      ...side.map((token, index) => {
        const made = button(nameOf(token), "", () => hold({ token, index }));
        made.setAttribute("aria-pressed", String(held?.index === index));
        return made;
      }),
    );
  }

  function hold(what) {
    held = what;
    note.textContent = what ? fill(words.inHand, { piece: nameOf(what.token) }) : note.dataset.edit;
    draw();
  }

  function pick(spot) {
    if (!held) return position[spot] && hold({ spot, token: position[spot] });
    if (held.spot === spot) return hold(null);
    if (position[spot]) side.push(position[spot]);
    if (held.spot) delete position[held.spot];
    else side.splice(held.index, 1);
    position[spot] = held.token;
    hold(null);
  }

  switcher.addEventListener("click", () => {
    state.on = !state.on;
    switcher.setAttribute("aria-pressed", String(state.on));
    forget();
    position = { ...live.view?.position };
    side = [];
    hold(null);
    if (state.on) svg.scrollIntoView({ block: "nearest" });
    else note.textContent = "";
  });
  take.addEventListener("click", () => {
    side.push(held.token);
    delete position[held.spot];
    hold(null);
  });
  send.addEventListener("click", async () => {
    const body = { why: document.getElementById("house-why").value.trim() || words.letStand };
    const turn = document.getElementById("house-turn").value;
    if (state.on) body.position = position;
    if (turn) body.to_move = turn;
    const data = await post("/api/ruling", body, "/");
    if (!data.ok) complain(data.error.message);
  });
  return state;
}

if (page === "phone" || page === "allowed") asking();
if (page === "view") showing();
if (["join", "view", "history", "cards", "analysis", "advice"].includes(page)) await load("./pages.js");
if (page === "settings" || page === "games") (await load("./host.js")).hosting();
if (page !== "error") start();
else {
  dispatchEvent(new Event("ready"));
  if (document.querySelector("[data-again]")) renew();
}
