// A page that is loaded while the house falls never gets its scripts or its style, and nothing else
// could load it anew once the house answers again. Browsers keep this script from the first visit.
addEventListener("error", ({ target }) => {
  if (!target.matches?.("script, link[rel=stylesheet]")) return;
  const later = () => setTimeout(again, 1000);
  const again = () => fetch(location.href).then(() => location.reload(), later);
  later();
}, true);
