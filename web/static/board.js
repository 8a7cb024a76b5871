// The board: a grid that is walked with the arrow keys and picked from by tap, Enter or Space.
const SVG = "http://www.w3.org/2000/svg";
const island = document.getElementById("sentences");
const words = island ? JSON.parse(island.dataset.words) : {};

export const tokenId = (token) =>
  "t-" + token.replace(/[^A-Za-z0-9]/g, (letter) => `_${letter.charCodeAt(0).toString(16)}_`);

// The token whose picture an element uses.
export const tokenOf = (use) =>
  use.getAttribute("href").slice(3).replace(/_([0-9a-f]+)_/g, (_, code) => String.fromCodePoint(parseInt(code, 16)));

// What people call a token: its picture carries the name.
export const nameOf = (token) => document.getElementById(tokenId(token))?.dataset.name || token;

export function shape(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// What the house answers as JSON; null where no answer comes, or one that is cut off.
export const fetchJson = (path) =>
  fetch(path)
    .then((answer) => answer.json())
    .catch(() => null);

// Pictures of tokens that came into play after the page was made.
export async function fetchSymbols(tokens) {
  const defs = document.querySelector("#symbols defs");
  const missing = [...new Set(tokens)].filter((t) => t && !document.getElementById(tokenId(t)));
  if (!defs || !missing.length) return;
  const query = missing.slice(0, 100).map((t) => "token=" + encodeURIComponent(t)).join("&");
  // Without an answer the pieces are known by their names alone; the next look asks again.
  const answer = await fetchJson("/api/symbols?" + query);
  addSymbols(answer?.symbols ?? {});
}

// Pictures of tokens as the house tells them: token -> SVG.
export function addSymbols(symbols) {
  for (const [token, text] of Object.entries(symbols)) {
    if (document.getElementById(tokenId(token))) continue;
    const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${text}</svg>`, "image/svg+xml");
    document.querySelector("#symbols defs")?.append(document.importNode(parsed.documentElement.firstElementChild, true));
  }
}

export class Board {
  constructor(svg, onPick) {
    this.svg = svg;
    this.over = svg.querySelector("#over");
    this.spots = new Map();
    for (const element of svg.querySelectorAll(".spot")) {
      const { e: x, f: y } = element.transform.baseVal.consolidate().matrix;
      this.spots.set(element.dataset.spot, { element, x, y });
    }
    this.turn(Number(svg.dataset.turn || 0));
    this.cursor = shape("polygon", { class: "cursor", visibility: "hidden" });
    this.ways = shape("g", { class: "ways" });
    this.over.before(this.cursor, this.ways);
    this.motion = new Motion(this);
    svg.addEventListener("click", (event) => {
      const spot = event.target.closest(".spot");
      if (spot && !this.quiet) onPick(spot.dataset.spot);
    });
    svg.addEventListener("keydown", (event) => this.key(event, onPick));
    svg.addEventListener("focusin", (event) => this.focused(event.target.closest(".spot")));
    svg.addEventListener("focusout", () => this.cursor.setAttribute("visibility", "hidden"));
  }

  // Turn the board clockwise to `degrees`: arrow keys then go by what is seen.
  turn(degrees) {
    this.svg.style.setProperty("--lean", `${-degrees}deg`);
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const at = (x, y) => [x * cos - y * sin, x * sin + y * cos];
    for (const spot of this.spots.values()) [spot.u, spot.v] = at(spot.x, spot.y);
    if (this.turned === undefined || this.turned === degrees) return void (this.turned = degrees);
    this.turned = degrees;
    for (const use of this.svg.querySelectorAll(".spot > use")) this.lean(use, use.parentNode.dataset.token);
    for (const name of this.svg.querySelectorAll(".names text")) {
      name.setAttribute("transform", `rotate(${-degrees} ${name.getAttribute("x")} ${name.getAttribute("y")})`);
    }
    this.svg.querySelector("#turned").setAttribute("transform", `rotate(${degrees})`);
    this.fit();
  }

  // Show the board and, where it is lettered, its coordinates, and nothing round them.
  fit() {
    const [cos, sin] = [Math.cos((this.turned * Math.PI) / 180), Math.sin((this.turned * Math.PI) / 180)];
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const { element, x, y } of this.spots.values()) {
      for (const pair of element.querySelector(".cell").getAttribute("points").split(" ")) {
        const [dx, dy] = pair.split(",").map(Number);
        const [u, v] = [(x + dx) * cos - (y + dy) * sin, (x + dx) * sin + (y + dy) * cos];
        [left, top, right, bottom] = [Math.min(left, u), Math.min(top, v), Math.max(right, u), Math.max(bottom, v)];
      }
    }
    const lettered = this.svg.querySelector(".names") && !this.svg.classList.contains("nameless");
    const margin = this.svg.dataset.pitch * (lettered ? 0.62 : 0.06);
    this.svg.setAttribute(
      "viewBox",
      [left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin].join(" "),
    );
  }

  // Where the board is drawn on the screen.
  drawn() {
    const [{ x, y, width, height }, { a, d, e, f }] = [this.svg.viewBox.baseVal, this.svg.getScreenCTM()];
    return { left: a * x + e, top: d * y + f, width: a * width, height: d * height };
  }

  owner(token) {
    return token && document.getElementById(tokenId(token))?.dataset.owner;
  }

  // Where most of an army stands: who went far ahead does not count.
  army(seat) {
    const own = [...this.spots].filter(([, { element }]) => this.owner(element.dataset.token) === seat);
    const middle = (key) => own.map(([, spot]) => spot[key]).sort((a, b) => a - b)[own.length >> 1];
    const [x, y] = [middle("x"), middle("y")];
    const far = ([, spot]) => Math.hypot(spot.x - x, spot.y - y);
    own.sort((one, other) => far(one) - far(other));
    return own.slice(0, Math.ceil(own.length * 0.85)).map(([name]) => name);
  }

  // Who comes by the Tab key comes to the army of `seat` first.
  begin(seat) {
    const first = seat && this.army(seat)[0];
    if (first) this.reached(this.spots.get(first).element);
  }

  // Men that look to nobody stand upright however the board is turned.
  lean(use, token) {
    const free = document.getElementById(tokenId(token))?.hasAttribute("data-upright");
    if (free && this.turned) use.setAttribute("transform", `rotate(${-this.turned})`);
    else use.removeAttribute("transform");
    return use;
  }

  focused(element) {
    if (!element) return;
    this.reached(element);
    if (element.matches(":focus-visible")) this.place(this.cursor, element.dataset.spot, 0.93);
  }

  reached(element) {
    for (const other of this.svg.querySelectorAll('.spot[tabindex="0"]')) other.setAttribute("tabindex", "-1");
    element.setAttribute("tabindex", "0");
  }

  key(event, onPick) {
    const here = event.target.closest(".spot");
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onPick(here.dataset.spot);
    } else if (way) {
      event.preventDefault();
      this.neighbour(here.dataset.spot, way)?.element.focus();
    }
  }

  // The nearest spot that way; straight ahead counts more than aside.
  neighbour(name, [dx, dy]) {
    const from = this.spots.get(name);
    let best = null;
    let least = Infinity;
    for (const spot of this.spots.values()) {
      const ahead = (spot.u - from.u) * dx + (spot.v - from.v) * dy;
      const aside = Math.abs((spot.u - from.u) * dy) + Math.abs((spot.v - from.v) * dx);
      if (ahead > 0.1 && aside <= ahead * 1.8 && ahead + 2 * aside < least) {
        least = ahead + 2 * aside;
        best = spot;
      }
    }
    return best;
  }

  token(name) {
    return this.spots.get(name)?.element.dataset.token;
  }

  place(polygon, name, scale) {
    const { element, x, y } = this.spots.get(name);
    polygon.setAttribute("points", element.querySelector(".cell").getAttribute("points"));
    polygon.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
    polygon.setAttribute("visibility", "visible");
    return polygon;
  }

  // What the page adds by itself: the chosen spot, where it may go, a ruling's proof.
  show({ chosen = [], aims = [], proof = [] } = {}) {
    this.over.replaceChildren();
    for (const { element } of this.spots.values()) element.removeAttribute("aria-selected");
    const ring = (name, kind) =>
      this.spots.has(name) && this.over.append(this.place(shape("polygon", { class: kind }), name, 0.9));
    for (const name of aims) {
      if (!this.spots.has(name)) continue;
      const kind = this.token(name) ? "ring capture" : "reach";
      this.over.append(this.place(shape("polygon", { class: `aim ${kind}` }), name, 0.84));
    }
    for (const name of proof) ring(name, "ring bad");
    for (const name of chosen) {
      ring(name, "ring");
      this.spots.get(name)?.element.setAttribute("aria-selected", "true");
    }
  }

  async update(position, lights = {}, marks = {}, reach = {}) {
    const asked = (this.asked = {});
    await fetchSymbols(Object.values(position));
    // What waited for the pictures of new pieces is old by now if more has happened.
    if (asked !== this.asked) return;
    const before = new Map([...this.spots].map(([name, { element }]) => [name, element.dataset.token]));
    for (const [name, { element }] of this.spots) {
      const [token, light, mark, can] = [position[name], lights[name], marks[name], reach[name]?.length];
      const state = JSON.stringify([token, light, mark, can]);
      if (element.state === state) continue;
      element.state = state;
      element.querySelectorAll("use, .glow, .halo, .lit, .casing, .mark").forEach((old) => old.remove());
      const outline = element.querySelector(".cell").getAttribute("points");
      const ring = (kind, scale, more = {}) =>
        element.append(shape("polygon", { class: kind, points: outline, transform: `scale(${scale})`, ...more }));
      if (token) element.append(this.lean(shape("use", { href: "#" + tokenId(token) }), token));
      if (light) {
        ring("glow", 0.84, { fill: light.colour, stroke: light.colour });
        ring("halo", 0.84);
        ring("lit", 0.84, { stroke: light.colour });
      }
      if (mark) {
        ring("casing", 0.88);
        ring("mark", 0.88);
      }
      const put = (key, value) => (value ? (element.dataset[key] = value) : delete element.dataset[key]);
      put("token", token);
      put("effect", light?.effect);
      put("mark", mark?.kind);
      const count = token && can ? (can === 1 ? words.canGo1 : words.canGo.replace("{count}", can)) : "";
      const said = [token ? nameOf(token) : words.empty, element.dataset.place || name, light?.meaning, mark?.meaning, count].filter(Boolean);
      element.setAttribute("aria-label", said.join(", "));
    }
    this.motion.follow(before, position);
  }

  // The way back of a refused move, from where its piece lies to where it belongs; without ends none.
  back([from, to] = []) {
    this.ways.replaceChildren();
    const [start, end] = [from, to].map((name) => this.spots.get(name));
    if (!start || !end || start === end) return;
    const [dx, dy] = [end.x - start.x, end.y - start.y];
    const [long, pitch] = [Math.hypot(dx, dy), Number(this.svg.dataset.pitch)];
    const [ux, uy, tip] = [dx / long, dy / long, pitch * 0.24];
    const head = [[0, 0], [-1.6, 0.8], [-1.6, -0.8]].map(([a, b]) => [end.x + tip * (a * ux - b * uy), end.y + tip * (a * uy + b * ux)].join(","));
    const line = { x1: start.x, y1: start.y, x2: end.x - 1.4 * tip * ux, y2: end.y - 1.4 * tip * uy };
    this.ways.append(shape("line", { class: "way under", ...line }), shape("line", { class: "way", ...line }), shape("polygon", { class: "tip", points: head.join(" ") }));
  }

  at(x, y) {
    return document.elementFromPoint(x, y)?.closest(".spot")?.dataset.spot;
  }
}

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const SLIDE = 150; // milliseconds of a move; what was captured takes its time
const MOST = 6; // pieces that move at once; more is another position, which is shown as it is

// Moves that are seen: pieces slide, what was captured goes to its scorecard, what is promoted turns
// over, what is refused shakes.
class Motion {
  constructor(board) {
    this.board = board;
    this.layer = shape("g", { class: "ways" });
    board.over.after(this.layer);
  }

  // `before`: spot -> token as it was drawn; `after`: as it is drawn now.
  follow(before, after) {
    const changed = [...before].filter(([name, token]) => token !== after[name]);
    if (!changed.length || changed.length > MOST || STILL.matches) return;
    const gone = changed.filter(([, token]) => token).map(([name]) => name);
    for (const [name, old] of changed) {
      const token = after[name];
      if (!token) continue;
      const from = gone.find((spot) => before.get(spot) === token) ?? (old ? null : gone.find((spot) => !after[spot] && this.same(before.get(spot), token)));
      if (from) {
        gone.splice(gone.indexOf(from), 1);
        this.slide(from, name, token);
        if (before.get(from) !== token) this.overturn(name);
      } else if (old && this.same(old, token)) {
        gone.splice(gone.indexOf(name), 1);
        this.overturn(name);
      }
    }
    for (const name of gone) this.capture(name, before.get(name));
  }

  same(one, other) {
    return this.board.owner(one) && this.board.owner(one) === this.board.owner(other);
  }

  use(name) {
    return this.board.spots.get(name)?.element.querySelector("use");
  }

  slide(from, to, token) {
    const [start, end] = [from, to].map((name) => this.board.spots.get(name));
    const flying = this.layer.appendChild(this.board.lean(shape("use", { href: "#" + tokenId(token) }), token));
    const lean = flying.getAttribute("transform") ? ` rotate(${-this.board.turned}deg)` : "";
    const at = ({ x, y }) => ({ transform: `translate(${x}px, ${y}px)${lean}` });
    const landing = this.use(to);
    landing?.animate([{ opacity: 0 }, { opacity: 0 }], SLIDE);
    flying.animate([at(start), at(end)], { duration: SLIDE, easing: "ease-in-out" }).finished.finally(() => flying.remove());
  }

  overturn(name) {
    this.board.spots.get(name)?.element.querySelector("use")?.animate([{ scale: "0 1" }, { scale: "1 1" }], { duration: 2 * SLIDE, easing: "ease-out" });
  }

  capture(name, token) {
    const seen = (one) => one?.checkVisibility() && one.getBoundingClientRect().width;
    const home = [...document.querySelectorAll(".score .held, [data-sheet=scores], #off, #part-scores")].find(seen);
    const spot = this.board.spots.get(name)?.element.querySelector(".cell");
    if (!home || !spot) return;
    const [from, to] = [spot, home].map((one) => one.getBoundingClientRect());
    const half = this.board.svg.dataset.pitch / 2;
    const coin = shape("svg", { class: "flight", viewBox: [-half, -half, 2 * half, 2 * half].join(" "), "aria-hidden": "true" });
    coin.append(shape("use", { href: "#" + tokenId(token) }));
    coin.style.width = from.width + "px";
    document.body.append(coin);
    const middle = ({ left, top, width, height }) => `translate(${left + width / 2 - from.width / 2}px, ${top + height / 2 - from.width / 2}px)`;
    coin.animate([{ transform: middle(from) }, { transform: middle(to) + " scale(.4)", opacity: 0.4 }], { duration: 3 * SLIDE, easing: "ease-in" }).finished.finally(() => coin.remove());
  }

  shake(name) {
    if (STILL.matches) return;
    const way = [0, -9, 9, -6, 6, 0].map((percent) => ({ translate: `${(percent / 100) * this.board.svg.dataset.pitch}px 0` }));
    this.use(name)?.animate(way, { duration: 3 * SLIDE });
  }
}
