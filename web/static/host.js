// The host's page: the settings of the table; and records brought in from elsewhere.
import { complain, post } from "./live.js";

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
    form.elements.record.value = read(await file.arrayBuffer());
    form.elements.title.value ||= file.name;
  });
}

// Older programs write PGN in the letters of western Europe, not as UTF-8.
function read(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

export function hosting() {
  tableSettings();
  importing();
}
