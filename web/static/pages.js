// What pages without a board do besides being live.
import { complain, live, post, renew, words } from "./live.js";

// In place of the page's code another one. Who was sent away sees no code any more.
async function showNextCode() {
  const answer = await fetch(location.pathname).catch(() => null);
  const html = answer?.ok && (await answer.text().catch(() => ""));
  if (!html) return;
  const page = new DOMParser().parseFromString(html, "text/html");
  const fresh = page.querySelector(".qr");
  if (!fresh) return renew();
  fresh.hidden = document.querySelector(".qr")?.hidden ?? false;
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

const INVITES = 10 * 60 * 1000; // milliseconds for which a big screen shows the way in while seats are free

// A big screen: its code goes once all sit or after a while, and comes back when it is asked for.
function bigScreen() {
  const [asks, whole] = ["invite", "whole"].map((id) => document.getElementById(id));
  const code = () => document.getElementById("invited");
  const show = (shown) => {
    code().hidden = !shown;
    asks.setAttribute("aria-expanded", String(shown));
  };
  if (asks) {
    asks.hidden = false;
    asks.addEventListener("click", () => show(code().hidden));
    setTimeout(() => show(false), INVITES);
    let full = false;
    live.listeners.push(({ seats }) => {
      const taken = seats.every((seat) => seat.taken);
      if (taken !== full) show(!taken);
      full = taken;
    });
  }
  whole.hidden = !document.fullscreenEnabled;
  whole.addEventListener("click", () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()));
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
    const data = await post("/api/cards", { card, instead: form.dataset.instead }, "/cards");
    if (!data.ok) complain(data.error.message);
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

const SOON = 500, LOOKS = 3000; // milliseconds until a machine is asked first, and between two later questions whether it is done

function awaitingMachine(soon = SOON) {
  if (!document.getElementById("asks-again")) return;
  setTimeout(async () => {
    const html = await fetch(location.pathname).then((answer) => answer.text(), () => "");
    if (html && !html.includes('id="asks-again"')) location.reload();
    else awaitingMachine(Math.min(2 * soon, LOOKS));
  }, soon);
}

const kept = { join: [joining, keepingCode], view: [keepingCode, bigScreen], history: [watchingLog], cards: [owning], analysis: [awaitingMachine], advice: [awaitingMachine] };
for (const begin of kept[document.body.dataset.page] ?? []) begin();
