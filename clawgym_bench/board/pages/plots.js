"use strict";
// The views beside the table. Heat maps are tables with coloured cells; plots are SVG with a table.

const PAGE = 30;

function pagedRows(into, view, most = PAGE) {
  const rows = sortedRows(view.rows.filter((row) => row.run.set === view.set), columnsOf(view).columns).rows;
  const pages = Math.max(1, Math.ceil(rows.length / most));
  const page = Math.min(pages, Math.max(1, Number(readState().get("page")) || 1));
  if (pages > 1) {
    const go = (to) => () => { writeState({ page: to === 1 ? "" : to }); view.redraw(); };
    into.append(el("p", { class: "bar" },
      el("button", { type: "button", disabled: page === 1, on: { click: go(page - 1) } }, "Previous"),
      el("span", null, `Runs ${(page - 1) * most + 1}–${Math.min(rows.length, page * most)} of ${rows.length}, in the order of the table`),
      el("button", { type: "button", disabled: page === pages, on: { click: go(page + 1) } }, "Next")));
  }
  return rows.slice((page - 1) * most, page * most);
}

const runLink = (run) => el("a", { href: link("run", { run: run.id }), title: runName(run) }, run.model);

function heatMap(name, caption, rows, columns, value, title) {
  return region(name, el("table", { class: columns.length > 8 ? "heat turned" : "heat" }, el("caption", null, caption),
    el("thead", null, el("tr", null, el("th", { scope: "col" }, "Run"), columns.map((column) => el("th", { scope: "col" }, el("span", null, title(column)))))),
    el("tbody", null, rows.map((row) => el("tr", { class: row.run.kind !== "model" ? "reference" : null }, el("th", { scope: "row" }, runLink(row.run), row.run.kind === "model" ? el("span", { class: "range" }, row.run.agent) : null),
      columns.map((column) => { const found = value(row, column); return el("td", { back: known(found) ? ramp(found) : null }, fixed(found, 2)); }))))));
}

function meanOver(row, places) {
  let sum = 0, there = 0;
  for (const place of places) if (row.run.scores[place] >= 0) { sum += row.run.scores[place]; there++; }
  return there ? sum / there / 1000 : null;
}

function drawCategories(into, view) {
  const places = new Map(view.categories.map((name) => [name, view.places.filter((place) => view.tasks[place].category === name)]));
  const rows = pagedRows(into, view);
  into.append(heatMap("Categories by runs", "Mean score per category", rows, view.categories.filter((name) => places.get(name).length),
    (row, name) => meanOver(row, places.get(name)), (name) => [words(name), el("small", null, plural(places.get(name).length, "task"))]));
}

function drawOperations(into, view) {
  const places = new Map();
  for (const place of view.places) for (const name of view.tasks[place].operations) {
    if (!places.has(name)) places.set(name, []);
    places.get(name).push(place);
  }
  if (!places.size) { into.append(el("p", null, "The runs of this task set do not say which operations a task needs.")); return; }
  const rows = pagedRows(into, view);
  into.append(heatMap("Operations by runs", "Mean score over the tasks that need an operation (how many); a task needs several", rows, [...places.keys()].sort(),
    (row, name) => meanOver(row, places.get(name)), (name) => `${words(name)} (${places.get(name).length})`));
}

// ---- SVG plots
const WIDTH = 900, HEIGHT = 460, LEFT = 56, RIGHT = 30, TOP = 16, BOTTOM = 56;
const yOf = (score) => TOP + (1 - score) * (HEIGHT - TOP - BOTTOM);

function frame(label, right = RIGHT) {
  const plot = svg("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": label });
  for (const tick of [0, .2, .4, .6, .8, 1]) plot.append(
    svg("line", { class: "gridline", x1: LEFT, x2: WIDTH - right, y1: yOf(tick), y2: yOf(tick) }),
    svg("text", { class: "tick", x: LEFT - 8, y: yOf(tick) + 4, "text-anchor": "end" }, tick.toFixed(1)));
  plot.append(svg("line", { class: "axis", x1: LEFT, x2: WIDTH - right, y1: yOf(0), y2: yOf(0) }));
  return plot;
}

