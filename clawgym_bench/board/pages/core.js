"use strict";
// Shared by all pages: elements from text only (nothing that a run holds becomes markup), the
// state in the address, numbers, colours, and the bootstrap for parts of the task set.

const find = (id) => document.getElementById(id);

function el(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "on") for (const [event, handler] of Object.entries(value)) made.addEventListener(event, handler);
    else if (name === "back") paint(made, value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) if (child !== null && child !== undefined && child !== false) made.append(child);
  return made;
}

function svg(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes || {})) if (value !== null && value !== undefined) made.setAttribute(name, value);
  for (const child of children.flat(3)) if (child !== null && child !== undefined) made.append(child);
  return made;
}

// The state of a page lives behind "#" in its address, so that it can be sent to somebody.
const readState = () => new URLSearchParams(location.hash.replace(/^#/, ""));
function writeState(changes) {
  const state = readState();
  for (const [name, value] of Object.entries(changes)) {
    if (value === "" || value === null || value === undefined) state.delete(name);
    else state.set(name, value);
  }
  const text = state.toString();
  history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
}
const link = (page, values) => `${page}.html#${new URLSearchParams(values)}`;

const known = (value) => value !== null && value !== undefined && !Number.isNaN(value);
const fixed = (value, digits = 3) => known(value) ? value.toFixed(digits) : "–";
function count(value) {
  if (!known(value)) return "–";
  if (value >= 1e9) return (value / 1e9).toFixed(2) + " G";
  if (value >= 1e6) return (value / 1e6).toFixed(2) + " M";
  if (value >= 1e4) return (value / 1e3).toFixed(0) + " k";
  if (value >= 1e3) return (value / 1e3).toFixed(1) + " k";
  return String(value);
}
const dollars = (value) => known(value) ? "$" + (value < 1 ? value.toFixed(3) : value.toFixed(2)) : "–";
const costText = (run) => run.spend === "priced" ? dollars(run.cost) : run.spend === "none" ? "none" : "unpriced";
const minutes = (value) => known(value) ? value.toFixed(value < 10 ? 1 : 0) : "–";
const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
const words = (slug) => slug.replaceAll("-", " ");
const runName = (run) => run.kind === "model" ? `${run.model} · ${run.agent}` : run.model;
// Wide content scrolls inside its own region, by keyboard too.
const region = (name, ...children) => el("div", { class: "wide", role: "region", "aria-label": name, tabindex: 0 }, children);
const mean = (values) => values.length ? values.reduce((a, b) => a + b, 0) / values.length : null;

// A bootstrap over families of the tasks at `places` (indices), for every run; the same method as
// the figures made at build time, with a smaller number of resamples. Reproducible.
const RESAMPLES = 1000, FEWEST = 8;
function randomNumbers(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
function sliceIntervals(tasks, places, columns) {
  const families = [...new Set(places.map((place) => tasks[place].family))].sort();
  const index = new Map(families.map((name, number) => [name, number]));
  const size = families.length;
  const draws = new Uint16Array(RESAMPLES * size);
  const random = randomNumbers(20261);
  for (let resample = 0; resample < RESAMPLES; resample++)
    for (let draw = 0; draw < size; draw++) draws[resample * size + Math.floor(random() * size)]++;
  const wider = size > 1 ? Math.sqrt(size / (size - 1)) : 1;
  return columns.map((column) => {
    const sums = new Float64Array(size), sizes = new Float64Array(size);
    let total = 0, there = 0;
    for (const place of places) {
      if (column[place] < 0) continue;
      const family = index.get(tasks[place].family);
      sums[family] += column[place] / 1000; sizes[family]++;
      total += column[place] / 1000; there++;
    }
    if (!there) return null;
    const middle = total / there;
    if (size < FEWEST) return [middle, null, null];
    const means = new Float64Array(RESAMPLES);
    for (let resample = 0; resample < RESAMPLES; resample++) {
      let sum = 0, weight = 0;
      for (let family = 0, at = resample * size; family < size; family++, at++) { sum += draws[at] * sums[family]; weight += draws[at] * sizes[family]; }
      means[resample] = weight ? middle + (sum / weight - middle) * wider : middle;
    }
    means.sort();
    return [middle, Math.max(0, means[Math.floor(RESAMPLES * 0.025)]), Math.min(1, means[Math.ceil(RESAMPLES * 0.975) - 1])];
  });
}

const dark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};
// From the page's ground to full blue; and orange – ground – blue for differences. Text is black or
// white, whichever can be read better.
function mix(from, to, share) { return from.map((value, place) => Math.round(value + (to[place] - value) * share)); }
const ramp = (value) => mix(dark() ? [29, 33, 39] : [243, 245, 248], dark() ? [96, 165, 250] : [11, 82, 156], Math.max(0, Math.min(1, value)));
const diverging = (value) => mix(dark() ? [29, 33, 39] : [247, 247, 247], value < 0 ? (dark() ? [214, 120, 50] : [179, 88, 6]) : (dark() ? [96, 165, 250] : [11, 82, 156]), Math.min(1, Math.abs(value)));
function luminance(colour) {
  const [r, g, b] = colour.map((value) => { const v = value / 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function paint(element, colour) {
  if (!colour) return;
  const light = luminance(colour);
  element.style.backgroundColor = `rgb(${colour})`;
  element.style.color = (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? "#000" : "#fff";
}

(function theme() {
  const button = find("theme");
  const show = () => { button.textContent = dark() ? "Light" : "Dark"; button.setAttribute("aria-label", dark() ? "Use light colours" : "Use dark colours"); };
  try { const kept = localStorage.getItem("theme"); if (kept) document.documentElement.dataset.theme = kept; } catch { /* not from every disk */ }
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    try { localStorage.setItem("theme", document.documentElement.dataset.theme); } catch { /* as above */ }
    show();
    document.dispatchEvent(new Event("themechange"));
  });
  show();
})();

// One script of data at a time; `receive` names the function that it calls.
function loadData(path, receive) {
  return new Promise((resolve, reject) => {
    window[receive] = resolve;
    const script = el("script", { src: path.split("/").map(encodeURIComponent).join("/") });
    script.addEventListener("error", () => reject(new Error(`${path} cannot be loaded`)));
    document.head.append(script);
  });
}
