// The phone's pages.
import { Board, zoomable } from "./board.js";
import { complain, live, post, start } from "./live.js";

const page = document.body.dataset.page;
const svg = document.getElementById("board");
const hint = document.getElementById("hint");
const place = document.getElementById("answer");
const ASK = "Tap a piece, then a spot: was that allowed?";

function element(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function answered({ ruling, text }) {
  const card = element("section", "", "card");
  const verdict = element("p", "", "verdict " + (ruling.allowed ? "yes" : "no"));
  verdict.append(element("b", ruling.allowed ? "✓ Allowed" : "✗ Not allowed"), " ", element("span", text));
  const rule = element("a", ruling.title ? `${ruling.rule} · ${ruling.title}` : ruling.rule);
  rule.href = "/rules#" + ruling.rule;
  const more = element("p", "", "small");
  more.append(rule, ruling.spots.length ? ` · proof: ${ruling.spots.join(", ")}` : "");
  card.append(verdict, element("p", ruling.reason), more);
  if (ruling.text) card.append(element("p", ruling.text, "ruletext"));
  place.replaceChildren(card);
}

function asking() {
  let origin = null;
  const board = new Board(svg, pick);
  const get = async (query) => {
    const answer = await fetch("/api/judge?" + new URLSearchParams(query)).catch(() => null);
    if (!answer) return { ok: false, error: { message: "No answer; are you in the Wi-Fi?" } };
    return answer.json();
  };

  function forget() {
    origin = null;
    board.show();
    hint.textContent = ASK;
  }

  async function pick(spot) {
    if (origin === null) {
      if (!board.token(spot)) return void (hint.textContent = `${spot} is empty. ${ASK}`);
      origin = spot;
      place.replaceChildren();
      board.show({ chosen: [spot] });
      const data = await get({ from: spot });
      if (origin !== spot) return;
      if (!data.ok) return complain(data.error.message);
      board.show({ chosen: [spot], aims: data.targets });
      const count = data.targets.length;
      const can = count ? `may go to ${count} ${count === 1 ? "spot" : "spots"}` : "may not move now";
      hint.textContent = `${board.token(spot)}, ${spot}, ${can}. Now tap the spot to ask about.`;
      return;
    }
    if (origin === spot) return forget();
    const from = origin;
    const data = await get({ from, to: spot });
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
    board.update(view.position, page === "phone" ? view.lights : {}, page === "phone" ? view.marks : {});
    if (view.news.some((entry) => entry.kind !== "refused") && view.state_id !== shown) forget();
    shown = view.state_id;
  });
  hint.textContent = ASK;
  zoomable();
}

function joining() {
  const form = document.getElementById("join-form");
  const field = document.getElementById("code");
  const enter = async (code) => {
    const data = await post("/api/join", { code });
    if (data.ok) location.reload();
    else form.before(element("p", data.error.message, "verdict no"));
  };
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    enter(field.value);
  });
  // Whoever came in has used the code up: show the next one, and before it is over.
  let phones = null;
  live.listeners.push((view) => {
    if (phones !== null && phones !== view.phones && !form) location.reload();
    phones = view.phones;
  });
  if (!form) setTimeout(() => location.reload(), 9 * 60 * 1000);
  const code = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  if (form && code) {
    field.value = code;
    enter(code);
  }
}

if (svg) asking();
if (page === "join") joining();
if (page === "history") {
  live.listeners.push((view) => {
    const last = document.querySelector("#history > li")?.id;
    if (view.news.length && last !== "event-" + view.news.at(-1).seq) {
      const link = element("a", "Something happened: show it", "button");
      link.href = "/history";
      document.getElementById("news").replaceChildren(link);
    }
  });
}
if (page !== "error") start();
