// A page that is loaded while the house falls never gets its scripts or its style, or only half of
// itself, and nothing else could load it anew once the house answers again. Browsers keep this
// script from the first visit.
const whole = () => fetch(location.href).then((answer) => answer.text());
const later = () => setTimeout(() => whole().then(() => location.reload(), later), 1000);
addEventListener("error", ({ target }) => {
  if (target.matches?.("script, link[rel=stylesheet]")) later();
}, true);
addEventListener("missing", later, { once: true });
// What is tapped or set before the scripts have come is done as soon as they have.
let early = null;
const set = new Set();
const keep = (event) => {
  if (event.target.closest("a, summary, label, input, select, textarea")) return;
  early = event.target;
  event.preventDefault();
  event.stopImmediatePropagation();
};
const note = (event) => {
  set.add(event.target);
  event.stopImmediatePropagation();
};
addEventListener("click", keep, true);
addEventListener("change", note, true);
addEventListener("ready", () => {
  removeEventListener("click", keep, true);
  removeEventListener("change", note, true);
  for (const field of set) if (field.isConnected) field.dispatchEvent(new Event("change", { bubbles: true }));
  if (early?.isConnected) early.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}, { once: true });
// Who has half a page waits for the rest for ever. One that is only slow has come by the time that
// it has come again.
const half = () => document.readyState === "loading";
setTimeout(() => half() && whole().then(() => half() && location.reload(), later), 8000);
