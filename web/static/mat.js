// Hands on the dice of a simulated mat: tap dice, then a zone or what to do with them.
import { fetchSymbols, nameOf, shape, tokenId } from "./board.js";

export class MatHands {
  // `send(name, body)` asks the house for something that a hand does.
  constructor(svg, send) {
    this.send = send;
    this.svg = svg;
    this.over = svg.querySelector("#dice");
    this.chosen = new Set();
    for (const [on, name] of [[svg, "click"], [svg, "keydown"]]) on.addEventListener(name, (event) => this.touch(event));
    document.getElementById("throw").addEventListener("click", () => this.act("throw", { dice: [...this.chosen] }));
    this.tip = document.getElementById("tip");
    this.tip.addEventListener("click", () => this.each("tip", (number) => ({ number })));
  }

  touch(event) {
    if (event.type === "keydown" && ![" ", "Enter"].includes(event.key)) return;
    const die = event.target.closest(".die");
    const zone = event.target.closest(".zone");
    if (!die && !zone) return;
    event.preventDefault();
    if (die) return this.choose(Number(die.dataset.number));
    this.each("carry", (number) => ({ number, zone: zone.dataset.zone }));
  }

  choose(number) {
    if (!this.chosen.delete(number)) this.chosen.add(number);
    this.mark();
  }

  mark() {
    for (const die of this.over.children) die.setAttribute("aria-pressed", String(this.chosen.has(Number(die.dataset.number))));
    this.tip.disabled = !this.chosen.size;
  }

  each(name, body) {
    const numbers = [...this.chosen];
    this.chosen.clear();
    for (const number of numbers) this.send(name, body(number));
  }

  act(name, body) {
    this.chosen.clear();
    this.send(name, body);
  }

  async show(dice) {
    await fetchSymbols(dice.map((die) => die.token));
    const focused = document.activeElement?.dataset?.number;
    this.over.replaceChildren(
      ...dice.map((die) => {
        const drawn = shape("g", { class: "die", role: "button", tabindex: 0, "data-number": die.number, "data-token": die.token, "data-zone": die.zone, "aria-label": nameOf(die.token), transform: `translate(${die.x} ${die.y}) rotate(${die.turn})` });
        drawn.append(shape("use", { href: "#" + tokenId(die.token) }));
        if (!die.flat) drawn.classList.add("tipped");
        return drawn;
      }),
    );
    this.mark();
    if (focused) this.over.querySelector(`[data-number="${focused}"]`)?.focus();
  }
}
