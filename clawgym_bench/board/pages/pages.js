"use strict";
// The pages of one run, one task, and one trial (a run's attempts at a task).

const MOST_BYTES = 16 * 1024 * 1024;
const TRIAL = { epoch: 0, score: 1, checks: 2, rubric: 3, success: 4, seconds: 5, input: 6, output: 7, cached: 8, cost: 9, reason: 10 };
const runOf = (id) => BOARD.runs.find((run) => run.id === id);
const figure = (name, value, more) => el("div", null, el("span", { class: "dim" }, name), el("b", null, value), more ? el("span", { class: "range" }, more) : null);
const bounds = (value) => value && known(value[1]) ? `95 %: ${fixed(value[1])}–${fixed(value[2])}` : "";
const passed = (ok) => el("span", { class: ok ? "good" : "bad" }, ok ? "✓ passed" : "✗ failed");

function facts(pairs) {
  return el("dl", { class: "facts" }, pairs.filter(([, value]) => known(value) && value !== "").map(([name, value]) => [el("dt", null, name), el("dd", null, value)]));
}
const listed = (object) => Object.entries(object || {}).map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`).join(", ");

function show(title, ...children) {
  document.title = `${title} – ClawGym-Bench board`;
  find("page").replaceChildren(el("h1", null, title), ...children.flat(2).filter(Boolean));
  document.body.dataset.ready = "yes";
}
const lost = (what) => show("Not found", el("p", null, what, " ", el("a", { href: "index.html" }, "To the board")));

// ---- run
async function runPage(state) {
  const run = runOf(state.get("run"));
  if (!run) return lost(`There is no run ${state.get("run") || "named in the address"}.`);
  const data = await loadData(`data/runs/${run.id}.js`, "BOARD_RUN");
  const fact = data.facts, group = BOARD.sets[run.set];
  const badge = `badges/${run.id}.svg`;
  const where = BOARD.url ? BOARD.url + "/" : "";
  const categories = [...new Set(group.tasks.map((task) => task.category))].sort();
  show(runName(run),
    run.kind !== "model" ? el("p", { class: "warning", role: "note" }, run.kind === "oracle" ? "A reference: carries out the reference solutions. No model." : "A reference: does no work. What it earns, nobody should earn for nothing.") : null,
    run.set > 0 ? el("p", { class: "warning", role: "note" }, "Legacy: ran on an older task set, not comparable with the current one.") : null,
    run.part ? el("p", { class: "warning", role: "note" }, "Ran on a part of the task set.") : null,
    el("div", { class: "figures" }, figure("Score", run.score ? fixed(run.score[0]) : "–", bounds(run.score)), figure("Strict success", run.success ? fixed(run.success[0]) : "–", bounds(run.success)),
      run.passes.length > 1 ? run.passes.map((value, number) => figure(`pass^${number + 1}`, fixed(value))) : null,
      figure("Cost", costText(run)), figure("Tokens", run.spend === "none" ? "none" : count(run.tokensIn + run.tokensOut), run.spend === "none" ? "" : `${count(run.tokensIn)} in, ${count(run.tokensCached)} cached, ${count(run.tokensOut)} out`),
      figure("Minutes", minutes(run.minutes)), figure("Unscored", `${run.unscored} of ${run.trials}`, "trials")),
    el("h2", null, "How it was made"),
    facts([["Model", fact.model], ["Agent", `${fact.agent} ${fact.agent_version}`], ["Task set", `${group.version}, ${fact.task_set_hash}`], ["Epochs", String(fact.epochs)], ["Date", fact.created],
      ["Ran by", fact.by || "not said"], ["Verified", run.verified ? "yes: graded again from its files, with equal scores" : "no"], ["Open weights", fact.open_weights === null ? "not said" : fact.open_weights ? "yes" : "no"],
      ["Recipe", fact.recipe ? el("code", null, fact.recipe) : ""], ["Sandbox", `${fact.sandbox}${Object.keys(fact.resources).length ? ": " + listed(fact.resources) : ""}`], ["Judge", fact.judge || "none"], ["Judge's calibration", fact.judge_calibration],
      ["Limits of the run", listed(fact.limits) || "those of each task"], ["Seed", known(fact.seed) ? String(fact.seed) : "none"], ["Generation", listed(fact.generate)], ["Subset", listed(fact.subset)], ["Inspect", fact.inspect], ["Run id", fact.run],
      ["Notes", fact.notes.join("; ")]]),
    run.viewer ? el("p", null, el("a", { href: `viewer/index.html#/logs/${run.id}.eval` }, "Log in the Inspect viewer"), el("span", { class: "dim" }, " (needs the site on a web server)")) : null,
    el("h2", null, "Categories"),
    region("Categories", el("table", null, el("thead", null, el("tr", null, ["Category", "Tasks", "Score", "Strict success"].map((text, at) => el("th", { scope: "col", class: at ? "number" : null }, text)))),
      el("tbody", null, categories.map((name) => {
        const places = group.tasks.flatMap((task, place) => task.category === name && run.scores[place] >= 0 ? [place] : []);
        return el("tr", null, el("th", { scope: "row" }, words(name)), el("td", { class: "number" }, String(places.length)),
          el("td", { class: "number" }, places.length ? fixed(mean(places.map((place) => run.scores[place] / 1000))) : "–"), el("td", { class: "number" }, places.length ? fixed(mean(places.map((place) => run.successes[place] / 1000))) : "–"));
      })))),
    el("h2", null, "Tasks"),
    region("Tasks", el("table", { id: "tasks" }, el("thead", null, el("tr", null, el("th", { scope: "col" }, "Task"), el("th", { scope: "col" }, "Category"), el("th", { scope: "col", class: "number" }, "Score"), el("th", { scope: "col" }, "Epochs"))),
      el("tbody", null, group.tasks.map((task, place) => data.tasks[task.id] ? el("tr", null,
        el("th", { scope: "row" }, el("a", { href: link("trial", { run: run.id, task: task.id }) }, task.title), el("span", { class: "range" }, el("a", { href: link("task", { task: task.id, set: run.set || "" }) }, task.id))),
        el("td", null, words(task.category)), el("td", { class: "number" }, run.scores[place] < 0 ? "–" : fixed(run.scores[place] / 1000)),
        el("td", null, el("span", { class: "chips" }, data.tasks[task.id].map((trial) => chip(run, task, trial))))) : null)))),
    el("h2", null, "Badge"), el("p", null, el("img", { src: badge, alt: `Badge of ${runName(run)}`, height: 20 })),
    el("pre", { tabindex: 0, "aria-label": "Markdown of the badge" }, `[![ClawGym-Bench](${where}${badge})](${where}run.html#run=${run.id})`));
}

