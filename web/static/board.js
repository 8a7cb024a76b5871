// The board: a grid that is walked with the arrow keys and picked from by tap, Enter or Space.
const SVG = "http://www.w3.org/2000/svg";
const island = document.getElementById("sentences");
const words = island ? JSON.parse(island.dataset.words) : {};

export const tokenId = (token) =>
  "t-" + token.replace(/[^A-Za-z0-9]/g, (letter) => "_" + letter.charCodeAt(0).toString(16));

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
  for (const [token, text] of Object.entries(answer?.symbols ?? {})) {
    if (document.getElementById(tokenId(token))) continue;
    const parsed = new DOMParser().parseFromString(`<svg xmlns="${SVG}">${text}</svg>`, "image/svg+xml");
    defs.append(document.importNode(parsed.documentElement.firstElementChild, true));
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
    this.over.before(this.cursor);
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
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const at = (x, y) => [x * cos - y * sin, x * sin + y * cos];
    for (const spot of this.spots.values()) [spot.u, spot.v] = at(spot.x, spot.y);
    if (this.turned === undefined || this.turned === degrees) return void (this.turned = degrees);
    this.turned = degrees;
    for (const use of this.svg.querySelectorAll(".spot > use")) this.lean(use, use.parentNode.dataset.token);
    this.svg.querySelector("#turned").setAttribute("transform", `rotate(${degrees})`);
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const { element, x, y } of this.spots.values()) {
      for (const pair of element.querySelector(".cell").getAttribute("points").split(" ")) {
        const [dx, dy] = pair.split(",").map(Number);
        const [u, v] = at(x + dx, y + dy);
        [left, top, right, bottom] = [Math.min(left, u), Math.min(top, v), Math.max(right, u), Math.max(bottom, v)];
      }
    }
    const margin = this.svg.dataset.pitch * 0.06;
    this.svg.setAttribute(
      "viewBox",
      [left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin].join(" "),
    );
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
    for (const other of this.svg.querySelectorAll('.spot[tabindex="0"]')) other.setAttribute("tabindex", "-1");
    element.setAttribute("tabindex", "0");
    if (element.matches(":focus-visible")) this.place(this.cursor, element.dataset.spot, 0.93);
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
      const spot = this.spots.get(name);
      if (spot) this.over.append(shape("circle", { class: "aim", cx: spot.x, cy: spot.y, r: this.svg.dataset.pitch / 6 }));
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
    for (const [name, { element }] of this.spots) {
      const [token, light, mark, can] = [position[name], lights[name], marks[name], reach[name]?.length];
      const state = JSON.stringify([token, light, mark, can]);
      if (element.state === state) continue;
      element.state = state;
      element.querySelectorAll("use, .halo, .lit, .mark").forEach((old) => old.remove());
      const outline = element.querySelector(".cell").getAttribute("points");
      const ring = (kind, scale, more = {}) =>
        element.append(shape("polygon", { class: kind, points: outline, transform: `scale(${scale})`, ...more }));
      if (token) element.append(this.lean(shape("use", { href: "#" + tokenId(token) }), token));
      if (light) {
        ring("halo", 0.84);
        ring("lit", 0.84, { stroke: light.colour });
      }
      if (mark) ring("mark", 0.88);
      const put = (key, value) => (value ? (element.dataset[key] = value) : delete element.dataset[key]);
      put("token", token);
      put("effect", light?.effect);
      put("mark", mark?.kind);
      const count = token && can ? (can === 1 ? words.canGo1 : words.canGo.replace("{count}", can)) : "";
      const said = [token ? nameOf(token) : words.empty, element.dataset.place || name, light?.meaning, mark?.meaning, count].filter(Boolean);
      element.setAttribute("aria-label", said.join(", "));
    }
  }

  at(x, y) {
    return document.elementFromPoint(x, y)?.closest(".spot")?.dataset.spot;
  }
}

