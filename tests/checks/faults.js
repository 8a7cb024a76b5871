() => {
  // What on a page does not fit: one sentence for each element, with its parent and its text.
  const faults = [];
  const sheet = document.querySelector("dialog[open]");
  const style = (e) => getComputedStyle(e);
  const slides = (value) => ["auto", "scroll"].includes(value);
  const named = (e) => e.tagName.toLowerCase() + (e.id && "#" + e.id) + [...e.classList].map((one) => "." + one).join("");
  const fault = (what, e, more = "") =>
    faults.push(`${what}: ${named(e.parentElement ?? e)} > ${named(e)} "${e.innerText.replace(/\s+/g, " ").trim().slice(0, 60)}" ${more}`);
  const above = (e) => (e.parentElement ? [e.parentElement, ...above(e.parentElement)] : []);

  // What can be slid into view is not beside the page, nor covered while it is slid away.
  const slidAcross = (e) => above(e).some((up) => slides(style(up).overflowX));
  const slidAway = (e, y) =>
    above(e).some((up) => {
      const { top, bottom } = up.getBoundingClientRect();
      return slides(style(up).overflowY) && (y > bottom || y < top);
    });

  const pen = document.createElement("canvas").getContext("2d");
  function chosen(e) {
    const { font, paddingLeft, paddingRight } = style(e);
    pen.font = font;
    const arrow = 18;
    const room = pen.measureText(e.selectedOptions[0]?.text ?? "").width + parseFloat(paddingLeft) + parseFloat(paddingRight) + arrow;
    if (room > e.clientWidth) fault("cut", e, `${room} > ${e.clientWidth}`);
  }

  function pressed(e) {
    const box = e.getBoundingClientRect();
    if ((e.matches("a") && style(e).display === "inline") || (e.matches("[type=checkbox]") && e.closest("label"))) return;
    if (box.width < 40 || box.height < 40) fault("no room for a thumb", e, `${box.width} x ${box.height}`);
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    if (e.disabled || x < 0 || y < 0 || x > innerWidth || y > innerHeight || slidAway(e, y)) return;
    const over = document.elementFromPoint(x, y);
    const bars = ".tabs, .bar, .grip"; // they stay where they are, and the page slides under them
    if (over && !e.contains(over) && !over.contains(e) && !over.closest(bars)) fault("covered", e, named(over));
  }

  // No button may lie on words: neither end of a line of them.
  function written(e) {
    const words = document.createRange();
    for (const text of e.childNodes) {
      if (text.nodeType !== Node.TEXT_NODE || !text.textContent.trim()) continue;
      words.selectNodeContents(text);
      for (const { left, right, top, height } of words.getClientRects())
        for (const x of [left + 2, right - 2]) {
          const y = top + height / 2;
          const over = slidAway(e, y) ? null : document.elementFromPoint(x, y)?.closest("button, a.button, input, select");
          if (over && !over.contains(e) && !e.closest("label")?.contains(over)) return fault("words covered", e, named(over));
        }
    }
  }

  function looked(e) {
    const { fontSize, display, overflowX } = style(e);
    const box = e.getBoundingClientRect();
    const says = [...e.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.textContent.trim());
    const presses = e.matches("button, a, input, select, summary, textarea, label.check");
    if ((says || presses) && display !== "inline" && !slides(overflowX) && e.scrollWidth > e.clientWidth + 1)
      fault("cut", e, `${e.scrollWidth} > ${e.clientWidth}`);
    if (says && (box.right > innerWidth + 1 || box.left < -1) && !slidAcross(e)) fault("beside the page", e);
    if (says && parseFloat(fontSize) < 11.5) fault("small", e, fontSize);
    if (says && !presses) written(e);
    if (e.matches(".scroll") && e.scrollWidth > e.clientWidth + 1) fault("slides", e, `${e.scrollWidth} > ${e.clientWidth}`);
    if (e.matches("select")) chosen(e);
    if (presses) pressed(e);
  }

  // Words on a board are read by whoever looks, however it is turned to him.
  for (const text of document.querySelectorAll("svg.board text")) {
    const { a, b } = text.getScreenCTM();
    if (text.checkVisibility() && (a < 0 || Math.abs(b) > a / 50)) faults.push(`not upright: ${text.textContent}`);
  }

  for (const text of document.querySelectorAll("svg.mat text")) {
    const { a, b } = text.getScreenCTM();
    const size = parseFloat(style(text).fontSize) * Math.hypot(a, b);
    if (text.checkVisibility() && size < 11.5) faults.push(`small: ${text.textContent} ${size}`);
  }

  // Nobody scrolls a screen on the wall.
  const beside = document.querySelector('[data-page="view"] #sheets');
  if (beside && beside.scrollHeight > beside.clientHeight + 1) fault("scrolls", beside, `${beside.scrollHeight} > ${beside.clientHeight}`);

  if (document.documentElement.scrollWidth > innerWidth) fault("wider than the screen", document.body);
  for (const e of (sheet ?? document.body).querySelectorAll("*")) {
    if (e.closest("svg, .vh, .skip") || e.matches("script, style, noscript, template") || !e.checkVisibility()) continue;
    looked(e);
  }
  const line = document.getElementById("line");
  if (line && !sheet && line.scrollHeight > line.clientHeight + 1) fault("scrolls", line, `${line.scrollHeight} > ${line.clientHeight}`);
  return faults;
}