function chip(run, task, trial) {
  const scored = known(trial[TRIAL.score]);
  return el("a", { class: "chip", href: link("trial", { run: run.id, task: task.id, epoch: trial[TRIAL.epoch] }), title: scored ? `epoch ${trial[TRIAL.epoch]}` : trial[TRIAL.reason] },
    scored ? [fixed(trial[TRIAL.score], 2), trial[TRIAL.success] ? el("span", { class: "good" }, " ✓") : ""] : "unscored");
}

// ---- task
async function taskPage(state) {
  const number = BOARD.sets[Number(state.get("set"))] ? Number(state.get("set")) : 0;
  const group = BOARD.sets[number];
  const place = group.tasks.findIndex((task) => task.id === state.get("task"));
  if (place < 0) return lost(`There is no task ${state.get("task") || "named in the address"} in this set.`);
  const task = group.tasks[place];
  const data = task.request ? await loadData(`data/tasks/${task.file}.js`, "BOARD_TASK") : null;
  const runs = BOARD.runs.filter((run) => run.set === number && (run.scores[place] >= 0 || run.noise[place] >= 0)).sort((a, b) => b.scores[place] - a.scores[place]);
  show(task.title,
    facts([["Task", task.id], ["Category", words(task.category)], ["Difficulty", task.difficulty || "not said"], ["Operations", task.operations.map(words).join(", ")], ["Sessions", String(task.sessions)], ["Graded by", task.hybrid ? "checks and rubric" : "checks"], ["Family", task.family], ["Hash", el("code", null, task.hash)],
      ["Limits", data ? listed(data.limits) : ""], ["Asks", data ? data.persona : ""]]),
    data ? data.requests.map((text, at) => [el("h2", null, data.requests.length > 1 ? `Request, session ${at + 1}` : "Request"), el("pre", { class: "request", tabindex: 0, "aria-label": "Request" }, text)]) : el("p", { class: "dim" }, "The request is on the pages of its trials."),
    data && data.checks.length ? [el("h2", null, "Checks"), el("p", { class: "chips" }, data.checks.map((check) => el("span", { class: "chip" }, `${check.id} (${check.kind})`)))] : null,
    data && data.rubric.length ? [el("h2", null, "Rubric"), el("ul", null, data.rubric.map((one) => el("li", null, el("strong", null, one.id), ": ", one.criterion)))] : null,
    el("h2", null, "Runs"),
    region("Runs", el("table", { id: "runs" }, el("thead", null, el("tr", null, ["Run", "Score", "± between epochs", "Strict success"].map((text, at) => el("th", { scope: "col", class: at ? "number" : null }, text)))),
      el("tbody", null, runs.map((run) => el("tr", { class: run.kind !== "model" ? "reference" : null }, el("th", { scope: "row" }, el("a", { href: link("trial", { run: run.id, task: task.id }) }, runName(run))),
        el("td", { class: "number" }, run.scores[place] < 0 ? "–" : fixed(run.scores[place] / 1000)), el("td", { class: "number" }, run.noise[place] < 0 ? "–" : fixed(run.noise[place] / 1000)), el("td", { class: "number" }, run.successes[place] < 0 ? "–" : fixed(run.successes[place] / 1000))))))));
}

