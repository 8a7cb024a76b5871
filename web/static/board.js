// The board: a grid that is walked with the arrow keys and picked from by tap, Enter or Space.
const SVG = "http://www.w3.org/2000/svg";

export const tokenId = (token) =>
  "t-" + token.replace(/[^A-Za-z0-9]/g, (letter) => "_" + letter.charCodeAt(0).toString(16));

export function shape(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// Pictures of tokens that came into play after the page was made.
export async function fetchSymbols(tokens) {
  const defs = document.querySelector("#symbols defs");
  const missing = [...new Set(tokens)].filter((t) => t && !document.getElementById(tokenId(t)));
  if (!defs || !missing.length) return;
  const query = missing.slice(0, 100).map((t) => "token=" + encodeURIComponent(t)).join("&");
  const answer = await fetch("/api/symbols?" + query);
  if (!answer.ok) return;
  const { symbols } = await answer.json();
  for (const [token, text] of Object.entries(symbols)) {
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
      const ahead = (spot.x - from.x) * dx + (spot.y - from.y) * dy;
      const aside = Math.abs((spot.x - from.x) * dy) + Math.abs((spot.y - from.y) * dx);
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
      if (spot) this.over.append(shape("circle", { class: "aim", cx: spot.x, cy: spot.y, r: this.svg.dataset.pitch / 7 }));
    }
    for (const name of proof) ring(name, "ring bad");
    for (const name of chosen) {
      ring(name, "ring");
      this.spots.get(name)?.element.setAttribute("aria-selected", "true");
    }
  }

  async update(position, lights = {}, marks = {}) {
    await fetchSymbols(Object.values(position));
    for (const [name, { element }] of this.spots) {
      const [token, light, mark] = [position[name], lights[name], marks[name]];
      const state = JSON.stringify([token, light, mark]);
      if (element.state === state) continue;
      element.state = state;
      element.querySelectorAll("use, .halo, .lit, .mark").forEach((old) => old.remove());
      const outline = element.querySelector(".cell").getAttribute("points");
      const ring = (kind, scale, more = {}) =>
        element.append(shape("polygon", { class: kind, points: outline, transform: `scale(${scale})`, ...more }));
      if (token) element.append(shape("use", { href: "#" + tokenId(token) }));
      if (light) {
        ring("halo", 0.84);
        ring("lit", 0.84, { stroke: light.colour });
      }
      if (mark) ring("mark", 0.88);
      const put = (key, value) => (value ? (element.dataset[key] = value) : delete element.dataset[key]);
      put("token", token);
      put("effect", light?.effect);
      put("mark", mark?.kind);
      const said = [token || "empty", name, light?.meaning, mark?.meaning].filter(Boolean);
      element.setAttribute("aria-label", said.join(", "));
    }
  }

  at(x, y) {
    return document.elementFromPoint(x, y)?.closest(".spot")?.dataset.spot;
  }
}

// A button that makes the board larger than the screen.
export function zoomable() {
  const button = document.getElementById("zoom");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    const large = document.getElementById("frame").classList.toggle("large");
    button.setAttribute("aria-pressed", String(large));
  });
}
