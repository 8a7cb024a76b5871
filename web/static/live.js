// The stream, the parts of the page that it redraws, and the requests that a phone may send.
import { fetchSymbols } from "./board.js";

const random = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");

const pill = document.getElementById("pill");
const announce = document.getElementById("announce");
// One stream for a tab: the page that comes next takes the place of this one.
const client = sessionStorage.client || (sessionStorage.client = random(12));
const SILENCE = 12000;

export const live = { stateId: Number(document.body.dataset.state || 0), view: null, listeners: [] };

let source = null;
let retry = 0;
let delay = 500;
let heard = Date.now();
let lost = 0;

function say(state) {
  const words = { yes: "Live", wait: "Reconnecting…", no: "Offline" }[state];
  const since = new Date(heard).toTimeString().slice(0, 5);
  pill.dataset.live = state;
  const text = state === "no" ? `${words} – last seen ${since}` : words;
  if (pill.textContent !== text) pill.textContent = text;
}

function part(element, html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  for (const details of fresh.content.querySelectorAll("details[id]")) {
    const old = document.getElementById(details.id);
    if (old) details.open = old.open;
  }
  if (fresh.innerHTML === element.innerHTML) return;
  const focus = element.contains(document.activeElement) ? document.activeElement.id : "";
  element.replaceChildren(fresh.content);
  if (focus) document.getElementById(focus)?.focus();
}

export function show(view) {
  live.view = view;
  live.stateId = view.state_id;
  for (const [name, html] of Object.entries(view.html || {})) {
    const element = document.getElementById("part-" + name);
    if (element) part(element, html);
  }
  fetchSymbols(Array.from(document.querySelectorAll(".coin"), (coin) => coin.dataset.token));
  if (view.news.length) {
    announce.textContent = view.news
      .map((entry) => (entry.ruling && !entry.ruling.allowed ? `${entry.text}: not allowed. ${entry.ruling.reason}` : entry.text))
      .join(". ");
  }
  for (const listener of live.listeners) listener(view);
}

function disconnect() {
  clearTimeout(retry);
  if (source) source.close();
  source = null;
}

function trouble() {
  disconnect();
  lost = lost || Date.now();
  say(Date.now() - lost > 5000 ? "no" : "wait");
  if (delay > 1000) glance();
  retry = setTimeout(connect, delay * (0.75 + Math.random() / 2));
  delay = Math.min(delay * 2, 5000);
}

// While the stream is down (a full house, a proxy that holds it back) the state can still be asked.
async function glance() {
  const answer = await fetch(`/api/state?html=1`).catch(() => null);
  if (answer?.ok) show(await answer.json());
}

export function connect() {
  disconnect();
  if (document.visibilityState === "hidden") return;
  source = new EventSource(`/api/events?html=1&client=${client}&seen=${live.stateId || ""}`);
  const alive = () => {
    heard = Date.now();
    lost = 0;
    delay = 500;
    say("yes");
  };
  source.addEventListener("snapshot", (event) => {
    alive();
    show(JSON.parse(event.data));
  });
  source.addEventListener("beat", alive);
  source.addEventListener("closed", trouble);
  source.addEventListener("error", trouble);
}

// Some browsers kill a background stream without an error: always open a new one on return.
export function start() {
  say("wait");
  connect();
  document.addEventListener("visibilitychange", connect);
  addEventListener("pageshow", (event) => event.persisted && connect());
  addEventListener("online", connect);
  addEventListener("pagehide", disconnect);
  setInterval(() => source && Date.now() - heard > SILENCE && trouble(), 3000);
  setInterval(tick, 250);
  document.addEventListener("click", pressed);
}

// The clocks run on by themselves between two snapshots.
function tick() {
  for (const clock of document.querySelectorAll("[data-runs]")) {
    clock.since ??= performance.now();
    const left = Math.max(0, Math.floor(clock.dataset.left - (performance.now() - clock.since) / 1000));
    const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (clock.textContent !== text) clock.textContent = text;
  }
}

export async function post(path, body = {}) {
  const request = { ...body, state_id: live.stateId, key: random(16) };
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
      if (tries) return { ok: false, error: { code: "offline", message: "No answer; are you in the Wi-Fi?" } };
    }
  }
}

export function confirmed(question) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-label", question);
  const words = document.createElement("p");
  words.textContent = question;
  const tools = document.createElement("form");
  tools.method = "dialog";
  tools.className = "tools";
  for (const [value, text] of [["no", "Cancel"], ["yes", "Yes"]]) {
    const button = document.createElement("button");
    button.value = value;
    button.textContent = text;
    if (value === "yes") button.className = "primary";
    tools.append(button);
  }
  dialog.append(words, tools);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}

export function complain(message) {
  const place = document.getElementById("hint") || document.getElementById("news") || announce;
  place.textContent = message;
}

async function pressed(event) {
  const button = event.target.closest("button[data-post]");
  if (!button) return;
  const { post: path, body, confirm } = button.dataset;
  if (confirm && !(await confirmed(confirm))) return;
  button.disabled = true;
  const data = await post(path, JSON.parse(body || "{}"));
  button.disabled = false;
  if (!data.ok) return complain(data.error.message);
  // A new key came as a cookie: the stream has to be opened with it.
  if ("enter" in button.dataset) connect();
  if ("reload" in button.dataset) location.reload();
}
