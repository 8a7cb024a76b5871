// A lesson: a board of its own, on which the game's rules judge every action; and the list of lessons,
// in which those that were done on this phone are ticked.
import { addSymbols, Board, nameOf } from "./board.js";
import { complain, fill, get, live, post, start, words } from "./live.js";
import { stage } from "./stage.js";

const root = document.getElementById("lesson");
const list = document.getElementById("lessons");
const { game, lesson: name } = (root ?? list)?.dataset ?? {};
const kept = () => JSON.parse(localStorage.getItem("lessons") ?? "{}");

function ticked() {
  for (const done of kept()[game] ?? []) document.getElementById("lesson-" + done)?.classList.add("ticked");
}

function tick() {
  const all = kept();
  all[game] = [...new Set([...(all[game] ?? []), name])];
  localStorage.setItem("lessons", JSON.stringify(all));
}

function element(tag, text, kind = "") {
  return Object.assign(document.createElement(tag), { textContent: text, className: kind });
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

function learning() {
  const own = JSON.parse(root.dataset.words);
  const [hint, answer, hints] = ["hint", "answer", "hints"].map((id) => document.getElementById(id));
  const [back, more, next] = ["back", "hint", "next"].map((id) => document.getElementById("lesson-" + id));
  const hidden = [...hints.children];
  const board = new Board(document.getElementById("board"), pick);
  let told = JSON.parse(root.dataset.told);
  let origin = null;
  let tries = []; // what was made before each of the learner's actions
  let begun = false;
  const table = "table" in root.dataset;

  const note = (word) => post("/api/lesson", { game, lesson: name, word });
  const button = (action, text) => {
    const made = element("button", capital(text));
    made.type = "button";
    made.dataset.action = action;
    made.addEventListener("click", () => ask({ action }));
    return made;
  };

  function opening() {
    const verdict = { done: own.done, failed: own.failed }[told.status];
    const moves = Object.keys(told.legal).length;
    const wanted = told.said.length ? own.answer : own.table;
    hint.textContent = verdict ?? (table ? wanted : moves ? words.askMove : words.which);
    hint.className = told.status === "done" ? "hint verdict yes" : "hint";
    back.hidden = !(table ? told.made.length : tries.length) || told.status === "done";
    back.classList.toggle("primary", told.status === "failed");
    more.hidden = !hidden.length || told.status === "done";
    next.classList.toggle("primary", told.status === "done");
  }

  function draw() {
    root.dataset.status = told.status;
    root.dataset.made = told.made.length;
    addSymbols(told.symbols);
    const marks = Object.fromEntries(told.last.map((spot) => [spot, { kind: "last", meaning: "" }]));
    board.update(told.position, told.lit, marks, told.legal);
    board.show();
    origin = null;
    opening();
    const says = told.say.map(({ action, label }) => button(action, label));
    const aims = element("div", "", "aims");
    aims.append(...says);
    answer.replaceChildren(...told.said.map((text) => element("p", capital(text), "small")), aims);
  }

  // What the rules say of it: a refusal with its rule and what would make it legal.
  function refused({ ruling, text, hints: ways }) {
    const card = element("section", "", "answer");
    const verdict = element("p", "", "verdict no");
    verdict.append(element("b", "✗ " + own.refused), " ", element("span", text));
    const rule = element("a", `${ruling.rule} · ${ruling.title}`);
    rule.href = "/rules#" + ruling.rule;
    const why = element("p", ruling.reason + " ");
    why.append(rule);
    card.append(verdict, why, ...(ways ?? []).map((way) => element("p", way, "small")));
    answer.replaceChildren(card);
  }

  async function ask(action) {
    const query = [...told.made.map((made) => ["made", made]), ...Object.entries(action)];
    const data = await get(`/api/lessons/${game}/${name}`, query);
    if (!data.ok) return complain(data.error);
    if (data.ways.length) {
      board.show({ chosen: [action.to] });
      origin = null;
      hint.textContent = words.which;
      const aims = element("div", "", "aims");
      aims.append(...data.ways.map((way) => button(way.action, way.text)));
      return answer.replaceChildren(aims);
    }
    if (data.ruling && !data.ruling.allowed) {
      opening();
      board.show({ chosen: [action.from, action.to].filter(Boolean), proof: data.ruling.spots });
      if (action.from) board.motion.shake(action.from);
      origin = null;
      return refused(data);
    }
    if (data.ruling) tries.push(told.made);
    told = data;
    draw();
    counted(tries.length);
  }

  // On the table: what lies there is told by the camera, and the page follows.
  async function follow() {
    const data = await get(`/api/lessons/${game}/${name}`, { table: 1 });
    if (!data.ok || String(data.made) + data.status === String(told.made) + told.status) return;
    told = data;
    draw();
    counted(told.made.length);
  }

  function counted(tried) {
    if (!begun && tried) note("begun");
    begun ||= Boolean(tried);
    if (told.status !== "done") return;
    tick();
    note("done");
  }

  function pick(spot) {
    if (table) return;
    if (told.status !== "going") return;
    if (origin === spot) return draw();
    const targets = told.legal[spot] ?? [];
    // What comes from beside the board is laid where it may lie, or the rules say why it may not.
    const laid = Object.entries(told.legal).some(([from, to]) => to.includes(from));
    if (origin === null && laid && (targets.includes(spot) || !board.token(spot))) return ask({ to: spot });
    if (origin !== null && !(targets.length && board.token(spot))) return ask({ from: origin, to: spot });
    if (!board.token(spot)) return void (hint.textContent = fill(words.isEmpty, { spot }));
    origin = spot;
    answer.replaceChildren();
    board.show({ chosen: [spot], aims: [...new Set(targets)] });
    hint.textContent = `${nameOf(board.token(spot))}, ${spot}: ${targets.length ? words.mayGo : words.mayNot} ${targets.length > 8 ? fill(words.manyCells, { count: targets.length }) : targets.join(", ")}`;
  }

  back.addEventListener("click", () => {
    if (table) return void post("/api/undo", { count: 1 });
    told = { ...told, made: tries.pop() };
    ask({});
  });
  more.addEventListener("click", () => {
    hidden.shift().hidden = false;
    more.hidden = !hidden.length;
    hints.hidden = false;
  });
  hints.hidden = true;
  for (const one of hidden) one.hidden = true;
  stage(board);
  draw();
  if (!table) return;
  live.listeners.push(follow);
  follow();
}

if (root) learning();
if (list) ticked();
start();
