// Functions for the clientside callbacks of the pages about reproductions.
window.dash_clientside = Object.assign({}, window.dash_clientside, {
  reproductions: {
    print: function (clicks) {
      if (clicks) { window.print(); }
      return window.dash_clientside.no_update;
    }
  }
});
