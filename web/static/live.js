// The stream, the parts of the page that it redraws, and the requests that a phone may send.
import { fetchJson, fetchSymbols, tokenOf } from "./board.js";

// Where the house falls before it has come the page loads itself anew (again.js), and this never ends.
export const load = (path) => import(path).catch(() => new Promise(() => dispatchEvent(new Event("missing"))));

// Nothing of it can be done before a finger has touched the page: so it is not loaded before.
const own = () => load("./device.js");

export const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

const island = document.getElementById("sentences");
export const words = island ? JSON.parse(island.dataset.words) : {};

// A sentence of the page's language with its {names} filled in.
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

const random = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");

const pill = document.getElementById("pill");
const announce = document.getElementById("announce");
// One stream for a tab: the page that comes next takes the place of this one.
const client = sessionStorage.client || (sessionStorage.client = random(12));
const SILENCE = 12000;
const FAULTS = ["hardware", "game_fault", "internal_server_error"];

export const live = { stateId: Number(document.body.dataset.state || 0), view: null, past: null, listeners: [] };

let source = null;
// What the stream has told so far, whatever else was shown since.
let told = null;
let retry = 0;
let delay = 500;
let heard = Date.now();
let lost = 0;

function say(state) {
  const since = new Date(heard).toTimeString().slice(0, 5);
  pill.dataset.live = state;
  const text = { yes: words.live, wait: words.wait, no: fill(words.offline, { time: since }) }[state];
  if (pill.textContent !== text) pill.textContent = text;
}

// Shows what the house has drawn; nothing else is taken for HTML.
export function part(element, html) {
  if (element.shown === html) return;
  // What is being written on a phone is not wiped away by a move on the table; it is caught up with.
  const writing = element.contains(document.activeElement) && document.activeElement.matches("input, select, textarea");
  if (!writing) element.shown = html;
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  for (const details of fresh.content.querySelectorAll("details[id]")) {
    const old = document.getElementById(details.id);
    if (old) details.open = old.open;
  }
  if (fresh.innerHTML === element.innerHTML) return;
  if (writing) return;
  const focus = element.contains(document.activeElement) ? document.activeElement.id : "";
  element.replaceChildren(fresh.content);
  if (focus) document.getElementById(focus)?.focus();
}

const plain = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

// A text's tags, and what stands between them: see web/delta.py.
const pieces = /<[^<>]*>?|[^<>]*>|[^<>]+/g;

function edited(value, edit) {
  if (!Array.isArray(edit)) return value.map((item, index) => (index in edit ? changed(item, edit[index]) : item));
  const text = typeof value === "string";
  const old = text ? value.match(pieces) ?? [] : value;
  const fresh = [];
  let taken = 0;
  for (const [at, count, items] of edit) {
    fresh.push(...old.slice(taken, at));
    for (const item of items) fresh.push(text && typeof item === "number" ? fresh[item] : item);
    taken = at + count;
  }
  fresh.push(...old.slice(taken));
  return text ? fresh.join("") : fresh;
}

// A snapshot with what changed since: see web/delta.py.
function changed(old, { "-": gone = [], "~": edits = {}, ...delta }) {
  const fresh = { ...old };
  for (const name of gone) delete fresh[name];
  for (const [name, value] of Object.entries(delta)) {
    fresh[name] = plain(value) && plain(old[name]) ? changed(old[name], value) : value;
  }
  for (const [name, edit] of Object.entries(edits)) fresh[name] = edited(old[name], edit);
  return fresh;
}

// One sentence after another, each with its end.
export const joined = (sentences) => sentences.map((one) => one.replace(/[^.!?…]$/, "$&.")).join(" ");

const sentence = (entry) =>
  entry.ruling && !entry.ruling.allowed ? `${entry.text}: ${words.notAllowed}. ${entry.ruling.reason}` : entry.text;

