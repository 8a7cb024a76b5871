// The club's pages keep up with the tables; a wall that has more tables than room shows them in turn.
import { part } from "./live.js";

const ROUND = 1000; // milliseconds between two questions
const TURN = 15000; // milliseconds for which one screenful of tables stays
const tiles = document.getElementById("tiles");
const wide = matchMedia("(min-width: 1500px)");
const ROOM = 4; // tables on one screen of a wall
let first = 0;

async function ask(path) {
  const answer = await fetch(path).catch(() => null);
  return answer?.ok ? answer : null;
}

function show({ tables }) {
  for (const gone of [...tiles.children].filter((one) => !tables.some(({ table }) => one.id === "table-" + table))) gone.remove();
  tables.forEach(({ table, key, html }, index) => {
    let tile = document.getElementById("table-" + table);
    if (!tile) tile = Object.assign(document.createElement("section"), { id: "table-" + table });
    if (tiles.children[index] !== tile) tiles.insertBefore(tile, tiles.children[index] ?? null);
    if (tile.dataset.key === key) return;
    tile.dataset.key = key;
    part(tile, html);
  });
  document.getElementById("none").hidden = tables.length > 0;
  turn();
}

function turn() {
  const all = [...tiles.children];
  if (first >= all.length) first = 0;
  all.forEach((tile, index) => (tile.hidden = wide.matches && (index < first || index >= first + ROOM)));
}

async function other(selector) {
  const page = await ask(location.href);
  return page && new DOMParser().parseFromString(await page.text(), "text/html").querySelector(selector);
}

async function look() {
  const answer = await ask("/api/wall");
  if (!answer) return;
  const told = await answer.json();
  if (tiles) return show(told);
  const here = document.querySelector("[data-page]");
  const now = told.tables.find(({ table }) => "table-" + table === here.id);
  if (!now || now.key === here.dataset.key) return;
  const fresh = await other("[data-page]");
  if (fresh) here.replaceWith(fresh);
}

async function refresh() {
  const here = document.querySelector("[data-fresh]");
  const fresh = await other("[data-fresh]");
  if (fresh && fresh.innerHTML !== here.innerHTML) here.replaceWith(fresh);
}

if (tiles) {
  turn();
  wide.addEventListener("change", turn);
  setInterval(() => {
    first += ROOM;
    turn();
  }, TURN);
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
} else setInterval(look, ROUND);
