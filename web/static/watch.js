// A friend's page: it asks now and then what the table lets it see.
import { Board, fetchJson } from "./board.js";
import { part, pictured } from "./live.js";

const ROUND = 4000; // milliseconds between two questions
const stage = document.getElementById("stage");
const board = new Board(document.getElementById("board"), () => {});

async function look() {
  if (document.visibilityState === "hidden") return;
  const view = await fetchJson(`/api/watch/${stage.dataset.watch}?seen=${stage.dataset.seq}`);
  // What is over, or another game, is another page.
  if (view && (!view.ok || String(view.game_id) !== document.body.dataset.game)) return location.reload();
  if (!view || String(view.seq) === stage.dataset.seq) return;
  stage.dataset.seq = view.seq;
  board.update(view.position, {}, view.marks);
  for (const [name, html] of Object.entries(view.html)) part(document.getElementById("part-" + name), html);
  pictured();
}

setInterval(look, ROUND);
document.addEventListener("visibilitychange", look);
dispatchEvent(new Event("ready"));
