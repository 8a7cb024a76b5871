// The club's pages keep up with the tables; a wall that has more tables than room shows them in turn.
import { part } from "./live.js";

const ROUND = 1000; // milliseconds until is asked again what was not answered, and between two looks at what is in sight
const AFAR = 5000; // milliseconds between two questions for other tables than those in sight
const TURN = 15000; // milliseconds for which one screenful of tables stays
const MOST = 24; // tables for which is asked at once
const tiles = document.getElementById("tiles");
const wide = matchMedia("(min-width: 1500px)");
const ROOM = 4; // tables on one screen of a wall
let first = 0;

async function ask(path, signal) {
  const answer = await fetch(path, { signal }).catch(() => null);
  return answer?.ok ? answer : null;
}

// Sections for all tables, in their order; what is in them comes when they are in sight.
async function list() {
  const { tables } = (await (await ask("/api/wall"))?.json()) ?? {};
  if (!tables) return;
  const there = new Set(tables.map((table) => "table-" + table));
  for (const gone of [...tiles.children].filter((one) => !there.has(one.id))) gone.remove();
  tables.forEach((table, index) => {
    const id = "table-" + table;
    const tile = document.getElementById(id) ?? Object.assign(document.createElement("section"), { id });
    if (tiles.children[index] !== tile) tiles.insertBefore(tile, tiles.children[index] ?? null);
  });
  document.getElementById("none").hidden = tables.length > 0;
  turn();
}

function seen(tile) {
  const { top, bottom } = tile.getBoundingClientRect();
  return !tile.hidden && bottom > -innerHeight && top < 2 * innerHeight;
}

const asked = (one) => one.id.slice("table-".length) + "." + (one.dataset.key ?? "");

function turn() {
  const all = [...tiles.children];
  if (first >= all.length) first = 0;
  all.forEach((tile, index) => (tile.hidden = wide.matches && (index < first || index >= first + ROOM)));
}

async function other(selector) {
  const page = await ask(location.href);
  return page && new DOMParser().parseFromString(await page.text(), "text/html").querySelector(selector);
}

const sight = () => (tiles ? [...tiles.children].filter(seen).slice(0, MOST) : [...document.querySelectorAll("[data-page]")]);

// The answer comes when there is something new of what is in sight; where other tables are, they are asked for.
let waiting = null;
let watched = "";
async function look() {
  const here = document.hidden ? [] : sight();
  watched = here.map((one) => one.id).join();
  if (!watched) return ROUND;
  const { signal } = (waiting = new AbortController());
  const answer = await ask("/api/wall?wait=1&tables=" + here.map(asked).join(), signal);
  if (!answer) return signal.aborted ? 0 : ROUND;
  const { tables, again } = await answer.json();
  for (const { table, key, html } of tables) {
    const one = document.getElementById("table-" + table);
    if (tiles && one) {
      one.dataset.key = key;
      part(one, html);
    } else {
      const fresh = await other("[data-page]");
      if (fresh) one.replaceWith(fresh);
    }
  }
  return again;
}

function glance() {
  if (sight().map((one) => one.id).join() !== watched) waiting?.abort();
}

async function keep() {
  const rest = await look().catch(() => ROUND);
  setTimeout(keep, rest);
}

async function refresh() {
  const here = document.querySelector("[data-fresh]");
  const fresh = await other("[data-fresh]");
  if (fresh && !fresh.isEqualNode(here)) here.replaceWith(fresh);
}

if (tiles) {
  turn();
  wide.addEventListener("change", turn);
  setInterval(() => {
    first += ROOM;
    turn();
    glance();
  }, TURN);
  setInterval(list, AFAR);
  setInterval(glance, ROUND);
}
// What is longer than a screen seen from afar is shown a screenful after another.
function onward() {
  if (!wide.matches || document.querySelector("form")) return;
  const end = scrollY + innerHeight >= document.documentElement.scrollHeight - 4;
  scrollTo(0, end ? 0 : scrollY + innerHeight * 0.9);
}

if (document.querySelector("[data-fresh]")) {
  setInterval(refresh, ROUND * 5);
  setInterval(onward, TURN);
} else keep();
