"use strict";
// The board's first page: filters, state, views.

const VIEWS = [["table", "Table", drawTable], ["cost", "Score against cost", drawCost], ["categories", "Categories", drawCategories],
  ["operations", "Operations", drawOperations], ["difficulty", "Difficulty", drawDifficulty], ["pairs", "Pairs", drawPairs],
  ["tasks", "Tasks", drawTasks], ["downloads", "Downloads", drawDownloads]];
const FILTERS = ["set", "model", "agent", "open", "verified", "category", "difficulty", "sessions", "hybrid"];

function options(id, values, any) {
  const chosen = readState().get(id) || "";
  find(id).replaceChildren(el("option", { value: "" }, any), ...values.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));
}

function fillFilters() {
  const distinct = (values) => [...new Set(values)].filter((value) => value !== "").sort();
  const tasks = BOARD.sets.flatMap((group) => group.tasks);
  options("set", BOARD.sets.map((group, number) => [String(number), `${group.version || group.hash.slice(0, 12)}${number ? "" : " (current)"}${group.part ? ", part" : ""}`]), "all");
  options("model", distinct(BOARD.runs.map((run) => run.model)).map((name) => [name, name]), "all");
  options("agent", distinct(BOARD.runs.map((run) => run.agent)).map((name) => [name, name]), "all");
  options("open", [["yes", "open"], ["no", "not open"], ["unknown", "not said"]], "all");
  options("verified", [["yes", "verified"], ["no", "not verified"]], "all");
  options("category", distinct(tasks.map((task) => task.category)).map((name) => [name, words(name)]), "all");
  options("difficulty", distinct(tasks.map((task) => task.difficulty)).map((name) => [name, name]), "all");
  options("sessions", [["one", "one session"], ["several", "several sessions"]], "all");
  options("hybrid", [["yes", "with rubric"], ["no", "checks only"]], "all");
  find("q").value = readState().get("q") || "";
}

const asYesNo = (value) => value === true ? "yes" : value === false ? "no" : "unknown";

function currentView() {
  const state = readState();
  const is = (name, value) => !state.get(name) || state.get(name) === value;
  const asked = Number(state.get("set"));
  const set = BOARD.sets[asked] ? asked : 0;
  const query = (state.get("q") || "").toLowerCase().split(/\s+/).filter(Boolean);
  const runs = BOARD.runs.filter((run) => (!state.get("set") || run.set === set) && is("model", run.model) && is("agent", run.agent)
    && is("open", asYesNo(run.open)) && is("verified", asYesNo(run.verified))
    && query.every((word) => `${run.model} ${run.agent} ${run.id}`.toLowerCase().includes(word)));
  const fits = (task) => is("category", task.category) && is("difficulty", task.difficulty)
    && is("sessions", task.sessions > 1 ? "several" : "one") && is("hybrid", asYesNo(task.hybrid));
  const sliced = ["category", "difficulty", "sessions", "hybrid"].some((name) => state.get(name));
  const rows = [];
  BOARD.sets.forEach((group, number) => {
    const own = runs.filter((run) => run.set === number);
    if (!own.length) return;
    const places = group.tasks.flatMap((task, place) => fits(task) ? [place] : []);
    const scores = sliced ? sliceIntervals(group.tasks, places, own.map((run) => run.scores)) : own.map((run) => run.score);
    const strict = sliced ? sliceIntervals(group.tasks, places, own.map((run) => run.successes)) : own.map((run) => run.success);
    const byCategory = new Map();
    for (const place of places) {
      const name = group.tasks[place].category;
      if (!byCategory.has(name)) byCategory.set(name, []);
      byCategory.get(name).push(place);
    }
    own.forEach((run, at) => rows.push({ run, legacy: number > 0, score: scores[at], success: strict[at],
      categories: Object.fromEntries([...byCategory].map(([name, found]) => [name, meanOver({ run }, found)])), rank: sliced ? null : run.rank }));
  });
  if (sliced) rankSlice(rows);
  const seen = new Map();
  for (const row of rows) if (row.rank && !row.legacy) seen.set(row.rank, (seen.get(row.rank) || 0) + 1);
  for (const row of rows) { if (row.legacy) row.rank = null; row.tied = (seen.get(row.rank) || 0) > 1; }
  const group = BOARD.sets[set];
  const mostK = Math.max(1, ...rows.filter((row) => row.run.set === set).map((row) => row.run.passes.length));
  return { rows, set, sliced, tasks: group.tasks, places: group.tasks.flatMap((task, place) => fits(task) ? [place] : []),
    categories: [...new Set(group.tasks.map((task) => task.category))].sort(), mostK,
    k: Math.min(mostK, Math.max(1, Number(state.get("k")) || mostK)), redraw: draw };
}

// Among the runs that the filters leave: 1 + how many are certainly better on this part.
function rankSlice(rows) {
  const ranked = rows.filter((row) => !row.legacy && row.run.kind === "model" && !row.run.part && row.score && known(row.score[1]));
  for (const row of ranked) row.rank = 1 + ranked.filter((other) => other.score[1] > row.score[2]).length;
}

function draw() {
  const state = readState();
  const view = currentView();
  const name = VIEWS.some(([id]) => id === state.get("view")) ? state.get("view") : "table";
  find("views").replaceChildren(...VIEWS.map(([id, title]) => {
    const wanted = readState();
    if (id === "table") wanted.delete("view"); else wanted.set("view", id);
    wanted.delete("page");
    return el("a", { href: "#" + wanted, "aria-current": id === name ? "true" : null, "data-view": id }, title);
  }));
  const into = el("section", { id: "view", "aria-label": VIEWS.find(([id]) => id === name)[1] });
  VIEWS.find(([id]) => id === name)[2](into, view);
  find("view").replaceWith(into);
  const shown = view.rows.length, all = BOARD.runs.length;
  find("status").textContent = `${shown === all ? plural(all, "run") : `${shown} of ${plural(all, "run")}`}, ${view.sliced ? `${view.places.length} of ` : ""}${plural(view.tasks.length, "task")}`
    + (view.sliced ? "; scores, intervals and ranks are of these tasks" : "")
    + (new Set(view.places.map((place) => view.tasks[place].family)).size < FEWEST ? `; intervals and ranks need ${FEWEST} families of tasks` : "");
}

function start() {
  const group = BOARD.sets[0];
  find("summary").textContent = `Task set ${group.version} · ${plural(group.tasks.length, "task")} · last run ${BOARD.updated.slice(0, 10)} · scores are means over tasks, with 95 % intervals by resampling families of tasks`;
  fillFilters();
  const narrow = matchMedia("(max-width: 640px)");
  find("filterbox").open = !narrow.matches;
  for (const id of FILTERS) find(id).addEventListener("change", (event) => { writeState({ [id]: event.target.value, page: "" }); draw(); });
  find("q").addEventListener("input", (event) => { writeState({ q: event.target.value, page: "" }); draw(); });
  find("filters").addEventListener("submit", (event) => event.preventDefault());
  find("reset").addEventListener("click", () => { const view = readState().get("view"); history.replaceState(null, "", view ? "#view=" + view : location.pathname + location.search); fillFilters(); draw(); });
  addEventListener("hashchange", () => { fillFilters(); draw(); });
  document.addEventListener("themechange", draw);
  narrow.addEventListener("change", draw);
  draw();
  document.body.dataset.ready = "yes";
}
start();
