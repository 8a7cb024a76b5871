// A seat moves to another device: a code that only this phone shows, for the other one to scan.
import { complain, live, post } from "./live.js";

const carry = document.getElementById("carry");
const carried = document.getElementById("carried");

carry.addEventListener("click", async () => {
  const data = await post("/api/carry");
  if (!data.ok) return complain(data.error);
  const { body } = new DOMParser().parseFromString(data.qr, "text/html");
  carried.querySelector(".code").replaceChildren(...body.children);
  carried.querySelector("b").textContent = data.link.split("#")[1];
  carried.hidden = false;
  carried.scrollIntoView({ block: "nearest" });
});
live.listeners.push(({ you }) => {
  // Why a seat is gone is told at the top.
  if (!you.seats.length && !carry.hidden) scrollTo(0, 0);
  carry.hidden = !you.seats.length;
  if (carry.hidden) carried.hidden = true;
});
