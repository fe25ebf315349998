// A box behind glass: this script is its hardware. Fingers become edges at their own instants, MicroPython's machine
// judges them (glass.py), and what a turn has to keep is written down in one transaction. A page that slept, or stood
// still, is as a box that had no power: nobody knows for how long, so its clock stands until the table goes on.
"use strict";
const told = JSON.parse(document.getElementById("told").textContent);
const PERIOD = 2 ** 30; // of the counter that the core knows how to wrap
const SLEPT_MS = 1000;
const FROZEN_MS = 5000;
const KEPT_AGAIN_MS = 2000; // what could not be kept
const SHOWS_MS = 100; // a display has tenths
const PALM_PX = 90;
const SMALL_PX = 600; // the shorter side of what has room for four sides
const STALLED_MS = 250; // longer than a turn is away while a finger is down
const CATCHES_UP_MS = 50;
const FINGER_MS = 10; // what is shorter the core takes for noise of a switch, of which glass has none
const [IDLE, READY, RUNNING, EXPIRED, STOPPED, OVER] = [0, 1, 2, 3, 4, 5];
const POWER_LOST = 4;
const COLOURS = ["dark", "green", "amber", "red", "blue", "white"];
const SOUNDS = { 1: [[1200, 0.02]], 2: [[660, 0.08]], 3: [[190, 0.2]], 4: [[440, 0.2], [440, 0.2], [440, 0.3]], 5: [[880, 0.15], [660, 0.25]], 6: [[523, 0.12], [659, 0.12], [784, 0.3]], 7: [[330, 0.3]] };
const LOUDNESS = [0, 0.06, 0.25];

const $ = (id) => document.getElementById(id);
const raw = (ms) => Math.floor(ms) % PERIOD;
const random = (bytes) => [...crypto.getRandomValues(new Uint8Array(bytes))].map((one) => one.toString(16).padStart(2, "0")).join("");

// --- what is kept -----

const store = (db, mode) => db.transaction("files", mode, { durability: "strict" });