const MEASURES = {
  cost: { title: "Cost in US dollars", value: (run) => run.spend === "priced" ? run.cost : null, show: dollars, lacking: "without a price" },
  tokens: { title: "Tokens, in and out", value: (run) => run.tokensIn + run.tokensOut || null, show: count, lacking: "without tokens" },
  minutes: { title: "Minutes of the whole run", value: (run) => run.minutes, show: (value) => minutes(value) + " min", lacking: "without a time" },
};

function drawCost(into, view) {
  const state = readState();
  const rows = view.rows.filter((row) => row.run.set === view.set && row.score);
  const models = rows.filter((row) => row.run.kind === "model");
  const chosen = MEASURES[state.get("x")] ? state.get("x") : Object.keys(MEASURES).find((name) => models.some((row) => known(MEASURES[name].value(row.run)))) || "minutes";
  const measure = MEASURES[chosen];
  const log = state.get("scale") !== "linear";
  into.append(el("div", { class: "bar" },
    el("label", null, "Against", el("select", { id: "x", on: { change: (event) => { writeState({ x: event.target.value }); view.redraw(); } } },
      Object.keys(MEASURES).map((name) => el("option", { value: name, selected: name === chosen }, name === "minutes" ? "time" : name)))),
    el("label", null, "Scale", el("select", { id: "scale", on: { change: (event) => { writeState({ scale: event.target.value === "log" ? "" : "linear" }); view.redraw(); } } },
      el("option", { value: "log", selected: log }, "logarithmic"), el("option", { value: "linear", selected: !log }, "linear")))));
  const points = (models.length ? models : rows).map((row) => ({ row, x: measure.value(row.run) })).filter((point) => known(point.x) && (!log || point.x > 0));
  const missing = models.length - points.filter((point) => point.row.run.kind === "model").length;
  const xs = points.map((point) => point.x);
  let low = Math.min(...xs), high = Math.max(...xs);
  if (!xs.length) { low = 1; high = 10; }
  if (log) { low /= 1.3; high *= 1.3; } else { low = 0; high = high * 1.08 || 1; }
  const xOf = (x) => LEFT + (log ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low)) * (WIDTH - LEFT - RIGHT);
  const plot = frame(`Score against ${measure.title.toLowerCase()}, ${plural(points.length, "run")}`);
  for (const tick of ticks(low, high, log)) plot.append(
    svg("line", { class: "gridline", x1: xOf(tick), x2: xOf(tick), y1: TOP, y2: yOf(0) }),
    svg("text", { class: "tick", x: xOf(tick), y: yOf(0) + 18, "text-anchor": "middle" }, measure.show(tick)));
  plot.append(svg("text", { class: "tick", x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 12, "text-anchor": "middle" }, measure.title),
    svg("text", { class: "tick", x: LEFT, y: 11 }, "Score"));
  references(plot, rows);
  const front = pareto(points);
  if (front.length > 1) {
    let path = `M${xOf(front[0].x)},${yOf(front[0].row.score[0])}`;
    for (const point of front.slice(1)) path += `H${xOf(point.x)}V${yOf(point.row.score[0])}`;
    plot.append(svg("path", { class: "front", d: path }));
  }
  const onFront = new Set(front);
  for (const point of points) {
    const { run, score } = point.row;
    const x = xOf(point.x);
    const text = `${runName(run)}: score ${fixed(score[0])}${known(score[1]) ? ` (${fixed(score[1])}–${fixed(score[2])})` : ""}, ${measure.show(point.x)}${onFront.has(point) ? ", on the Pareto front" : ""}`;
    plot.append(known(score[1]) ? svg("line", { class: "whisker", x1: x, x2: x, y1: yOf(score[1]), y2: yOf(score[2]) }) : null,
      svg("a", { href: link("run", { run: run.id }), "aria-label": text },
        svg("circle", { class: run.kind !== "model" ? "hollow" : onFront.has(point) ? "point on-front" : "point", cx: x, cy: yOf(score[0]), r: 6 }, svg("title", null, text))));
  }
  const placed = [];
  for (const point of [...front].reverse()) {
    const x = xOf(point.x), y = yOf(point.row.score[0]) - 10;
    const late = x > LEFT + 240;
    if (placed.some(([a, b]) => Math.abs(a - x) < 230 && Math.abs(b - y) < 24)) continue;
    placed.push([x, y]);
    plot.append(svg("text", { x: x + (late ? -4 : 4), y, "text-anchor": late ? "end" : "start", "aria-hidden": "true" }, point.row.run.model.slice(0, 34)));
  }
  into.append(region("Plot", plot), el("p", { class: "dim" },
    models.length ? "Line: the Pareto front, runs that nobody beats in both. " : "No run of a model here yet: the points are references. ",
    "Vertical strokes: 95 % intervals. ", missing > 0 ? `${plural(missing, "run")} ${measure.lacking} ${missing === 1 ? "is" : "are"} not shown.` : ""));
  const ordered = [...points].sort((a, b) => a.x - b.x);
  into.append(el("details", null, el("summary", null, "The same as a table"), region("Points of the plot", el("table", null,
    el("thead", null, el("tr", null, ["Run", measure.title, "Score", "Pareto front"].map((text) => el("th", { scope: "col" }, text)))),
    el("tbody", null, ordered.slice(0, 500).map((point) => el("tr", null, el("th", { scope: "row" }, runLink(point.row.run)),
      el("td", { class: "number" }, measure.show(point.x)), el("td", { class: "number" }, fixed(point.row.score[0])), el("td", null, onFront.has(point) ? "yes" : ""))))))));
}

