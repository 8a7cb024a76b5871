// The past of a game on its stage: the list of moves, steps back and forth on the board, and the last
// move put right by a tap. Loaded once somebody looks for it; what is played goes on meanwhile.
import { complain, fill, get, live, part, pictured, post, question, words } from "./live.js";

const [then, earlier, now] = ["then", "earlier", "now"].map((id) => document.getElementById(id));
const stage = document.getElementById("stage");
const moves = document.getElementById("moves");
const answer = document.getElementById("answer");
const lying = document.getElementById("part-props");
const KEPT = 200; // moments that are remembered: none of them changes

// `board` shows it; `forget` lets go of what is chosen there, `answered` shows a ruling, `following` the board as it is.
export class Past {
  constructor(board, { forget, answered, following }) {
    Object.assign(this, { board, forget, answered, following });
    this.known = new Map();
    this.cells = null;
    now.addEventListener("click", () => this.back());
    moves.addEventListener("click", (event) => {
      const older = event.target.closest("[data-older]");
      if (older) return this.more(older);
      // Whoever taps why a move was refused is taken there, too.
      const other = event.target.closest("a:not([data-at]), summary, .photographs");
      const line = other ? null : event.target.closest("li")?.querySelector("[data-at]");
      if (!line || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.show(Number(line.dataset.at));
    });
    live.listeners.push((view) => this.told(view));
  }

  // -- the list -----------------------------------------------------------------------

  // Fetch the list if it is not the one that is shown.
  async list() {
    if (this.listed === live.stateId) return;
    this.listed = live.stateId;
    const data = await get("/api/moves", { html: 1 });
    if (!data.ok) return void (this.listed = null);
    part(moves, data.html);
    this.mark();
  }

  async more(button) {
    const data = await get("/api/moves", { html: 1, before: button.dataset.older });
    if (!data.ok) return complain(data.error);
    button.parentNode.remove();
    const page = document.createElement("div");
    part(page, data.html);
    moves.append(...page.childNodes);
    this.mark();
  }

  mark() {
    for (const line of moves.querySelectorAll("li")) {
      const seq = Number(line.querySelector("[data-at]").dataset.at);
      if (seq === live.past?.seq) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
  }

  // -- the board ----------------------------------------------------------------------

  async moment(seq) {
    const known = this.known.get(seq);
    if (known?.state === live.stateId) return known;
    const told = await get("/api/moves/" + seq, {});
    if (!told.ok) return void complain(told.error);
    if (this.known.size >= KEPT) this.known.clear();
    this.known.set(seq, Object.assign(told, { state: live.stateId }));
    return told;
  }

  // Show how it stood after event `seq`.
  async show(seq) {
    this.wanted = seq;
    const told = await this.moment(seq);
    if (!told || this.wanted !== seq) return;
    if (!live.past) this.news = 0;
    live.past = told;
    this.cells = null;
    stage.dataset.past = "";
    this.forget();
    answer.replaceChildren();
    const { entry, number, count } = told;
    then.replaceChildren(Object.assign(document.createElement("b"), { textContent: number ? fill(words.then, { number, count }) : words.begin }));
    if (!entry.ruling) then.append(" ", Object.assign(document.createElement("span"), { className: "small", textContent: entry.text }));
    earlier.disabled = told.earlier === null;
    this.board.update(told.position, {}, told.marks);
    this.lay(told);
    this.board.back();
    if (entry.ruling) this.answered({ action: entry.action, ruling: entry.ruling, text: entry.text });
    this.photographs(entry);
    this.onward();
    this.mark();
  }

  // The way back to now says how much was played meanwhile.
  onward() {
    now.textContent = this.news ? fill(words.more, { count: this.news }) : words.now;
  }

  // What lies beside the tokens on spots.
  lay({ html }) {
    part(lying, html.props);
    pictured();
  }

  photographs({ seq, text, photographs }) {
    if (!photographs.length || !live.view?.you.joined) return;
    const strip = document.createElement("div");
    strip.className = "photographs";
    for (const moment of photographs) {
      const src = `/evidence/${seq}/${moment}.jpg`;
      const [figure, whole] = ["figure", "a"].map((name) => document.createElement(name));
      Object.assign(whole, { href: src, target: "_blank" }).append(Object.assign(new Image(480, 360), { src, alt: text }));
      figure.append(whole);
      strip.append(figure);
    }
    answer.append(strip);
  }

  // What was played while the board shows the past.
  told(view) {
    if (!live.past) return;
    if (view.html?.props !== undefined) this.lay(live.past);
    if (!view.news.length) return;
    this.news += view.news.length;
    this.onward();
  }

  back() {
    this.wanted = null;
    if (!live.past) return;
    live.past = this.cells = null;
    delete stage.dataset.past;
    earlier.disabled = false;
    answer.replaceChildren();
    this.forget();
    this.following(this.board, { ...live.view, news: [] });
    this.lay(live.view);
    this.mark();
  }

  // One action back (-1) or on (1).
  async step(way) {
    if (this.cells) return;
    if (way > 0) return live.past && (live.past.later === null ? this.back() : this.show(live.past.later));
    const here = live.past ?? (await this.moment(live.stateId));
    if (here && here.earlier !== null) this.show(here.earlier);
  }

  // -- No, it was … -------------------------------------------------------------------

  // Let the last move be put right on the board; false where only a list can tell.
  async correct(asked) {
    if (!asked.cells.length) return false;
    await this.show(asked.before);
    if (!live.past) return false;
    this.cells = asked;
    then.textContent = words.wasAt;
    this.board.show({ aims: asked.cells });
    const list = Object.assign(document.createElement("button"), { type: "button", textContent: words.fromList });
    list.addEventListener("click", () => this.choose(asked.readings));
    answer.replaceChildren(list);
    return true;
  }

  async pick(spot) {
    if (!this.cells.cells.includes(spot)) return;
    const data = await get("/api/corrections", { spot });
    if (!data.ok) return complain(data.error);
    if (data.readings.length === 1) return this.put(data.readings[0]);
    this.choose(data.readings);
  }

  async choose(readings) {
    const buttons = readings.slice(0, 12).map(({ text }, index) => [String(index), text, "wide"]);
    const chosen = await question(words.wasIt, [...buttons, ["", words.cancel, "wide"]]);
    if (chosen) this.put(readings[Number(chosen)]);
  }

  async put({ actions }) {
    const seen = live.stateId;
    this.back();
    const done = await post("/api/correct", { actions, count: 1, state_id: seen });
    if (!done.ok) complain(done.error);
  }
}
