// Moments in words that stay true while a page is open: `time` elements with `data-ago` ("3 min ago") or `data-since` ("3 min 12 s").
// The words are those of frontend/figures/numbers.py.
window.paretoscopeTimes = (function () {
  var EVERY_MS = 1000, SPACE = "\u00a0", MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

  function ago(moment, now) {
    var passed = (now - moment) / 1000;
    if (passed < 60) { return Math.max(0, Math.floor(passed)) + SPACE + "s ago"; }
    if (passed < 3600) { return Math.floor(passed / 60) + SPACE + "min ago"; }
    if (passed < 86400) { return Math.floor(passed / 3600) + SPACE + "h ago"; }
    if (passed < 172800) { return "yesterday"; }
    var year = moment.getUTCFullYear();
    return moment.getUTCDate() + SPACE + MONTHS[moment.getUTCMonth()] + (year === now.getUTCFullYear() ? "" : " " + year);
  }

  function two(number) { return String(number).padStart(2, "0"); }

  function since(moment, now) {
    var whole = Math.max(0, Math.floor((now - moment) / 1000));
    if (whole < 60) { return whole + SPACE + "s"; }
    if (whole < 3600) { return Math.floor(whole / 60) + SPACE + "min " + whole % 60 + SPACE + "s"; }
    if (whole < 86400) { return Math.floor(whole / 3600) + SPACE + "h " + two(Math.floor(whole % 3600 / 60)) + SPACE + "min"; }
    return Math.floor(whole / 86400) + SPACE + "d " + Math.floor(whole % 86400 / 3600) + SPACE + "h";
  }

  function look() {
    if (document.hidden) { return; }
    var now = new Date(Date.now() + window.paretoscopeConnection.ahead());
    document.querySelectorAll("time[data-ago], time[data-since]").forEach(function (node) {
      var moment = new Date(node.dateTime), words = node.hasAttribute("data-ago") ? ago(moment, now) : since(moment, now);
      if (node.textContent !== words) { node.textContent = words; }
    });
  }
  setInterval(look, EVERY_MS);
  document.addEventListener("visibilitychange", look);

  return { look: look };
})();