function opened(again = false) {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(told.desk ? "dalej-box-desk" : "dalej-box", 1);
    // What somebody has deleted meanwhile is not begun anew: the end of a journal alone would be none.
    asked.onupgradeneeded = () => (again ? asked.transaction.abort() : asked.result.createObjectStore("files"));
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

function everything(db) {
  return new Promise((resolve, reject) => {
    const found = {};
    const going = store(db, "readonly").objectStore("files").openCursor();
    going.onerror = () => reject(going.error);
    going.onsuccess = () => {
      if (!going.result) return resolve(found);
      found[going.result.key] = going.result.value;
      going.result.continue();
    };
  });
}

class Keeper {
  // `db` null: nothing can be kept here, which is said.
  // What goes out with a change goes out once its transaction is complete, in the order in which it came: no number of
  // a fact that anybody has heard of is ever given again.
  constructor(db) {
    this.db = db;
    this.waits = [];
    this.busy = false;
    this.written = 0; // transactions that are complete
    this.failed = !db;
  }

  keep(changed, then = null) {
    if (then || Object.keys(changed).length) this.waits.push({ changed, then });
    this.write();
  }

  write() {
    // What leaves may bring more to keep, and so come back here: one transaction at a time all the same.
    while (!this.busy && this.waits.length && !Object.keys(this.waits[0].changed).length) this.waits.shift().then?.();
    if (this.busy || !this.waits.length || !this.db) return;
    const { changed, then } = this.waits[0];
    this.busy = true;
    let begun;
    try {
      begun = store(this.db, "readwrite");
    } catch { // a browser that runs short of something may close what a page has open
      this.failed = true;
      return void setTimeout(() => this.openAgain(), KEPT_AGAIN_MS);
    }
    const files = begun.objectStore("files");
    for (const [path, data] of Object.entries(changed)) data === null ? files.delete(path) : files.put(data, path);
    begun.oncomplete = () => { this.waits.shift(); this.written += 1; this.busy = false; this.failed = false; then?.(); this.write(); };
    begun.onabort = () => { this.failed = true; this.busy = false; setTimeout(() => this.write(), KEPT_AGAIN_MS); };
  }

  openAgain() {
    opened(true).then((db) => { this.db = db; this.busy = false; this.write(); }, () => setTimeout(() => this.openAgain(), KEPT_AGAIN_MS));
  }
}

// Two pages on one journal would give two facts one number.
function alone() {
  if (!window.BroadcastChannel) return Promise.resolve(true);
  const others = new BroadcastChannel("dalej-box");
  return new Promise((resolve) => {
    const settled = setTimeout(() => { resolve(true); others.onmessage = ({ data }) => { if (data === "who") others.postMessage("here"); }; }, 300);
    others.onmessage = ({ data }) => { if (data === "here") { clearTimeout(settled); others.close(); resolve(false); } };
    others.postMessage("who");
  });
}

// --- words -----

let words = told.words[told.languages[0]];

function speak(language) {
  words = told.words[language];
  document.documentElement.lang = language;
  for (const one of document.querySelectorAll("[data-word]")) one.textContent = words[one.dataset.word];
  for (const one of document.querySelectorAll("[data-lang]")) one.setAttribute("aria-pressed", String(one.dataset.lang === language));
}

// --- the box -----

class Table {
  constructor(glass, keeper, shared, device, known = false) {
    // Asked for once: each time would leave a proxy behind that keeps what it stands for.
    this.glass = { turn: glass.turn, edge: glass.edge, cut: glass.cut, setUp: glass.set_up, lay: glass.lay, prove: glass.prove, opened: glass.opened, closed: glass.closed, receive: glass.receive, words: glass.words, says: glass.says };
    this.face = { names: [], next: [] };
    this.sheet = told.desk ? new Sheet(this) : null;
    this.word = told.desk ? new Word(this) : null;
    this.line = told.desk ? new Line(this, device, known) : null;
    this.keeper = keeper;
    this.shared = shared;
    this.turned = this.ran = performance.now();
    this.drift = Date.now() - this.turned;
    this.timer = 0;
    this.catching = 0;
    this.shown = null;
    this.slept = false;
  }

  edge(contact, down, at) {
    this.wake();
    this.glass.edge(contact, down, raw(Math.min(at, performance.now())));
    this.turn();
  }

  // By the two clocks of a device: one stands while it sleeps. One that is set back is no sleep.
  wake() {
    const now = performance.now();
    const slept = Date.now() - now - this.drift;
    this.drift += slept;
    const lost = slept > SLEPT_MS || now - this.turned > FROZEN_MS;
    this.turned = now;
    if (!lost) return;
    this.slept = true;
    release();
    this.glass.cut(raw(now));
    this.line?.anew();
  }

  heard(frame) {
    this.wake();
    this.glass.receive(frame, raw(performance.now()));
    this.turn();
  }

  // What no radio has room for: who sits here, and where those go who did.
  hear(words) {
    if (!words) return;
    const said = JSON.parse(words);
    if (said.trouble) return this.sheet.trouble(said.trouble);
    this.face = said;
    if (this.shown) this.show(this.shown);
  }

  lay(shared) {
    this.shared = shared;
    release();
    this.glass.lay(shared, raw(performance.now()));
    this.line?.anew();
    this.keeper.keep({ "self/shared": shared ? "1" : "" });
    this.turn();
  }

  turn(late = false) {
    this.wake();
    // A page that stalled may not know yet that a finger was lifted long ago: what waits is heard first, and a tap stays one.
    if (held.size && !late && performance.now() - this.ran > STALLED_MS) {
      this.catching ||= setTimeout(() => this.turn(true), CATCHES_UP_MS);
      return;
    }
    clearTimeout(this.timer);
    if (late) this.catching = 0;
    this.ran = performance.now();
    const said = JSON.parse(this.glass.turn(raw(performance.now())));
    if (this.line && Object.keys(said.changed).length) said.changed["self/unsent"] = String(said.backlog);
    this.keeper.keep(said.changed, said.frames.length || said.hang_up ? this.line.leaving(said.frames, said.hang_up) : null);
    this.show(said);
    const lively = said.state === RUNNING || said.state === EXPIRED || !said.settled;
    this.timer = setTimeout(() => this.turn(), Math.max(5, Math.min(said.wait, lively ? SHOWS_MS : 1000)));
  }

  setUp(rules) {
    const problem = this.glass.setUp(rules.limit * 1000, rules.seats, rules.draw, rules.sound, rules.taps, rules.shared, raw(performance.now()));
    if (problem) return problem;
    this.shared = rules.shared;
    this.keeper.keep({ "self/shared": rules.shared ? "1" : "" });
    this.turn();
    return "";
  }

  show(said) {
    this.shown = said;
    const body = document.body.dataset;
    body.state = said.state;
    body.shared = this.shared ? "yes" : "no";
    body.kept = String(!this.keeper.failed);
    $("setup").hidden = this.line ? true : said.state !== IDLE && !asking;
    this.line?.show(said);
    this.sheet?.show();
    this.word?.show();
    if (this.line) {
      const racks = this.face.sheet ? words.racks.replace("{game}", this.face.sheet.game) : "";
      $("again").textContent = racks || words.lay;
      $("again").hidden = !racks && Math.min(innerWidth, innerHeight) < SMALL_PX; // no room for four sides
      $("racks-of").textContent = racks;
    }
    const [colour, pixels, shown] = said.ring;
    const seat = said.state === EXPIRED ? said.following : shown; // whoever speaks for the table, not whoever was late
    for (const side of document.querySelectorAll("[data-seat]")) {
      const at = Number(side.dataset.seat);
      side.querySelector(".digits").textContent = said.displays[at].trim();
      side.querySelector(".who").textContent = this.face.names[at] ?? "";
      side.classList.toggle("turn", at === seat && said.state !== READY);
      side.classList.toggle("out", !(said.seats >> at & 1));
    }
    const face = document.querySelector(".one .digits");
    face.textContent = said.displays.find((text) => text.trim() !== "----" && text.trim())?.trim() ?? "";
    document.querySelector(".one .whose").textContent = seat < 4 ? "ABCD"[seat] : "";
    document.querySelector(".one .who").textContent = this.face.names[seat] ?? "";
    $("ring").setAttribute("class", COLOURS[colour]);
    $("arc").style.strokeDashoffset = String(100 - pixels * 100 / 24);
    for (const button of document.querySelectorAll("[data-contact]")) {
      const contact = Number(button.dataset.contact);
      const bits = contact >= 10 ? 0x55 << (contact - 10) : 1 << contact;
      button.classList.toggle("lit", Boolean(said.lit & bits));
      button.classList.toggle("blinking", Boolean(said.blinking & bits));
    }
    document.body.classList.toggle("tile", said.draw > 0);
    const goes = said.state === READY || said.state === IDLE || said.state === OVER ? this.face.next : [];
    $("next").replaceChildren(...goes.map(([player, to, chair]) => Object.assign(document.createElement("li"), { textContent: words.next.replace("{player}", player).replace("{table}", to).replace("{seat}", chair) })));
    $("how").textContent = this.words(said);
    $("mark").textContent = this.keeper.failed ? words.unkept : this.slept ? words.slept : this.line && body.awake === "no" ? words.awake : "";
    if (said.state === RUNNING) this.slept = false;
    for (const sound of said.sounds) play(sound, said.sound);
  }

  recorded({ game, points }) {
    const each = points.map((small, seat) => (small === null ? "" : `${"ABCD"[seat]} ${small > 0 ? "+" : small < 0 ? "−" : ""}${Math.abs(small)}`));
    return words.recorded.replace("{game}", game).replace("{points}", each.filter(Boolean).join(" · "));
  }

  called(seat) {
    return `${this.face.names[seat] ?? ""} ${"ABCD"[seat] ? `(${"ABCD"[seat]})` : "–"}`.trim();
  }

  words(said) {
    const player = "ABCD"[said.seat] ?? "";
    if (document.body.dataset.refused) return ""; // what is to be said stands above it
    if (said.state === IDLE && this.line) return this.line.trouble || words.idle;
    const idle = said.state === READY || said.state === OVER;
    const recorded = idle && this.line && this.face.recorded ? this.recorded(this.face.recorded) : "";
    if (idle && this.line && this.face.played) return `${recorded} ${words.all_played}`.trim();
    if (said.state === READY) return "ABCD"[said.starter] ? words.starts.replace("{player}", "ABCD"[said.starter]) : words.ready;
    if (said.state === EXPIRED) return words.expired.replace("{late}", this.called(said.seat)).replace("{player}", this.called(said.following));
    if (said.state === RUNNING) return said.pending ? words.disputed : said.draw ? `${said.drawn ? words.drawn : words.draw_first} ${words.last_tile}` : words.last_tile;
    if (said.state === OVER) return `${recorded} ${words.over}`.trim();
    if (said.state !== STOPPED) return "";
    return `${said.reason === POWER_LOST ? words.lost.replace("{player}", player) : said.claim ? words.claim : words.stopped} ${words.resume}`;
  }
}

// --- the desk -----

const hex = (data) => [...new Uint8Array(data)].map((one) => one.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const AGAIN_MS = [500, 1000, 2000, 4000, 8000];
const FULL = 1 << 16; // bytes that a network has not taken yet
const NEVER_AGAIN = { 4001: "claimed", 4002: "unknown", 4003: "late" };
const NO_TABLE = 4004;

class Line {
  // The socket to the desk. What it carries is sealed: whoever answers there is believed by the core alone.
  constructor(table, device, known) {
    this.table = table;
    this.device = device;
    this.socket = null;
    this.number = 0; // of sockets: what belongs to an earlier one is forgotten
    this.tries = 0;
    this.since = Date.now(); // without a desk
    this.trouble = "";
    this.timer = 0;
    this.known = known; // the desk has taken it for its box before
  }

  connect() {
    const number = ++this.number;
    const socket = this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/link`);
    socket.binaryType = "arraybuffer";
    let met = false;
    socket.onmessage = ({ data }) => {
      if (number !== this.number) return;
      if (typeof data === "string") return this.table.hear(this.table.glass.words(data));
      if (met) return this.table.heard(hex(data));
      met = true;
      socket.send(unhex(this.table.glass.prove(hex(data), this.device)));
      this.table.glass.opened(raw(performance.now()));
    };
    socket.onclose = ({ code }) => { if (number === this.number) this.lost(code); };
  }

  lost(code) {
    this.number += 1;
    this.socket = null;
    this.table.glass.closed();
    this.trouble = words[NEVER_AGAIN[code]] ?? (code === NO_TABLE ? words.no_table : "");
    clearTimeout(this.timer);
    if (NEVER_AGAIN[code]) { // it is no box of this desk, and must not look like one
      if (this.known) this.trouble = words.taken_off;
      document.body.dataset.refused = "yes";
      say(this.trouble);
    }
    else this.timer = setTimeout(() => this.connect(), AGAIN_MS[Math.min(this.tries++, AGAIN_MS.length - 1)]);
    this.table.turn();
  }

  // The box lost its power, and its link with it.
  anew() {
    const socket = this.socket;
    if (!socket) return;
    this.number += 1;
    this.socket = null;
    socket.close();
    this.tries = 0;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), AGAIN_MS[0]);
  }

  leaving(frames, hangsUp) {
    const number = this.number;
    return () => {
      if (number !== this.number || this.socket?.readyState !== WebSocket.OPEN) return;
      if (this.socket.bufferedAmount > FULL) { this.socket.close(); return this.lost(0); } // a network that takes nothing: begun anew
      for (const frame of frames) this.socket.send(unhex(frame));
      if (hangsUp) { this.socket.close(); this.lost(0); } // a network that is gone answers no farewell
    };
  }

  // Beside the game; false if nobody hears it now.
  say(what) {
    if (this.socket?.readyState !== WebSocket.OPEN || !this.table.shown.linked) return false;
    this.socket.send(this.table.glass.says(JSON.stringify(what)));
    return true;
  }

  show(said) {
    if (said.linked) { this.since = 0; this.tries = 0; } else this.since ||= Date.now();
    if (said.linked && !this.known) { this.known = true; this.table.keeper.keep({ "self/known": "1" }); }
    const place = $("link");
    const seconds = Math.max(0, Math.floor((Date.now() - this.since) / 1000));
    const age = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const unsent = said.backlog ? ` · ${words.unsent.replace("{count}", said.backlog)}` : "";
    const table = this.table.face.table ? `${words.table.replace("{table}", this.table.face.table)} · ` : "";
    const text = table + (said.linked ? words.linked : words.unlinked.replace("{age}", age)) + unsent;
    if (place.textContent !== text) place.textContent = text;
    place.hidden = document.body.dataset.refused === "yes" || (!said.linked && !this.known && seconds < 3);
    place.classList.toggle("apart", !said.linked);
    document.body.dataset.linked = said.linked ? "yes" : "no";
    document.body.dataset.unsent = said.backlog;
  }
}

// --- racks -----

class Sheet {
  // What the players write down themselves at the end of a game; the desk keeps it, and who agrees.
  constructor(table) {
    this.table = table;
    this.drawn = "";
    this.anew = false; // somebody writes once more
    this.away = 0; // the game whose racks were put aside for now
    $("write").addEventListener("click", () => this.write());
    $("ended").addEventListener("change", ({ target }) => { // one of them, or none
      for (const one of $("ended").querySelectorAll("input")) if (one !== target) one.checked = false;
      this.trouble("");
    });
    $("later").addEventListener("click", () => { this.away = this.told?.game ?? 0; this.table.show(this.table.shown); });
  }

  open() {
    this.away = 0;
    this.table.show(this.table.shown);
  }

  trouble(words) {
    $("trouble-there").textContent = words;
  }

  write() {
    if (!this.told.of || this.anew) {
      const racks = Object.fromEntries(this.told.seats.map((seat) => [seat, $(`rack-${seat}`).value.trim()]));
      const lacks = this.told.seats.filter((seat) => !racks[seat]);
      if (lacks.length) return this.trouble(words.lacks.replace("{seats}", lacks.join(", ")));
      const ended = $("ended").querySelector(":checked")?.value ?? null;
      this.say("write_racks", { racks, ended: $("ended").hidden ? null : ended });
    } else {
      this.anew = true;
      this.show();
    }
  }

  say(act, args) {
    this.trouble("");
    if (!this.table.line.say({ act, args, lang: document.documentElement.lang })) this.trouble(words.apart);
    else if (act === "write_racks") this.sent = true;
  }

  show() {
    const told = this.told = this.table.face.sheet ?? null;
    if (this.table.shown.linked && $("trouble-there").textContent === words.apart) this.trouble("");
    $("sheet").hidden = !told || this.away === told.game;
    if (!told) return;
    if (this.sent && told.of !== this.before) { this.anew = this.sent = false; this.trouble(""); }
    this.before = told.of;
    const writes = !told.of || this.anew;
    const key = JSON.stringify([told, writes, this.table.face.names, document.documentElement.lang]);
    if (key === this.drawn) return;
    this.drawn = key;
    $("write").textContent = writes ? words.write : words.correct;
    $("write").classList.toggle("does", writes);
    $("ended").hidden = !writes || Boolean(told.out);
    for (const one of $("ended").querySelectorAll("input")) one.checked = one.value === told.ended;
    $("lines").replaceChildren(...told.seats.map((seat) => this.line(seat, writes)));
  }

  line(seat, writes) {
    const name = `${seat} ${this.table.face.names["ABCD".indexOf(seat)] ?? ""}`;
    const made = (tag, more) => Object.assign(document.createElement(tag), more);
    const row = made("li", {});
    if (writes) {
      const field = made("input", { id: `rack-${seat}`, inputMode: "numeric", autocomplete: "off", maxLength: 12, value: this.told.racks[seat] ?? (this.told.out === seat ? "0" : "") });
      field.addEventListener("focus", () => field.select());
      field.addEventListener("input", () => this.trouble(""));
      const joker = made("button", { type: "button", textContent: "+j" });
      joker.addEventListener("click", () => { field.value = { j: field.value.replace(/\+j$/, "+2j"), "2j": field.value.replace(/\+2j$/, "") }[field.value.split("+")[1]] ?? `${field.value || 0}+j`; });
      const never = made("button", { type: "button", textContent: "–" });
      never.addEventListener("click", () => { field.value = "-"; });
      row.append(made("label", { htmlFor: field.id, textContent: name }), field, joker, never);
    } else {
      row.append(made("label", { textContent: name }), made("b", { textContent: this.told.racks[seat] ?? "" }));
      const agreed = this.told.agreed.includes(seat);
      const button = made("button", { type: "button", textContent: (agreed ? words.agreed : words.agree).replace("{seat}", seat), disabled: agreed });
      button.addEventListener("click", () => this.say("agree_racks", { seat, of: this.told.of }));
      row.append(button);
    }
    return row;
  }
}

// --- a word from the desk -----

class Word {
  constructor(table) {
    this.table = table;
    this.heard = 0; // the number of the last one
    this.touched = 0;
    $("word").querySelector("button").addEventListener("click", () => {
      const told = this.table.line.say({ act: "read_word", args: { of: this.heard }, lang: document.documentElement.lang });
      if (told) this.touched = this.heard;
      $("word").querySelector("small").textContent = told ? "" : words.apart_now;
      this.show();
    });
  }

  show() {
    const word = this.table.face.word;
    $("word").hidden = !word || word.of === this.touched;
    $("how").hidden = !$("word").hidden && $("sheet").hidden; // its place is the word's
    const there = $("sheet").hidden ? $("next") : $("racks-of"); // where somebody looks now
    if (there.nextElementSibling !== $("word")) there.after($("word"));
    if (!word || word.of === this.heard) return;
    this.heard = word.of;
    $("word").querySelector("p").textContent = word.words;
    play(4, this.table.shown.sound);
  }
}

// --- sound -----

let audio = null;

function play(sound, loud) {
  if (loud && sound > 2 && navigator.vibrate) navigator.vibrate(sound === 4 ? [200, 100, 200] : 60);
  if (!audio || !LOUDNESS[loud]) return;
  let at = audio.currentTime;
  for (const [pitch, lasts] of SOUNDS[sound] ?? []) {
    const tone = audio.createOscillator(), gain = audio.createGain();
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(LOUDNESS[loud], at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + lasts);
    tone.connect(gain).connect(audio.destination);
    tone.start(at);
    tone.stop(at + lasts);
    at += lasts + 0.05;
  }
}

// --- fingers -----

const held = new Map(); // pointer -> its button
let table = null;
let asking = false; // for the rules of a new game

function release() {
  for (const { button } of held.values()) button.classList.remove("down");
  held.clear();
}

function press(button, pointer, at) {
  if ([...held.values()].some((one) => one.button === button)) return;
  held.set(pointer, { button, at });
  button.classList.add("down");
  table.edge(Number(button.dataset.contact), true, at);
}

function lift(pointer, at) {
  const one = held.get(pointer);
  if (!one) return;
  const early = one.at + FINGER_MS - performance.now();
  if (early > 0) return void setTimeout(() => lift(pointer, one.at + FINGER_MS), early);
  const { button } = one;
  held.delete(pointer);
  button.classList.remove("down");
  table.edge(Number(button.dataset.contact), false, Math.max(at, one.at + FINGER_MS));
}

function listen() {
  addEventListener("pointerdown", (event) => {
    if (!audio && window.AudioContext) audio = new AudioContext();
    const button = event.target.closest("[data-contact]");
    if (!button || event.width > PALM_PX || event.height > PALM_PX) return;
    event.preventDefault();
    press(button, event.pointerId, event.timeStamp);
  }, { passive: false });
  for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, (event) => lift(event.pointerId, event.timeStamp));
  addEventListener("keydown", (event) => {
    const button = event.target.closest?.("[data-contact]");
    if (!button || event.repeat || ![" ", "Enter"].includes(event.key)) return;
    event.preventDefault();
    press(button, `key ${event.key}`, event.timeStamp);
  });
  addEventListener("keyup", (event) => lift(`key ${event.key}`, event.timeStamp));
  addEventListener("contextmenu", (event) => event.preventDefault());
  document.addEventListener("visibilitychange", () => { if (!document.hidden) { table.turn(); stayAwake(); } });
}

// --- a screen that stays on -----

async function stayAwake() {
  document.body.dataset.awake = "no";
  try {
    const lock = await navigator.wakeLock.request("screen");
    document.body.dataset.awake = "yes";
    lock.addEventListener("release", () => { document.body.dataset.awake = "no"; });
  } catch { /* plain http, an old browser, little battery: the page says what to do instead */ }
}

// --- the rules of a game -----

function askForRules() {
  const form = $("setup");
  $("again").addEventListener("click", () => {
    if (told.desk && table.face.sheet) return table.sheet.open();
    if (told.desk) return void table.lay(!table.shared);
    asking = !asking;
    table.show(table.shown);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = new FormData(form);
    const problem = table.setUp({
      limit: Math.round(Number(given.get("limit"))), seats: Number(given.get("seats")), draw: Number(given.get("draw")),
      sound: Number(given.get("sound")), taps: given.get("taps") === "on", shared: given.get("build") === "one",
    });
    $("problem").textContent = problem;
    if (problem) return;
    asking = false;
    stayAwake();
    table.show(table.shown);
  });
}

// --- the beginning -----

function bytes(text) {
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}

async function machine() {
  const url = URL.createObjectURL(new Blob([bytes($("wasm").textContent)], { type: "application/wasm" }));
  const python = await loadMicroPython({ url, heapsize: 1 << 20, linebuffer: true });
  for (const [path, text] of Object.entries(JSON.parse($("core").textContent))) {
    const to = `/box/${path}`;
    python.FS.mkdirTree(to.slice(0, to.lastIndexOf("/")));
    python.FS.writeFile(to, bytes(text));
  }
  python.runPython("import sys\nsys.path[:] = ['/box', '/box/lib']\nfrom glass import Glass");
  return python.globals.get("Glass");
}

// A code that is scanned while the page is open changes what stands behind `#` alone.
if (told.desk) addEventListener("hashchange", () => { if (location.hash) location.reload(); });

async function begin() {
  speak(told.languages.find((one) => navigator.languages.some((wanted) => wanted.split("-")[0] === one)) ?? told.languages[0]);
  for (const one of document.querySelectorAll("[data-lang]")) one.addEventListener("click", () => { speak(one.dataset.lang); table?.show(table.shown); });
  if (!await alone()) return say(words.twice);
  const db = await opened().catch(() => null);
  const files = db ? await everything(db).catch(() => ({})) : {};
  const keeper = new Keeper(db);
  if (told.desk) {
    if (!becomes(files, keeper)) return say(words.scan);
  } else if (!files["self/uid"]) {
    Object.assign(files, { "self/uid": "02" + random(5), "self/secret": random(32) });
    keeper.keep({ "self/uid": files["self/uid"], "self/secret": files["self/secret"] });
  }
  const own = Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith("self/")));
  const shared = files["self/shared"] === "1";
  const Glass = await machine();
  table = new Table(Glass(files["self/uid"], files["self/secret"], JSON.stringify(own), random(32), raw(performance.now()), shared, told.desk), keeper, shared, files["self/device"], files["self/known"] === "1");
  listen();
  askForRules();
  table.turn();
  table.line?.connect();
  stayAwake();
  navigator.storage?.persist?.();
  navigator.serviceWorker?.register("worker.js").catch(() => {}); // from a file, or in clear, there is none
  document.body.dataset.begun = "yes";
}

// The box of the code behind the address, which stands there no longer; else the one that this browser is already.
function becomes(files, keeper) {
  const code = /^#([0-9a-f]{12})\.([0-9a-f]{64})$/.exec(location.hash);
  if (location.hash) history.replaceState(null, "", location.pathname);
  const same = code && files["self/uid"] === code[1] && files["self/secret"] === code[2];
  if (!code || same) return Boolean(files["self/uid"]);
  const unsent = files["self/known"] === "1" ? Number(files["self/unsent"] || 0) : 0; // what no desk ever took is no table's
  if (unsent && !confirm(words.other.replace("{count}", unsent))) return true;
  const changed = Object.fromEntries(Object.keys(files).map((path) => [path, null]));
  for (const path of Object.keys(files)) delete files[path];
  const shared = Math.min(innerWidth, innerHeight) < SMALL_PX ? "1" : "";
  Object.assign(files, { "self/uid": code[1], "self/secret": code[2], "self/device": random(16), "self/shared": shared });
  keeper.keep({ ...changed, ...files });
  return true;
}

function say(text) {
  $("trouble").textContent = text;
  $("trouble").hidden = false;
}

begin().catch((error) => { say(`${words.broken} ${error}`); throw error; });
