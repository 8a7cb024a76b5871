// The shelf and a game's box: who plays, by which options, in which order; choices kept by name.
import { complain, fill, get, joined, post, renew, start, words } from "./live.js";

// Who plays: only seats that the game takes together can be ticked, as it tells them for the options
// that are chosen. What cannot be chosen says why.
function seating(form) {
  const boxes = Array.from(form.querySelectorAll("[name=seat]"));
  const counts = Array.from(form.querySelectorAll("[data-count]"));
  const why = form.querySelector("p.why");
  const begin = form.querySelector("[type=submit]");
  const array = form.querySelector("[name=array]");
  const shut = begin.disabled;
  let possible = JSON.parse(form.dataset.possible);
  let count = chosen().length;
  let asked = 0;

  function chosen() {
    return boxes.filter((box) => box.checked).map((box) => box.value);
  }
  const name = (seat) => boxes.find((box) => box.value === seat).parentElement.textContent.trim();
  const names = (seats) => seats.map(name).join(", ");
  const same = (one, other) => one.length === other.length && one.every((seat) => other.includes(seat));
  const found = (seats) => possible.seatings.find((one) => same(one, seats));

  function tick(seats) {
    for (const box of boxes) box.checked = seats.includes(box.value);
    count = seats.length;
    show();
  }

  // Whether one more may sit down: on the way to so many as are to play, or where that is enough.
  function fits(seat) {
    const seats = [...chosen(), seat];
    const way = (one) => one.length === count && seats.every((other) => one.includes(other));
    return Boolean(found(seats)) || possible.seatings.some(way);
  }

  function reasons(always, apart) {
    const seats = chosen();
    const { title } = form.dataset;
    if (!possible.seatings.length) return [words.nobodyPlays];
    if (boxes.length > 1 && always.length === boxes.length) return [fill(words.allPlay, { game: title })];
    const told = [];
    if (always.length) told.push(fill(words.alwaysPlays, { seats: names(always) }));
    if (seats.length < count) told.push(fill(words.chooseMore, { count: count - seats.length }));
    if (apart.length) told.push(seats.length < count ? fill(words.notTogether, { count, seats: names(apart) }) : fill(words.enoughPlay, { count }));
    return told;
  }

  function show() {
    if (shut) return;
    const seats = chosen();
    const always = boxes.map((box) => box.value).filter((seat) => possible.seatings.every((one) => one.includes(seat)));
    const apart = boxes.filter((box) => !box.checked && !fits(box.value)).map((box) => box.value);
    for (const box of boxes) box.disabled = box.checked ? always.includes(box.value) : apart.includes(box.value);
    for (const button of counts) {
      button.hidden = !possible.seatings.some((one) => one.length === Number(button.dataset.count));
      button.setAttribute("aria-pressed", String(Number(button.dataset.count) === count));
    }
    if (counts.length) counts[0].parentElement.hidden = counts.filter((button) => !button.hidden).length < 2;
    const told = reasons(always, apart);
    begin.disabled = !found(seats);
    if (array) {
      array.disabled = !same(seats, possible.array);
      if (array.disabled) {
        array.checked = false;
        told.push(fill(words.arraySeats, { seats: names(possible.array) }));
      }
    }
    why.textContent = joined(told);
  }

  async function optionsChanged() {
    const mine = ++asked;
    // Who may play by these options is not known yet.
    begin.disabled = true;
    const data = await get("/api/seatings", { game: form.dataset.game, ...options(form, true) });
    if (mine !== asked) return;
    complain(data.ok ? "" : data.error.message);
    if (!data.ok) return void (begin.disabled = true);
    possible = { ...possible, ...data };
    for (const place of form.querySelectorAll("[data-why]")) {
      const out = data.excluded[place.dataset.why] ?? {};
      const told = [];
      for (const choice of form.elements[place.dataset.why].options ?? []) {
        choice.disabled = choice.value in out;
        if (choice.disabled) told.push(`${choice.textContent}: ${out[choice.value]}`);
      }
      place.textContent = joined(told);
    }
    const seats = chosen();
    const near = possible.seatings.find((one) => one.length === seats.length) ?? possible.seatings[0] ?? seats;
    tick(found(seats) ? seats : near);
  }

  for (const button of counts) {
    button.addEventListener("click", () => tick(possible.seatings.find((one) => one.length === Number(button.dataset.count))));
  }
  form.addEventListener("change", ({ target }) => {
    if (target.name === "seat") {
      if (found(chosen())) count = chosen().length;
      show();
    } else if ("default" in target.dataset) optionsChanged();
  });
  show();
  // In the order in which they play.
  return () => found(chosen()) ?? chosen();
}

function options(form, all) {
  const fields = Array.from(form.querySelectorAll("[data-default]")).filter((field) => all || field.value !== field.dataset.default);
  return Object.fromEntries(fields.map((field) => [field.name, field.value]));
}

const body = (form, seats) => ({
  game: form.dataset.game,
  seats: seats(),
  options: options(form, false),
  array: Boolean(form.querySelector("[name=array]")?.checked),
});

function newGame(form) {
  const seats = seating(form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const data = await post("/api/new", body(form, seats), "/");
    if (!data.ok) complain(data.error.message);
  });
  document.getElementById("preset-keep")?.addEventListener("click", async () => {
    const { array, ...kept } = body(form, seats);
    const data = await post("/api/preset", { ...kept, name: document.getElementById("preset-name").value });
    if (!data.ok) return complain(data.error.message);
    renew();
  });
}

// What is put in order: by its buttons, by the arrow keys on them, or dragged.
function ordering(list) {
  const field = list.parentElement.querySelector(`[name="${list.dataset.order}"]`);
  const things = () => Array.from(list.children, (item) => item.dataset.thing);
  let held = null;

  function changed() {
    const value = things().join("-");
    if (value === field.value) return;
    field.value = value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function step(item, by) {
    const other = by < 0 ? item.previousElementSibling : item.nextElementSibling;
    if (!other) return;
    if (by < 0) other.before(item);
    else other.after(item);
    changed();
  }

  list.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-step]");
    if (!button || list.closest("fieldset").disabled) return;
    step(button.closest("li"), Number(button.dataset.step));
    button.focus();
  });
  list.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const button = event.target.closest("[data-step]");
    if (!by || !button) return;
    event.preventDefault();
    step(button.closest("li"), by);
    button.focus();
  });
  list.addEventListener("pointerdown", (event) => {
    const item = event.target.closest("li");
    if (!item || event.target.closest("button") || list.closest("fieldset").disabled) return;
    held = item;
    held.classList.add("held");
    list.setPointerCapture(event.pointerId);
  });
  list.addEventListener("pointermove", (event) => {
    if (!held) return;
    for (const other of list.children) {
      const { top, height } = other.getBoundingClientRect();
      if (other === held || event.clientY < top || event.clientY > top + height) continue;
      const below = held.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
      if (below && event.clientY > top + height / 2) other.after(held);
      else if (!below && event.clientY < top + height / 2) other.before(held);
      return;
    }
  });
  for (const end of ["pointerup", "pointercancel"]) {
    list.addEventListener(end, () => {
      held?.classList.remove("held");
      if (held) changed();
      held = null;
    });
  }
}

for (const form of document.querySelectorAll(".game-form")) {
  newGame(form);
  form.querySelectorAll("[data-order]").forEach(ordering);
}
start();
