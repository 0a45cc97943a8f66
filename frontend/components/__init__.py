"""Parts that pages are made of; pages use these and the classes of `assets/*.css`, and write no colour of their own.

Frame (`frontend.ids.shell.ShellIds`): stores `SCHEME` ("light" | "dark") and `VIEWPORT` ({"width", "height"} of the window,
pixels) are inputs of every callback that draws; `LIVE` takes what is to be announced; `request.current_user()` is the
principal of a callback. A page is `html.Div([header, html.Div(..., className="page")])`.

- `icon.icon(name, size="m", class_name="")`: pictures of `assets/icons`.
- `button.button(text, *, id, icon, kind="plain|primary|quiet|danger", size="small|medium|large", keys, disabled)`,
  `button.link_button(text, href, *, icon, kind, size, keys, download)`, `button.icon_button(icon, label, *, id, on)`,
  `button.segmented(options, value, id_type)`.
- `chip.chip(*children, tone="plain|good|warn|bad|acc|line", icon, title)`, `chip.status_chip(status, outcome)`,
  `chip.estimator_chip(words, "fitted|predicted|measured")`.
- `card.card(title, *body, subtitle, actions, flush, id, class_name, style, label, level)`,
  `card.card_title(title, class_name, level)`.
- `kpi.kpi(label, value, unit, extra, title)`, `kpi.kpi_si(label, value, unit, extra, digits)`, `kpi.pairs([(name, value)])`.
- `spark.spark(values, *, summary, width_px, height_px)`.
- `table.plain_table(columns, rows, *, selected, row_ids, tight)` with `table.Column(title, number, unit)`;
  `table.grid_options(**options)` for AG Grid, whose cells "Sparkline", "RunTitle", "RunState", "Owner", "DesignKind"
  are in `assets/cells.js`.
- `states.empty_state(icon, title, words, actions)`, `states.skeleton(height_px, width)`, `states.skeleton_rows(count)`,
  `states.notice(*words, tone, icon)`, `states.infeasible_state(infeasible, facts, remedies)`,
  `states.failed_state(what, where, kept, trace, actions, facts)`.
- `legend.model_legend(models)`, `legend.hardware_legend(kinds)`, `legend.load_legend(largest_bytes)`,
  `legend.model_swatch(position)`, `legend.hardware_swatch(kind)`.
- `thumbnail.mini_grid(grid, window)`, `thumbnail.window_picker(grid, selected, id_type)`: ids `{"type", "index"}`.
- `figure.plot(figure, *, height_px, summary, id, config)`: a `dcc.Graph` in a `role="img"` with its sentence.
- `figure_menu.figure_menu(*data)`: the menu in a card's head that saves its plot; `data_link(words, href)`,
  `data_item(words, item_id)` for its entries.
- `form`: fields out of an engine's `Params`.

Figures, all `-> go.Figure` with `scheme` "light" | "dark" (`frontend.figures`):

- `front.front_figure(cloud: front.Cloud, scheme, *, selected=None, selected_words="", bounds=(), limits=(), hidden=(),
  view=None, width_px=560, height_px=330, revision="")`; a `Cloud` is two columns with their quantities, numbers, baselines,
  labels, and which designs are kept and fresh; `Bound(axis, value, title)`, `Limit(axis, value, upper)`,
  `front.fitting_view(cloud, bounds, hidden)` for the view that a live page keeps. Points carry the design's number as
  `customdata`.
- `chiplet_grid.grid_figure(grid, window, scheme, *, width_px, height_px, selected_chiplet=None, load_max_bytes=None)`,
  `chiplet_grid.largest_load(grid, window)`, `package.package_figure(package, scheme, *, width_px, height_px)`.
- `schedule.schedule_figure(schedule, scheme, *, selected_window=None, width_px, height_px, by="chiplets"|"models",
  end_s=None)`.
- `convergence.convergence_figure(evaluations, values, scheme, *, title, unit, height_px,
  checkpoints, logarithmic)`.
- `generic.<trace|curve|matrix|breakdown|distribution|layer_graph>_figure(result, scheme, ...)`.
- `summary.<front|grid|schedule|convergence>_sentence(...)`: the words for `role="img"`.
- `numbers.si(value, unit, digits=3)`, `split_si`, `significant`, `fixed`, `integer`, `percent`, `ratio`, `scale_of`,
  `time_scale`, `decimals_for`, `duration`, `ago`, `full`, `MISSING`.
"""