// Load this page anew, or another one, as soon as the house answers: a page that is loaded while it
// does not would turn into the browser's own and stay there. One that is no more leads to the game.
let renewing = false;
export async function renew(path = location.pathname + location.search) {
  if (renewing) return;
  renewing = true;
  disconnect();
  for (let rest = 500; ; rest = Math.min(2 * rest, 5000)) {
    const answer = await fetch(path).catch(() => null);
    if (answer && answer.status < 500 && answer.status !== 429) {
      if (!answer.ok) return location.assign("/");
      return path === location.pathname + location.search ? location.reload() : location.assign(path);
    }
    await pause(rest);
  }
}

// Another game has begun: everything on this page is of the old one.
function outdated(id) {
  const { game, page } = document.body.dataset;
  if (!game || id === undefined || String(id) === game) return renewing;
  renew(bound ?? (["settings", "shelf", "box"].includes(page) ? "/" : undefined));
  return true;
}

// Tokens beside the board and on it, but not on its spots, have their pictures.
export const pictured = () => fetchSymbols(Array.from(document.querySelectorAll(".coin use, .props use"), tokenOf));

export function show(view) {
  if (outdated(view.game_id)) return;
  const before = live.view;
  live.view = view;
  live.stateId = view.state_id;
  for (const [name, html] of Object.entries(view.html || {})) {
    const element = document.getElementById("part-" + name);
    if (element) part(element, html);
  }
  pictured();
  if (view.news.length) announce.textContent = joined(view.news.map(sentence));
  if (before && view.news.length && navigator.userActivation?.hasBeenActive !== false) {
    own().then(({ happened }) => happened(view, before, joined(view.news.map(sentence))));
  }
  title();
  for (const listener of live.listeners) listener(view);
}

// A tab among others says whose turn it is.
function title() {
  const turn = document.querySelector(".stage #part-turn .turn");
  if (!turn) return;
  named ??= document.title;
  const who = Array.from(turn.querySelectorAll(".eyebrow, strong"), (one) => one.textContent.trim().replace(/\s+/g, " "));
  document.title = `${who.join(": ")} · ${named}`;
}
let named = null;

function disconnect() {
  clearTimeout(retry);
  if (source) source.close();
  source = null;
}

function trouble() {
  if (renewing) return;
  disconnect();
  lost = lost || Date.now();
  say(Date.now() - lost > 5000 ? "no" : "wait");
  if (delay > 1000) glance();
  retry = setTimeout(connect, delay * (0.75 + Math.random() / 2));
  delay = Math.min(delay * 2, 5000);
}

// While the stream is down (a full house, a proxy that holds it back) the state can still be asked.
async function glance() {
  const view = await fetchJson("/api/state?html=1");
  if (view?.ok) show(view);
}

export function connect() {
  disconnect();
  if (renewing || document.visibilityState === "hidden") return;
  if (Date.now() - heard > SILENCE) say("wait");
  const html = document.getElementById("part-scores") ? "view" : 1;
  source = new EventSource(`/api/events?html=${html}&client=${client}&seen=${live.stateId || ""}`);
  const alive = () => {
    heard = Date.now();
    lost = 0;
    delay = 500;
    say("yes");
  };
  const hear = (how) => (event) => {
    alive();
    told = how(JSON.parse(event.data));
    show(told);
  };
  source.addEventListener("snapshot", hear((view) => view));
  source.addEventListener("update", hear((delta) => changed(told, delta)));
  source.addEventListener("beat", alive);
  source.addEventListener("closed", trouble);
  source.addEventListener("error", trouble);
}

// Some browsers kill a background stream without an error: always open a new one on return.
export function start() {
  say("wait");
  if (document.getElementById("device") || localStorage.getItem("device-awake") === "1") own();
  addEventListener("pointerdown", own, { once: true });
  connect();
  document.addEventListener("visibilitychange", connect);
  addEventListener("pageshow", (event) => event.persisted && connect());
  addEventListener("online", connect);
  addEventListener("pagehide", disconnect);
  setInterval(() => source && Date.now() - heard > SILENCE && trouble(), 3000);
  setInterval(tick, 250);
  document.addEventListener("click", pressed);
  document.addEventListener("submit", sent);
  dispatchEvent(new Event("ready"));
}

