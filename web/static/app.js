// The phone's pages. First a board that is asked: where a piece may go, was that allowed, and, where
// the camera cannot, a move; then the other pages.
import { Board, nameOf, zoomable } from "./board.js";
import { asked, complain, fill, get, live, post, renew, start, words } from "./live.js";

const svg = document.getElementById("board");
const hint = document.getElementById("hint");
const place = document.getElementById("answer");
const at = document.getElementById("point")?.dataset.at ?? "";
const page = document.body.dataset.page;
const referee = page === "allowed";

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

// The point of the game and the "what if" of the referee's page.
function about() {
  const query = {};
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
  complain(data.ok ? (data.allowed === false ? data.reason : words.askMove) : data.error.message);
}

async function letStand(action, seen) {
  const why = await asked(words.why);
  if (why === null) return;
  const data = await post("/api/ruling", { why: why || words.letStand, action, state_id: seen });
  if (!data.ok) return complain(data.error.message);
  place.replaceChildren();
}

function answered({ action, ruling, text, hints = [] }) {
  const card = element("section", "", "card");
  const verdict = element("p", "", "verdict " + (ruling.allowed ? "yes" : "no"));
  verdict.append(element("b", ruling.allowed ? "✓ " + words.allowed : "✗ " + words.notAllowed), " ", element("span", text));
  const rule = element("a", ruling.title ? `${ruling.rule} · ${ruling.title}` : ruling.rule);
  rule.href = "/rules#" + ruling.rule;
  const more = element("p", "", "small");
  more.append(rule);
  if (ruling.section) more.append(" · " + fill(words.section, ruling));
  if (ruling.spots.length) more.append(" · " + fill(words.proof, { spots: ruling.spots.join(", ") }));
  card.append(verdict, element("p", ruling.reason), more);
  if (ruling.text) card.append(element("p", ruling.text, "ruletext"));
  if (hints.length) {
    const list = element("ul", "", "hints");
    list.append(...hints.map((text) => element("li", text)));
    card.append(element("p", words.legalIf, "eyebrow"), list);
  }
  const tools = element("p", "", "tools");
  const { you } = live.view ?? {};
  const plain = !Object.keys(about()).length;
  const seen = live.stateId;
  if (plain && ruling.allowed && you?.moves) tools.append(button(words.play, "primary", () => play(action, seen)));
  if (plain && !ruling.allowed && you?.decides) tools.append(button(words.letStand, "", () => letStand(action, seen)));
  if (!referee) {
    const link = element("a", words.earlier, "button");
    link.href = "/allowed";
    tools.append(link);
  }
  if (tools.childElementCount) card.append(tools);
  place.replaceChildren(card);
}

function asking() {
  let origin = null;
  let ways = null;
  const board = new Board(svg, (spot) => (edit.on ? edit.pick(spot) : pick(spot)));
  const edit = referee ? editing(board, forget) : { on: false };
  const opening = () => (live.view?.you.moves && !referee ? words.askMove : words.ask);

  function forget() {
    origin = null;
    board.show();
    hint.textContent = opening();
  }

  async function reach(spot) {
    if (!at && live.view?.legal && !Object.keys(about()).length) return { ok: true, targets: live.view.legal[spot] ?? [] };
    return get("/api/judge", { from: spot, ...about() });
  }

  async function choose(spot) {
    origin = spot;
    place.replaceChildren();
    board.show({ chosen: [spot] });
    const data = await reach(spot);
    if (origin !== spot) return;
    if (!data.ok) return complain(data.error.message);
    ways = [...new Set(data.targets)];
    board.show({ chosen: [spot], aims: ways });
    const name = `${nameOf(board.token(spot))}, ${spot}`;
    hint.textContent = `${name}: ${ways.length ? words.mayGo + " " + ways.join(", ") : words.mayNot}. ${words.askThen}`;
    if (!ways.length || ways.length > 40) return;
    const list = element("div", "", "aims");
    list.setAttribute("role", "group");
    list.setAttribute("aria-label", `${name}: ${words.mayGo}`);
    list.append(...ways.map((way) => button(way, "", () => pick(way))));
    place.replaceChildren(list);
  }

  async function pick(spot) {
    if (origin === null) {
      if (!board.token(spot)) return void (hint.textContent = `${fill(words.isEmpty, { spot })} ${opening()}`);
      return choose(spot);
    }
    if (origin === spot) {
      place.replaceChildren();
      return forget();
    }
    const from = origin;
    const data = await get("/api/judge", { from, to: spot, ...about() });
    forget();
    if (!data.ok) return complain(data.error.message);
    board.show({ chosen: [from, spot], proof: data.ruling.spots });
    answered(data);
    for (const [id, value] of [["from", from], ["to", spot]]) {
      const field = document.getElementById(id);
      if (field) field.value = value;
    }
  }

  document.addEventListener("keydown", (event) => event.key === "Escape" && forget());
  let shown = live.stateId;
  live.listeners.push((view) => {
    // A point of the past does not change, and nobody's editing is wiped away.
    if (at || edit.on) return;
    board.update(view.position, referee ? {} : view.lights, referee ? {} : view.marks, view.legal);
    if (view.news.some((entry) => entry.kind !== "refused") && view.state_id !== shown) {
      place.replaceChildren();
      forget();
    } else if (origin === null && !place.childElementCount) hint.textContent = opening();
    shown = view.state_id;
  });
  if (!place.childElementCount) hint.textContent = opening();
  zoomable(board, () => live.view?.last);
}