function ticks(low, high, log) {
  const found = [];
  if (log) {
    const steps = Math.log10(high / low) > 2.5 ? [1] : Math.log10(high / low) > 1.2 ? [1, 3] : [1, 2, 5];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
      for (const step of steps) { const tick = step * 10 ** power; if (tick >= low && tick <= high) found.push(tick); }
    return found;
  }
  const raw = (high - low) / 6, size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * size).find((n) => n >= raw);
  for (let tick = 0; tick <= high; tick += step) found.push(Number(tick.toPrecision(6)));
  return found;
}

function pareto(points) {
  const ordered = points.filter((point) => point.row.run.kind === "model").sort((a, b) => a.x - b.x || b.row.score[0] - a.row.score[0]);
  const front = [];
  for (const point of ordered) if (!front.length || point.row.score[0] > front[front.length - 1].row.score[0]) front.push(point);
  return front;
}

function references(plot, rows, right = RIGHT) {
  const junk = rows.filter((row) => row.run.kind === "junk").sort((a, b) => b.score[0] - a.score[0])[0];
  const oracle = rows.find((row) => row.run.kind === "oracle");
  for (const [row, text] of [[oracle, "oracle"], [junk, junk ? `best junk (${junk.run.model})` : ""]]) if (row) {
    const y = yOf(row.score[0]);
    plot.append(svg("line", { class: "reference", x1: LEFT, x2: WIDTH - right, y1: y, y2: y }),
      svg("text", { class: "reference", x: LEFT + 6, y: y < 30 ? y + 14 : y - 5 }, `${text} ${fixed(row.score[0], 2)}`));
  }
}

const LINES = 8;
const lineColour = (number) => `hsl(${[212, 28, 150, 330, 270, 55, 190, 0][number % 8]} ${dark() ? "75% 68%" : "75% 27%"})`;

