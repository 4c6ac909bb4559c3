"use strict";
// The main table: columns, sorting, what is hidden.

function columnsOf(view) {
  const narrow = matchMedia("(max-width: 640px)").matches;
  const bounds = (value) => value && known(value[1]) ? `${fixed(value[1])}–${fixed(value[2])}` : "";
  const interval = (value) => value ? [fixed(value[0]), el("span", { class: "range" }, bounds(value)), whisker(value)] : "–";
  const columns = [
    { id: "rank", title: "Rank", number: true, sort: (row) => row.rank ?? 1e6, ascending: true,
      cell: (row) => row.run.kind !== "model" ? "ref." : row.rank ? `${row.tied ? "=" : ""}${row.rank}` : "–" },
    { id: "model", title: "Model", text: true, sort: (row) => row.run.model.toLowerCase(), ascending: true, fixed: true },
    { id: "agent", title: "Agent", text: true, sort: (row) => row.run.agent + row.run.agentVersion, ascending: true,
      cell: (row) => [row.run.agent, row.run.agentVersion ? el("span", { class: "range" }, "version " + row.run.agentVersion) : null] },
    { id: "score", title: "Score", number: true, sort: (row) => row.score ? row.score[0] : -1, cell: (row) => interval(row.score) },
    { id: "success", title: "Strict success", number: true, sort: (row) => row.success ? row.success[0] : -1,
      cell: (row) => row.success ? [fixed(row.success[0]), el("span", { class: "range" }, bounds(row.success))] : "–" },
    { id: "pass", title: `pass^${view.k}`, number: true, away: narrow, sort: (row) => row.run.passes[view.k - 1] ?? -1,
      cell: (row) => view.sliced ? "–" : fixed(row.run.passes[view.k - 1]) },
    { id: "tokens", title: "Tokens", number: true, away: narrow, sort: (row) => row.run.tokensIn + row.run.tokensOut,
      cell: (row) => row.run.spend === "none" ? "none" : [count(row.run.tokensIn + row.run.tokensOut),
        el("span", { class: "range" }, `${count(row.run.tokensIn)} in, ${count(row.run.tokensCached)} cached, ${count(row.run.tokensOut)} out`)] },
    { id: "cost", title: "Cost", number: true, sort: (row) => row.run.cost ?? (row.run.spend === "none" ? -1 : -2), cell: (row) => costText(row.run) },
    { id: "minutes", title: "Minutes", number: true, away: narrow, sort: (row) => row.run.minutes ?? -1, cell: (row) => minutes(row.run.minutes) },
    { id: "verified", title: "Verified", text: true, sort: (row) => row.run.verified ? 1 : 0,
      cell: (row) => row.run.verified ? el("span", { class: "verified" }, "✓ verified") : el("span", { class: "dim" }, "no") },
    { id: "date", title: "Date", text: true, away: narrow, sort: (row) => row.run.date,
      cell: (row) => [el("span", { class: "number" }, row.run.date), row.run.set ? el("span", { class: "range" }, "set " + BOARD.sets[row.run.set].version) : null] },
    ...view.categories.map((name) => ({ id: "c:" + name, title: words(name), number: true, away: narrow,
      sort: (row) => row.categories[name] ?? -1, cell: (row) => fixed(row.categories[name], 2) })),
  ];
  const state = readState();
  const hidden = state.has("hide") ? new Set(state.get("hide").split(",")) : new Set(columns.filter((column) => column.away).map((column) => column.id));
  return { columns, hidden };
}

function whisker(value) {
  if (!value || !known(value[1])) return null;
  const x = (share) => 1 + share * 88;
  return svg("svg", { class: "whisker", width: 90, height: 9, viewBox: "0 0 90 9", "aria-hidden": "true" },
    svg("line", { x1: 1, x2: 89, y1: 4.5, y2: 4.5, stroke: "currentColor", "stroke-opacity": .2 }),
    svg("line", { x1: x(value[1]), x2: Math.max(x(value[2]), x(value[1]) + 1), y1: 4.5, y2: 4.5, stroke: "currentColor", "stroke-width": 3, "stroke-opacity": .55 }),
    svg("circle", { cx: x(value[0]), cy: 4.5, r: 3, fill: "currentColor" }));
}

