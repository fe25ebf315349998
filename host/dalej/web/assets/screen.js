// The frame of a screen: letters that fit, the font before the terminal measures it, and what to do when it closes.
"use strict";

const WIDE = 80, HIGH = 24; // columns and rows that every screen of Dalej fits into
const CELL = 0.6, LINE = 1.2; // of Roboto Mono: a column, a row, in letters' sizes
const EDGE = 16; // pixels that xterm keeps for itself
const SMALLEST = 7, USUAL = 16;
const AGAIN_MS = 2000;

const place = document.getElementById("terminal");
const closed = document.getElementById("closed");

// Letters that somebody chose may be too large for the window: then it is a window on 80 columns, to be moved about in.
function fit() {
  if (place.dataset.font !== "0") {
    place.style.minWidth = Math.ceil(WIDE * CELL * place.dataset.font + EDGE) + "px";
    place.style.minHeight = Math.ceil(HIGH * LINE * place.dataset.font + EDGE) + "px";
    return;
  }
  const most = Math.min(place.clientWidth / (WIDE * CELL), place.clientHeight / (HIGH * LINE));
  const wanted = Math.max(USUAL, place.dataset.rows ? place.clientHeight / (place.dataset.rows * LINE) : 0);
  place.dataset.fontSize = Math.max(SMALLEST, Math.floor(Math.min(wanted, most)));
}

// Smaller and larger than the letters that are shown.
function steps() {
  const shown = Number(place.dataset.fontSize), fonts = place.dataset.fonts.split(" ").map(Number);
  const smaller = fonts.filter((font) => font < shown).pop() ?? fonts[0];
  const larger = fonts.find((font) => font > shown) ?? fonts[fonts.length - 1];
  document.getElementById("smaller").href = "/?font=" + smaller;
  document.getElementById("larger").href = "/?font=" + larger;
}

function loaded() {
  return document.readyState === "complete" ? Promise.resolve() : new Promise((go) => addEventListener("load", go));
}

async function start() {
  place.dataset.sessionWebsocketUrl = location.origin.replace(/^http/, "ws") + "/ws";
  await loaded();
  await Promise.allSettled(["", "bold ", "italic "].map((way) => document.fonts.load(way + '16px "Roboto Mono"')));
  fit();
  steps();
  const terminal = document.createElement("script");
  terminal.src = "/static/js/textual.js";
  terminal.onload = () => { window.onload(new Event("load")); place.querySelector("textarea")?.focus(); };
  document.head.append(terminal);
}

function show(text, button) {
  closed.hidden = false;
  closed.querySelector("p").textContent = text;
  closed.querySelector("a").hidden = !button;
  if (button) closed.querySelector("a").focus();
}

// A screen that somebody closed stays closed; one that was lost on the way comes back by itself.
async function over() {
  let answer;
  try {
    answer = await fetch("/session", { headers: { Accept: "application/json" } });
  } catch {
    show(document.body.dataset.lost, false);
    setTimeout(over, AGAIN_MS);
    return;
  }
  if (answer.status === 401) {
    location.replace("/login?over=" + encodeURIComponent((await answer.json()).why));
    return;
  }
  const said = await answer.json();
  if (said.note) show(said.note, true);
  else if (Date.now() - began > 2 * AGAIN_MS) location.reload();
  else show(document.body.dataset.ended, true);
}

const began = Date.now();
const watching = new MutationObserver(() => {
  const at = document.body.classList;
  if (at.contains("-first-byte") || at.contains("-closed")) document.getElementById("starts")?.remove();
  if (at.contains("-closed")) { watching.disconnect(); over(); }
});
watching.observe(document.body, { attributeFilter: ["class"] });

// The server closes the screen before its answer is here; whoever logs out goes where that leads, not where over() would.
document.querySelector('form[action="/logout"]').addEventListener("submit", () => watching.disconnect());

document.getElementById("whole").addEventListener("click", () => document.documentElement.requestFullscreen?.());
document.addEventListener("fullscreenchange", () => {
  document.body.classList.toggle("whole", document.fullscreenElement !== null);
  window.dispatchEvent(new Event("resize"));
});

start();
