// A machine is told the cards of its rack: each is gone from the page as soon as it was tapped, and
// all are forgotten once they are told.
import { complain, post } from "./live.js";

const form = document.getElementById("rack");
const cards = [];

function count() {
  document.getElementById("told").textContent = cards.length;
  document.getElementById("rack-done").disabled = cards.length !== Number(form.dataset.missing);
}

form?.addEventListener("click", ({ target }) => {
  const { card } = target.dataset;
  if (!card || cards.length === Number(form.dataset.missing)) return;
  cards.push(card);
  target.disabled = true;
  count();
});
document.getElementById("rack-back")?.addEventListener("click", () => {
  const last = cards.pop();
  if (last) form.querySelector(`[data-card="${CSS.escape(last)}"]`).disabled = false;
  count();
});
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const told = await post("/api/rack", { seat: form.dataset.seat, cards });
  if (!told.ok) return complain(told.error);
  cards.length = 0;
  location.replace("/");
});