function sortedRows(rows, columns) {
  const state = readState();
  const column = columns.find((item) => item.id === state.get("sort")) || columns.find((item) => item.id === "score");
  const down = state.get("sort") ? state.get("dir") !== "asc" : true;
  const sign = down ? -1 : 1;
  const keyed = rows.map((row) => [column.sort(row), row]);
  keyed.sort(([a, one], [b, two]) => (a < b ? -sign : a > b ? sign : one.run.set - two.run.set || (one.run.id < two.run.id ? -1 : 1)));
  return { rows: keyed.map(([, row]) => row), column, down };
}

function drawTable(into, view) {
  const { columns, hidden } = columnsOf(view);
  const shown = columns.filter((column) => column.fixed || !hidden.has(column.id));
  const { rows, column: sorted, down } = sortedRows(view.rows, columns);
  const head = el("tr", null, shown.map((column) => el("th", {
    scope: "col", class: [column.number ? "number" : "", column.fixed ? "name" : "", column.id.startsWith("c:") ? "wrap" : ""].join(" ").trim(),
    "aria-sort": column === sorted ? (down ? "descending" : "ascending") : null,
  }, el("button", { type: "button", "data-sort": column.id, on: { click: () => {
    const again = column === sorted;
    const asc = again ? down : Boolean(column.ascending);
    writeState({ sort: column.id, dir: asc ? "asc" : "desc" });
    view.redraw();
    const button = document.querySelector(`button[data-sort="${CSS.escape(column.id)}"]`);
    if (button) button.focus();
  } } }, column.title))));
  const body = rows.map((row) => el("tr", {
    class: row.run.kind !== "model" ? "reference" : row.legacy ? "legacy" : null, "data-run": row.run.id,
  }, shown.map((column) => column.fixed
    ? el("th", { scope: "row", class: "name" }, el("a", { href: link("run", { run: row.run.id }) }, row.run.model),
      row.run.part ? el("span", { class: "range" }, "part of the set") : null,
      row.run.kind === "oracle" ? el("span", { class: "range" }, "reference solutions") : row.run.kind === "junk" ? el("span", { class: "range" }, "does no work") : null)
    : el("td", { class: column.number ? "number" : null }, column.cell(row)))));
  const menu = el("details", { class: "columns" }, el("summary", null, "Columns"), el("div", null,
    columns.filter((column) => !column.fixed).map((column) => el("label", null, el("input", {
      type: "checkbox", "data-column": column.id, checked: !hidden.has(column.id), on: { change: (event) => {
        const away = new Set(hidden);
        if (event.target.checked) away.delete(column.id); else away.add(column.id);
        writeState({ hide: [...away].join(",") || "none" });
        view.redraw();
        document.querySelector("details.columns").open = true;
        document.querySelector(`input[data-column="${CSS.escape(column.id)}"]`).focus();
      } } }), column.title))));
  const ks = Array.from({ length: view.mostK }, (_, number) => number + 1);
  into.append(
    el("div", { class: "bar" }, menu,
      view.mostK > 1 ? el("label", null, "k of pass^k", el("select", { id: "k", on: { change: (event) => { writeState({ k: event.target.value }); view.redraw(); } } },
        ks.map((k) => el("option", { value: k, selected: k === view.k }, String(k))))) : null,
      el("p", { class: "dim" }, "Equal ranks (=) are ties: a run ranks higher only when its interval lies wholly above another's. "
        + "Dashed rows are references, italic rows ran on an older task set and are not ranked.")),
    el("div", { class: "wide", role: "region", "aria-label": "Runs", tabindex: 0 },
      el("table", { id: "board" }, el("thead", null, head), el("tbody", null, body))));
  if (!rows.length) into.append(el("p", null, "No run fits these filters."));
}