// ---- trial
async function inflate(packed) {
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MOST_BYTES) { await reader.cancel(); throw new Error("it is too large to be shown"); }
    parts.push(value);
  }
  return JSON.parse(await new Blob(parts).text());
}

async function trialPage(state) {
  const run = runOf(state.get("run"));
  const group = run ? BOARD.sets[run.set] : null;
  const task = group ? group.tasks.find((item) => item.id === state.get("task")) : null;
  if (!run || !task) return lost("There is no such trial.");
  const data = await loadData(`data/runs/${run.id}.js`, "BOARD_RUN");
  const figures = data.tasks[task.id] || [];
  let detail = null, problem = "This run keeps no transcript here.";
  if (run.detail) {
    try { detail = await inflate(await loadData(`data/trials/${run.id}/${task.file}.js`, "BOARD_TRIALS")); } catch (error) { problem = `The trial cannot be shown: ${error.message}.`; }
  }
  const figure0 = figures.find((trial) => String(trial[TRIAL.epoch]) === state.get("epoch")) || figures[0];
  if (!figure0) return lost("There is no such trial.");
  const epoch = figure0[TRIAL.epoch];
  const trial = detail ? detail.trials.find((one) => one.epoch === epoch) : null;
  show(task.title,
    el("p", null, el("a", { href: link("run", { run: run.id }) }, runName(run)), " · ", el("a", { href: link("task", { task: task.id, set: run.set || "" }) }, task.id), ` · epoch ${epoch} of ${figures.length}`),
    figures.length > 1 ? el("nav", { class: "tabs", "aria-label": "Epochs" }, figures.map((one) => el("a", { href: link("trial", { run: run.id, task: task.id, epoch: one[0] }), "aria-current": one[0] === epoch ? "true" : null }, `Epoch ${one[0]}: ${known(one[1]) ? fixed(one[1], 2) : "unscored"}`))) : null,
    el("div", { class: "figures" }, figure("Score", known(figure0[1]) ? fixed(figure0[1]) : "unscored"), figure("Checks", fixed(figure0[2])), task.hybrid ? figure("Rubric", fixed(figure0[3])) : null, figure("Strict success", figure0[4] === null ? "–" : figure0[4] ? "yes" : "no"),
      figure("Seconds", fixed(figure0[5], 1)), figure("Tokens", figure0[6] + figure0[7] ? count(figure0[6] + figure0[7]) : "none"), known(figure0[9]) ? figure("Cost", dollars(figure0[9])) : null),
    figure0[TRIAL.reason] ? el("p", { class: "warning", role: "note" }, "No score: ", figure0[TRIAL.reason]) : null,
    run.viewer ? el("p", null, el("a", { href: `viewer/index.html#/logs/${run.id}.eval/samples/sample/${encodeURIComponent(task.id)}/${epoch}` }, "This sample in the Inspect viewer"), el("span", { class: "dim" }, " (needs the site on a web server)")) : null,
    !trial ? el("p", null, problem) : trialDetail(detail, trial, task));
}

