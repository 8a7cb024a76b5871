// The host's page: a new game, the settings of the table; and records brought in from elsewhere.
import { complain, confirmed, post, renew } from "./live.js";

function newGame() {
  const which = document.getElementById("new-game");
  which?.addEventListener("change", () => {
    for (const form of document.querySelectorAll(".game-form")) form.hidden = form.dataset.game !== which.value;
  });
  for (const form of document.querySelectorAll(".game-form")) {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (!(await confirmed(event.submitter.dataset.confirm))) return;
      const options = {};
      for (const field of form.querySelectorAll("[data-default]")) {
        if (field.value !== field.dataset.default) options[field.name] = field.value;
      }
      const data = await post("/api/new", {
        game: form.dataset.game,
        seats: Array.from(form.querySelectorAll("[name=seat]:checked"), (box) => box.value),
        options,
        array: Boolean(form.querySelector("[name=array]")?.checked),
      });
      if (!data.ok) return complain(data.error.message);
      renew("/");
    });
  }
}

function tableSettings() {
  document.getElementById("settings-form")?.addEventListener("change", async ({ target }) => {
    const value = target.type === "checkbox" ? target.checked : ["number", "range"].includes(target.type) ? Number(target.value) : target.value;
    const data = await post("/api/settings", { [target.name]: value, state_id: undefined });
    complain(data.ok ? "" : data.error.message);
  });
}

function importing() {
  document.getElementById("import-file")?.addEventListener("change", async ({ target }) => {
    const [file] = target.files;
    if (!file) return;
    const form = target.form;
    form.elements.record.value = await file.text();
    form.elements.title.value ||= file.name;
  });
}

export function hosting() {
  newGame();
  tableSettings();
  importing();
}