// As companion.rules.shown_on_clock has it.
export function onClock(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes, left] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours ? `${hours}:${two(minutes)}:${two(left)}` : `${minutes}:${two(left)}`;
}

// The clocks run on by themselves between two snapshots, each once what a delay gives is over.
function tick() {
  for (const clock of document.querySelectorAll("[data-runs]")) {
    clock.since ??= performance.now();
    const passed = Math.max(0, (performance.now() - clock.since) / 1000 - (clock.dataset.free ?? 0));
    const left = Math.max(0, Math.floor(clock.dataset.left - passed));
    const text = onClock(left);
    if (clock.textContent !== text) clock.textContent = text;
  }
}

export async function get(path, query) {
  const answer = await fetchJson(`${path}?${new URLSearchParams(query)}`);
  return answer ?? { ok: false, error: { code: "offline", message: words.noAnswer } };
}

// Where a request under way leads: the stream may tell of the game that it begins before its answer comes.
let bound = null;

// Asks the house for something; where it is done the page is left for `home`, if there is one.
export async function post(path, body = {}, home = undefined) {
  if (home === undefined) return send(path, body);
  bound = home || "/";
  const data = await send(path, body);
  if (data.ok && data.allowed !== false) renew(bound);
  bound = null;
  return data;
}

// What is tapped takes effect in the order of the taps, though each may go by a connection of its own.
let posted = Promise.resolve();
function send(path, body) {
  const request = { state_id: live.stateId, ...body, key: random(16) };
  posted = posted.then(() => deliver(path, request));
  return posted;
}

async function deliver(path, request) {
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await fetch(path + "?html=1", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(request),
      });
      const data = await answer.json();
      if (data.state) show(data.state);
      if (!data.ok) announce.textContent = data.error.message;
      return data;
    } catch {
      // The key makes a second sending harmless.
      if (tries) return { ok: false, error: { code: "offline", message: words.noAnswer } };
    }
  }
}

// A question over the page: answers by buttons, each [value, text]; with `field` also a line of text; `more`
// is an element that stands below the text.
export function question(text, buttons, field, more) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-label", text);
  const sentence = document.createElement("p");
  sentence.textContent = text;
  const form = document.createElement("form");
  form.method = "dialog";
  const input = document.createElement("input");
  input.setAttribute("aria-label", text);
  input.maxLength = 200;
  if (field) form.append(input);
  const tools = document.createElement("div");
  tools.className = buttons.length > 2 ? "list" : "tools";
  for (const [value, label, kind] of buttons) {
    const button = document.createElement("button");
    button.value = value;
    button.textContent = label;
    if (kind) button.className = kind;
    tools.append(button);
  }
  form.append(tools);
  dialog.append(sentence, ...(more ? [more] : []), form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(field ? (dialog.returnValue === "yes" ? input.value.trim() : null) : dialog.returnValue);
    });
  });
}

const AGREE = () => [["", words.cancel], ["yes", words.yes, "primary"]];
export const confirmed = async (text) => (await question(text, AGREE())) === "yes";
export const asked = (text) => question(text, AGREE(), true);

// Says a sentence, or an error: a doubt of ours and a fault look different from what a player cannot do.
export function complain(said) {
  const { message = said, code = "" } = said;
  const place = document.getElementById("hint") || document.getElementById("news") || announce;
  const kind = code === "uncertain" ? "doubt" : FAULTS.includes(code) ? "fault" : "";
  if (!kind) return void (place.textContent = message);
  const mark = Object.assign(document.createElement("span"), { className: kind, textContent: message });
  place.replaceChildren(mark);
}