function trialDetail(detail, trial, task) {
  return [
    detail.requests.map((text, at) => el("details", { open: detail.requests.length === 1 }, el("summary", null, el("strong", null, detail.requests.length > 1 ? `Request, session ${at + 1}` : "Request")), el("pre", { class: "request", tabindex: 0, "aria-label": "Request" }, text))),
    trial.error ? el("p", { class: "warning", role: "note" }, "It ended in an error: ", trial.error) : null,
    trial.limit ? el("p", { class: "warning", role: "note" }, `It was ended by a limit: ${trial.limit}.`) : null,
    el("h2", null, "Checks"),
    trial.checks.length ? region("Checks", el("table", { id: "checks" }, el("thead", null, el("tr", null, ["Check", "Outcome", "Earned", "Reason"].map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", null, trial.checks.map((check) => el("tr", null, el("th", { scope: "row" }, check.id, el("span", { class: "range" }, check.kind)), el("td", null, passed(check.passed)),
        el("td", { class: "number" }, check.gate ? "gate" : known(check.score) ? `${(check.score * check.weight).toFixed(2)} of ${check.weight}` : "–"), el("td", null, findings(check))))))) : el("p", null, "None was graded."),
    task.hybrid || trial.rubric.length ? [el("h2", null, "Rubric"), trial.rubric.length ? trial.rubric.map((verdict) => {
      const criterion = detail.criteria[verdict.criterion];
      return el("div", null, el("h3", null, `${verdict.criterion}: level ${verdict.level}`), criterion ? el("p", { class: "dim" }, criterion.text) : null, el("p", null, verdict.reason), verdict.quotes.map((quote) => el("blockquote", null, quote)));
    }) : el("p", null, trial.rubric_status === "no judge" ? "Nobody judged: the score is that of the checks." : "No verdict.")] : null,
    el("h2", null, "Workspace"),
    trial.files.note ? el("p", { class: "dim" }, trial.files.note) : null,
    trial.files.changes.length ? trial.files.changes.map(fileChange) : el("p", null, "Nothing was changed."),
    Object.keys(trial.files.refused || {}).length ? el("ul", null, Object.entries(trial.files.refused).map(([path, why]) => el("li", null, el("code", null, path), " not exported: ", why))) : null,
    el("h2", null, `Transcript, ${plural(trial.messages, "message")}`),
    trial.transcript.map(message),
  ].flat();
}

function findings(check) {
  const [first, ...rest] = check.findings;
  if (!first) return "";
  const line = ([ok, reason]) => [el("span", { class: ok ? "good" : "bad" }, ok ? "✓ " : "✗ "), reason];
  if (!rest.length) return line(first);
  return [el("div", null, line(first)), el("details", null, el("summary", null, `${rest.length + (check.more || 0)} more`), el("ul", null, rest.map((finding) => el("li", null, line(finding))), check.more ? el("li", null, `and ${check.more} that are not kept here`) : null))];
}

const ROW_CLASS = { "+": "plus", "-": "minus", "@": "gap" };
function fileChange(file) {
  const rows = file.rows || file.lines;
  const sign = { added: "+ added", changed: "± changed", removed: "− removed" }[file.change];
  const head = [el("span", { class: file.change === "removed" ? "bad" : file.change === "added" ? "good" : "" }, sign), " ", el("code", null, file.path), el("span", { class: "dim" }, ` ${count(file.size)} bytes${file.note ? ", " + file.note : ""}`)];
  if (!rows) return el("p", { class: "file" }, head);
  return el("details", { class: "file", open: rows.length <= 40 }, el("summary", null, head), region(file.path, el("table", { class: file.rows ? "diff rows" : "diff" }, el("tbody", null,
    rows.map(([mark, ...cells]) => mark === "@" ? el("tr", { class: "gap" }, el("td", { colspan: 99 }, "…")) : el("tr", { class: ROW_CLASS[mark] || null }, el("td", { class: "mark" }, mark), cells.map((cell) => el("td", null, cell))))))));
}

function message(entry) {
  const who = { user: "User", assistant: "Agent", tool: `Tool ${entry.tool || ""}`, system: "System" }[entry.role] || entry.role;
  const long = entry.role === "tool" || entry.role === "system";
  return [
    entry.skipped ? el("p", { class: "dim" }, `… ${entry.skipped} messages are not kept here`) : null,
    entry.session ? el("h3", null, `Session ${entry.session}`) : null,
    el("div", { class: `message ${entry.role}` }, el("div", { class: "who" }, who, entry.error ? el("span", { class: "bad" }, " error: ", entry.error) : null),
      !entry.text ? null : long && entry.text.length > 300 ? el("details", null, el("summary", null, entry.text.slice(0, 120).replaceAll("\n", " ") + " …"), el("pre", { tabindex: 0, "aria-label": who }, entry.text)) : el("div", { class: "text" }, entry.text),
      (entry.calls || []).map((call) => el("details", { open: Object.values(call.arguments).join("").length < 200 }, el("summary", null, el("code", null, call.tool), " ", el("span", { class: "dim" }, String(Object.values(call.arguments)[0] || "").slice(0, 90))), el("dl", { class: "facts" }, Object.entries(call.arguments).map(([name, value]) => [el("dt", null, name), el("dd", null, el("pre", { tabindex: 0, "aria-label": name }, value))]))))),
  ].filter(Boolean);
}

const DRAW = { run: runPage, task: taskPage, trial: trialPage };
async function open() {
  document.body.dataset.ready = "";
  try { await DRAW[document.body.dataset.page](readState()); } catch (error) { show("Cannot be shown", el("p", null, String(error.message))); }
}
addEventListener("hashchange", open);
open();
