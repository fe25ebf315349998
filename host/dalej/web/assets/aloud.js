// What is said aloud by the browser's own voice, in the page's language: new calls of the hall, if that is switched on
// in this browser, and the draw, table by table, when somebody asks for it.
"use strict";
(() => {
  const box = document.getElementById("aloud");
  if (!box) return;
  const told = box.dataset;
  const language = document.documentElement.lang;
  const remark = box.querySelector("[role=status]");
  const button = (name) => box.querySelector("[data-aloud=" + name + "]");
  const OLD_MS = 60000; // of a call that came while no page listened
  const SAME_MS = 5000; // a call is told by when it began; the desk may say that a moment otherwise
  const VOICES_MS = 3000; // until then a browser may still be looking for its voices
  const STUCK_MS = 15000;
  const LETTER_MS = 200;
  const SWITCH = "dalej-aloud";
  const KNOWN = "dalej-aloud-known";
  const speech = window.speechSynthesis;
  const calls = []; // to be said: {call, text}
  let reading = []; // what is left of the draw
  let paused = false;
  let saying = null; // {call or of the draw, utterance}
  let waited = false; // for voices

  function tell(words) {
    remark.hidden = !words;
    if (remark.textContent !== words) remark.textContent = words;
  }

  function voice() {
    if (!speech) { tell(told.none); return null; }
    const found = speech.getVoices().find((one) => one.lang.toLowerCase().replace("_", "-").split("-")[0] === language);
    if (found) { if (remark.textContent === told.voice) tell(""); return found; }
    if (waited) tell(told.voice);
    return null;
  }

  // --- one thing after the other: calls before what is left of the draw -----

  function next() {
    if (saying) return;
    const what = calls.length ? calls[0] : !paused && reading.length ? reading[0] : null;
    show();
    if (!what) return;
    const by = voice();
    if (!by) { // what could not be said at once is no news later
      if (waited || !speech) { calls.length = 0; reading = []; show(); }
      return;
    }
    (what.call ? calls : reading).shift();
    const utterance = new SpeechSynthesisUtterance(what.text);
    utterance.lang = by.lang;
    utterance.voice = by;
    saying = { what, utterance };
    const mine = saying;
    const over = () => { if (saying === mine) { saying = null; clearTimeout(stuck); next(); } };
    const stuck = setTimeout(() => { if (saying === mine) { speech.cancel(); tell(told.failed); over(); } },
      STUCK_MS + what.text.length * LETTER_MS); // a voice that never says that it is done
    utterance.onstart = () => { if (saying === mine) tell(""); };
    utterance.onend = over;
    utterance.onerror = (event) => {
      if (saying !== mine) return;
      tell(event.error === "not-allowed" ? told.touch : told.failed);
      over();
    };
    speech.speak(utterance);
    show();
  }

  function hush() { // what is being said is cut off; whoever still wants it puts it back
    const was = saying;
    saying = null;
    if (speech) speech.cancel();
    return was && was.what;
  }

  // --- calls -----

  const present = () => new Map([...document.querySelectorAll("[data-say]")].map(
    (one) => [one.dataset.call, { text: one.dataset.say, began: Number(one.dataset.began || 0) }]));

  function kept(name) {
    try { return localStorage.getItem(name); } catch { return null; }
  }

  function keep(name, value) {
    try { localStorage.setItem(name, value); } catch { /* this browser keeps nothing: then for this page alone */ }
  }

  let on = false;
  let known = new Map();

  function same(call, began) {
    return known.has(call) && Math.abs(known.get(call) - began) < SAME_MS;
  }

  function learn(there) {
    known = new Map([...there].map(([call, one]) => [call, one.began]));
    keep(KNOWN, JSON.stringify([...known]));
  }

  function listen(event) {
    const there = present();
    if (!on) return;
    const shared = recall(); // another page of this browser may have said it already
    if (shared) for (const [call, began] of shared) if (there.has(call)) known.set(call, began);
    const now = event && event.detail ? event.detail.now : Infinity;
    for (const [call, one] of there) {
      if (same(call, one.began)) continue;
      if (first && now - one.began > OLD_MS) continue;
      calls.push({ call, text: one.text });
    }
    first = false;
    learn(there);
    for (let at = calls.length - 1; at >= 0; at -= 1) if (!there.has(calls[at].call)) calls.splice(at, 1); // answered meanwhile
    next();
  }

  function recall() {
    try { return JSON.parse(kept(KNOWN) || "null"); } catch { return null; }
  }

  let first = true;

  function turn(to) {
    if (to && (waited || !speech) && !voice()) return; // it would stay silent
    on = to;
    first = false;
    keep(SWITCH, on ? "on" : "off");
    calls.length = 0;
    if (saying && saying.what.call) { hush(); }
    tell("");
    if (on) { learn(present()); voice(); }
    show();
    next();
  }

  // --- the draw -----

  function begin() {
    hush();
    paused = false;
    reading = [...box.querySelectorAll("[data-read]")].map((one) => ({ table: one.dataset.table, text: one.dataset.read }));
    tell("");
    next();
  }

  function pause() {
    paused = true;
    const cut = hush();
    if (cut && cut.table) reading.unshift(cut); // it is read again from its beginning
    next();
  }

  function stop() {
    reading = [];
    paused = false;
    hush();
    next();
  }

  function show() {
    box.hidden = false;
    const reads = reading.length > 0 || (saying !== null && Boolean(saying.what.table));
    if (button("calls")) button("calls").setAttribute("aria-pressed", String(on));
    if (button("read")) {
      swap("read", !reads);
      swap("pause", reads && !paused);
      swap("go", reads && paused);
      swap("stop", reads);
    }
    for (const one of document.querySelectorAll(".said")) one.classList.remove("said");
    const here = saying && saying.what.table && document.getElementById("table-" + saying.what.table);
    if (here) here.classList.add("said");
  }

  function swap(name, shown) { // the keyboard stays where one goes on
    const one = button(name);
    const had = document.activeElement === one;
    one.hidden = !shown;
    if (had && !shown) {
      const other = ["pause", "go", "read"].map(button).find((each) => !each.hidden && each !== one);
      if (other) other.focus();
    }
  }

  const does = { calls: () => turn(!on), read: begin, pause, go: () => { paused = false; next(); }, stop };
  box.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-aloud]");
    if (pressed) does[pressed.dataset.aloud]();
  });
  window.addEventListener("pagehide", () => { if (saying) hush(); });
  if (speech && speech.addEventListener) speech.addEventListener("voiceschanged", next);
  setTimeout(() => { waited = true; if (on) voice(); next(); }, VOICES_MS);
  if (button("calls")) {
    on = kept(SWITCH) === "on";
    const before = recall();
    if (before) known = new Map(before);
    else if (on) learn(present());
    document.addEventListener("dalej:heard", listen);
  }
  if (!speech) waited = true;
  show();
})();