function drawDifficulty(into, view) {
  const levels = ["easy", "medium", "hard"].filter((level) => view.places.some((place) => view.tasks[place].difficulty === level));
  if (!levels.length) { into.append(el("p", null, "The runs of this task set do not say how difficult a task is.")); return; }
  const places = new Map(levels.map((level) => [level, view.places.filter((place) => view.tasks[place].difficulty === level)]));
  const rows = pagedRows(into, view, LINES).filter((row) => row.score);
  const right = 220;
  const xOf = (number) => LEFT + 60 + (levels.length > 1 ? number / (levels.length - 1) : .5) * (WIDTH - LEFT - right - 90);
  const plot = frame(`Mean score by difficulty, ${plural(rows.length, "run")}; the table below has the figures`, right);
  levels.forEach((level, number) => plot.append(svg("text", { class: "tick", x: xOf(number), y: yOf(0) + 20, "text-anchor": "middle" }, `${level} (${places.get(level).length})`)));
  plot.append(svg("text", { class: "tick", x: LEFT, y: 11 }, "Score"));
  const labels = [];
  rows.forEach((row, number) => {
    const values = levels.map((level) => meanOver(row, places.get(level)));
    const colour = lineColour(number);
    const dash = row.run.kind !== "model" ? "5 4" : null;
    plot.append(svg("path", { class: "line", stroke: colour, "stroke-dasharray": dash, d: values.map((value, at) => known(value) ? `${at && known(values[at - 1]) ? "L" : "M"}${xOf(at)},${yOf(value)}` : "").join("") }));
    values.forEach((value, at) => { if (known(value)) plot.append(svg("circle", { cx: xOf(at), cy: yOf(value), r: 4, fill: colour }, svg("title", null, `${runName(row.run)}, ${levels[at]}: ${fixed(value)}`))); });
    const last = values[values.length - 1];
    if (known(last)) labels.push({ y: yOf(last), text: row.run.model.slice(0, 28), colour });
  });
  labels.sort((a, b) => a.y - b.y);
  let before = -99;
  for (const label of labels) { label.at = Math.max(label.y, before + 16); before = label.at; }
  const over = labels.length ? labels[labels.length - 1].at - (HEIGHT - 20) : 0;
  for (const label of labels) plot.append(svg("text", { x: WIDTH - right + 6, y: label.at - Math.max(0, over) + 4, style: null, fill: label.colour, class: "label" }, label.text));
  for (const text of plot.querySelectorAll(".label")) text.style.fill = text.getAttribute("fill");
  into.append(region("Plot", plot), heatMap("Score by difficulty", "Mean score by the difficulty that tasks declare", rows, levels, (row, level) => meanOver(row, places.get(level)), (level) => [level, el("small", null, plural(places.get(level).length, "task"))]));
}

function drawPairs(into, view) {
  const pairs = BOARD.sets[view.set].pairs;
  const place = new Map(pairs.runs.map((id, number) => [id, number]));
  const rows = pagedRows(into, view, 25).filter((row) => place.has(row.run.id));
  const at = (one, two) => {
    const [a, b] = [place.get(one), place.get(two)];
    if (a === b) return null;
    const [row, column, sign] = a > b ? [a, b, 1] : [b, a, -1];
    const index = row * (row - 1) / 2 + column;
    return { difference: sign * pairs.difference[index] / 1000, mark: sign * pairs.marks[index] };
  };
  into.append(el("p", { class: "dim" }, "Row minus column, in points of 100, on the tasks that both have (all of the set: filters on tasks do not apply). ",
    "* the 95 % interval of the paired difference excludes zero, ** the 99 % interval does; families of tasks are resampled together. ",
    "Not corrected for the number of pairs: of twenty equal pairs, about one is marked *."));
  into.append(region("Paired differences", el("table", { class: "heat turned" }, el("caption", null, "Paired differences"),
    el("thead", null, el("tr", null, el("td", null), rows.map((row) => el("th", { scope: "col" }, el("span", null, row.run.model))))),
    el("tbody", null, rows.map((row) => el("tr", null, el("th", { scope: "row" }, runLink(row.run)), rows.map((column) => {
      const found = at(row.run.id, column.run.id);
      if (!found) return el("td", { class: "dim" }, "·");
      const points = Math.round(found.difference * 1000) / 10;
      return el("td", { back: found.mark ? diverging(found.difference / .4) : null, class: found.mark ? "strong" : "dim" },
        `${points > 0 ? "+" : points < 0 ? "−" : ""}${Math.abs(points).toFixed(1)}${"*".repeat(Math.abs(found.mark))}`);
    })))))));
}

