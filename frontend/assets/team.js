// Copies what a button carries; where the browser keeps the clipboard to itself, the field beside it is selected.
document.addEventListener("click", function (event) {
  var button = event.target.closest && event.target.closest("[data-copy]");
  if (!button) { return; }
  var words = button.querySelector("span:last-child"), field = button.parentElement.querySelector("input");
  if (field) { field.focus(); field.select(); }
  if (!navigator.clipboard) { words.textContent = "Press Ctrl+C"; return; }
  navigator.clipboard.writeText(button.getAttribute("data-copy")).then(function () { words.textContent = "Copied"; });
});