// A board that only shows: the table view.
function showing() {
  const board = new Board(svg, () => {});
  live.listeners.push((view) => board.update(view.position, view.lights, view.marks));
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
    const data = await post("/api/ruling", body);
    if (!data.ok) return complain(data.error.message);
    location.assign("/");
  });
  return state;
}

// In place of the page's code another one. Who was sent away sees no code any more.
async function showNextCode() {
  const answer = await fetch(location.pathname).catch(() => null);
  const html = answer?.ok && (await answer.text().catch(() => ""));
  if (!html) return;
  const page = new DOMParser().parseFromString(html, "text/html");
  const fresh = page.querySelector(".qr");
  if (!fresh) return renew();
  document.querySelector(".qr")?.replaceWith(fresh);
}

// Whoever came in has used the code up: show the next one, and before it is over.
function keepingCode() {
  if (!document.querySelector(".qr")) return;
  let phones = null;
  live.listeners.push((view) => {
    if (phones !== null && phones !== view.phones) showNextCode();
    phones = view.phones;
  });
  setInterval(showNextCode, 8 * 60 * 1000);
}

function joining() {
  const form = document.getElementById("join-form");
  const field = document.getElementById("code");
  const enter = async (code) => {
    const name = document.getElementById("join-name").value.trim();
    const data = await post("/api/join", name ? { code, name } : { code });
    if (data.ok) return location.reload();
    document.getElementById("news").textContent = data.error.message;
  };
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    enter(field.value);
  });
  const code = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  if (form && code) {
    field.value = code;
    enter(code);
  }
}

// Which blanks a card has depends on its kind.
function owning() {
  const form = document.getElementById("own");
  const kind = form.elements.kind;
  const fit = () => {
    for (const label of form.querySelectorAll("[data-kinds]")) {
      const kinds = label.dataset.kinds.split(" ").filter(Boolean);
      label.hidden = kinds.length > 0 && !kinds.includes(kind.value);
    }
  };
  kind.addEventListener("change", fit);
  fit();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const shown = Array.from(form.querySelectorAll("label:not([hidden]) [name]"));
    const card = Object.fromEntries(shown.map((field) => [field.name, field.value]));
    const data = await post("/api/cards", { card, instead: form.dataset.instead });
    if (!data.ok) return complain(data.error.message);
    location.assign("/cards");
  });
}

function watchingLog() {
  live.listeners.push((view) => {
    const last = document.querySelector("#history > li")?.id;
    if (view.news.length && last !== "event-" + view.news.at(-1).seq) {
      const link = document.createElement("a");
      link.textContent = words.happened;
      link.className = "button";
      link.href = "/history";
      document.getElementById("news").replaceChildren(link);
    }
  });
}

if (page === "phone" || page === "allowed") asking();
if (page === "view") showing();
if (page === "join") joining();
if (page === "join" || page === "view") keepingCode();
if (page === "history") watchingLog();
if (page === "cards") owning();
if (page === "settings" || page === "games") (await import("./host.js")).hosting();
if (page !== "error") start();
else if (document.querySelector("[data-again]")) renew();