function drawTasks(into, view) {
  const order = readState().get("order") || "category";
  into.append(el("div", { class: "bar" }, el("label", null, "Order of tasks", el("select", { id: "order", on: { change: (event) => { writeState({ order: event.target.value }); view.redraw(); } } },
    [["category", "category"], ["mean", "hardest first"], ["noise", "noisiest first"]].map(([value, text]) => el("option", { value, selected: value === order }, text))))));
  const rows = pagedRows(into, view);
  const models = view.rows.filter((row) => row.run.set === view.set && row.run.kind === "model");
  const tasks = view.places.map((place) => {
    const spreads = models.map((row) => row.run.noise[place]).filter((value) => value >= 0);
    return { place, task: view.tasks[place], mean: mean(models.map((row) => row.run.scores[place]).filter((value) => value >= 0)), noise: spreads.length ? Math.sqrt(mean(spreads.map((value) => value * value))) : null };
  });
  if (order === "mean") tasks.sort((a, b) => (a.mean ?? 2000) - (b.mean ?? 2000));
  if (order === "noise") tasks.sort((a, b) => (b.noise ?? -1) - (a.noise ?? -1));
  const body = tasks.map(({ place, task, mean: middle, noise }) => el("tr", null,
    el("th", { scope: "row" }, el("a", { href: link("task", { task: task.id, set: view.set || "" }) }, task.id)),
    el("td", null, middle === null ? "–" : fixed(middle / 1000, 2)), el("td", null, noise === null ? "–" : fixed(noise / 1000, 2)),
    rows.map((row) => {
      const value = row.run.scores[place], spread = row.run.noise[place];
      if (value < 0) return el("td", { class: "dim" }, "–");
      return el("td", { back: ramp(value / 1000) }, el("a", { href: link("trial", { run: row.run.id, task: task.id }) }, fixed(value / 1000, 2), spread > 0 ? el("small", null, `±${fixed(spread / 1000, 2)}`) : null));
    })));
  into.append(el("p", { class: "dim" }, "Score per task and run, with the standard deviation between epochs (±) where there are several. “Mean” and “noise” are over the runs of models shown by the filters."));
  into.append(region("Tasks by runs", el("table", { class: "heat turned" }, el("caption", null, "Tasks by runs"),
    el("thead", null, el("tr", null, el("th", { scope: "col" }, "Task"), el("th", { scope: "col" }, "Mean"), el("th", { scope: "col" }, "Noise"),
      rows.map((row) => el("th", { scope: "col" }, el("span", { title: runName(row.run) }, row.run.model))))),
    el("tbody", null, body))));
}

function drawDownloads(into) {
  const what = { "runs.csv": "rows of the table, CSV", "runs.json": "rows of the table, JSON", "runs.parquet": "rows of the table, Parquet", "trials.parquet": "every trial of every run, Parquet" };
  into.append(el("h2", null, "Downloads"), el("ul", null, BOARD.downloads.map((name) => el("li", null, el("a", { href: "downloads/" + name }, name), " – " + (what[name] || ""))),
    el("li", null, el("a", { href: "feed.xml" }, "feed.xml"), " – new rows, RSS")),
    el("p", null, "The badge of a run is on its page."));
}