// What a button or a form asks for besides: a new stream, the page anew, a word of thanks.
function after(element) {
  const { said } = element.dataset;
  // A new key came as a cookie: the stream has to be opened with it.
  if ("enter" in element.dataset) connect();
  if (said) complain(said);
  if ("reload" in element.dataset) renew();
}

async function correct(button) {
  const data = await get("/api/corrections", {});
  if (!data.ok) return complain(data.error);
  if (!data.readings.length) return complain(words.noReading);
  // On a stage the cell itself is tapped.
  if (await live.correct?.(data)) return;
  const seen = live.stateId;
  const choices = data.readings.slice(0, 12).map(({ text }, index) => [String(index), text, "wide"]);
  const chosen = await question(words.wasIt, [...choices, ["", words.cancel, "wide"]]);
  if (!chosen) return;
  const { actions } = data.readings[Number(chosen)];
  const done = await post("/api/correct", { actions, count: data.count, state_id: seen });
  if (!done.ok) return complain(done.error);
  after(button);
}

// A die that is tapped shows its next face.
function tapped(die) {
  const words = JSON.parse(die.dataset.words);
  die.dataset.at = (Number(die.dataset.at) + 1) % words.length;
  const said = words[die.dataset.at][1];
  die.lastElementChild.textContent = said;
  die.setAttribute("aria-label", `${die.dataset.label}: ${said}`);
}

// What was chosen die by die, or from lists, as an action in writing.
async function composed(form) {
  const written = Array.from(form.querySelectorAll("[data-words], select[data-word]"), (one) =>
    one.matches("select") ? one.value : JSON.parse(one.dataset.words)[one.dataset.at][0],
  ).filter(Boolean);
  const action = `${form.dataset.verb} ${written.join(form.dataset.between)}`.trim();
  const data = await post("/api/say", { action });
  if (!data.ok) return complain(data.error);
  if (data.allowed === false) complain(data.reason);
}

// What a card's button posts: its hand says where to, and how the action begins.
function laid(button) {
  const { post: path, begins } = button.closest("[data-begins]").dataset;
  return { post: path, body: JSON.stringify({ action: begins + button.dataset.ends }) };
}

async function pressed(event) {
  const kept = event.target.closest("a[data-keep]");
  if (kept) {
    event.preventDefault();
    return own().then(({ keep }) => keep(kept));
  }
  const die = event.target.closest("button[data-words]");
  if (die) return tapped(die);
  const button = event.target.closest("button[data-post], button[data-ends], button[data-correct]");
  if (!button) return;
  if ("correct" in button.dataset) return correct(button);
  const { post: path, body, confirm } = "ends" in button.dataset ? laid(button) : button.dataset;
  const seen = live.stateId;
  if (confirm && !(await confirmed(confirm))) return;
  button.disabled = true;
  const data = await post(path, { state_id: seen, ...JSON.parse(body || "{}") }, button.dataset.home);
  button.disabled = false;
  if (!data.ok) return complain(data.error);
  if (data.allowed === false && data.reason) return complain(data.reason);
  after(button);
}

async function sent(event) {
  const composing = event.target.closest("form[data-verb]");
  const form = event.target.closest("form[data-send]");
  if (composing || form) event.preventDefault();
  if (composing) return composed(composing);
  if (!form) return;
  const body = Object.fromEntries(Array.from(new FormData(form)).filter(([, value]) => typeof value === "string"));
  const data = await post(form.dataset.send, body, form.dataset.home);
  if (!data.ok) return complain(data.error);
  if (data.reason && data.allowed === false) return complain(data.reason);
  form.querySelectorAll("input[placeholder]").forEach((field) => (field.value = ""));
  // What is shown once stands there until the page is left.
  if (form.dataset.shows) document.getElementById(form.dataset.shows).textContent = data[form.dataset.shows];
  const code = form.parentElement.querySelector(".code");
  if (code && data.qr) code.replaceChildren(...new DOMParser().parseFromString(data.qr, "text/html").body.children);
  after(form);
}