const LARGEST = 6;
const LEAST_CELL = 15; // pixels across, below which nobody reads a cell

// The buttons that make the board larger than its window: by steps, to the army, to the last move.
export function zoomable(board, ends = () => null) {
  const tools = document.getElementById("zooms");
  const frame = document.getElementById("frame");
  if (!tools || !frame) return;
  const thing = frame.firstElementChild;
  tools.hidden = false;
  let size = 1;

  // Show `thing` at `wanted` times its size, (x, y) of it (0 to 1) in the middle of the frame.
  function zoom(wanted, x, y) {
    const height = frame.clientHeight;
    const [mx, my] = [
      x ?? (frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth,
      y ?? (frame.scrollTop + frame.clientHeight / 2) / frame.scrollHeight,
    ];
    size = Math.min(LARGEST, Math.max(1, wanted));
    const large = size > 1;
    frame.classList.toggle("large", large);
    frame.style.height = large ? height + "px" : "";
    thing.style.width = large ? 100 * size + "%" : "";
    frame.scrollTo(mx * frame.scrollWidth - frame.clientWidth / 2, my * frame.scrollHeight - frame.clientHeight / 2);
  }

  function to(names) {
    const boxes = names.filter((name) => board.spots.has(name)).map((name) => board.spots.get(name).element.getBoundingClientRect());
    if (!boxes.length) return;
    const whole = thing.getBoundingClientRect();
    const [left, right] = [Math.min(...boxes.map((b) => b.left)), Math.max(...boxes.map((b) => b.right))];
    const [top, bottom] = [Math.min(...boxes.map((b) => b.top)), Math.max(...boxes.map((b) => b.bottom))];
    const room = Math.min(frame.clientWidth / (right - left), frame.clientHeight / (bottom - top)) * 0.85;
    zoom(Math.min(size * room, Math.max(3, size)), ((left + right) / 2 - whole.left) / whole.width, ((top + bottom) / 2 - whole.top) / whole.height);
  }

  // Where most of an army stands: who went far ahead does not count.
  function army(seat) {
    const owner = (token) => token && document.getElementById(tokenId(token))?.dataset.owner;
    const own = [...(board?.spots ?? [])].filter(([, { element }]) => owner(element.dataset.token) === seat);
    const middle = (key) => own.map(([, spot]) => spot[key]).sort((a, b) => a - b)[own.length >> 1];
    const [x, y] = [middle("x"), middle("y")];
    const far = ([, spot]) => Math.hypot(spot.x - x, spot.y - y);
    own.sort((one, other) => far(one) - far(other));
    return own.slice(0, Math.ceil(own.length * 0.85)).map(([name]) => name);
  }
  const last = () => {
    const marked = [...board.spots].filter(([, { element }]) => element.dataset.mark === "last").map(([name]) => name);
    return marked.length ? marked : (ends() ?? []);
  };
  const turn = (sides) => {
    const ways = [...new Set(Object.values(sides))].sort((a, b) => a - b);
    board.turn(ways[(ways.indexOf(board.turned) + 1) % ways.length]);
  };
  tools.addEventListener("click", (event) => {
    const { zoom: what, seat, sides } = event.target.closest("button")?.dataset ?? {};
    if (what === "in") zoom(size * 1.6);
    if (what === "out") zoom(size / 2);
    if (what === "all") zoom(1);
    if (what === "army") to(army(seat));
    if (what === "last") to(last());
    if (what === "turn") turn(JSON.parse(sides));
  });
  if (!board) return;
  board.svg.addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
    if (ctrlKey || metaKey) return;
    if (key === "+") zoom(size * 1.6);
    if (key === "-") zoom(size / 2);
    if (key === "0") zoom(1);
  });
  const cell = (board.svg.dataset.pitch * thing.clientWidth) / board.svg.viewBox.baseVal.width;
  const seat = tools.querySelector("[data-seat]")?.dataset.seat;
  if (cell && cell < LEAST_CELL && seat) to(army(seat));
}
