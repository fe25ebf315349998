// The live parts of a page: they come over server-sent events, each under its id, and are laid over what stands there,
// so that focus, scroll and what is typed stay. Times are counted here, by the desk's clock: no traffic for a tick.
"use strict";
(() => {
  const body = document.body;
  const told = body.dataset;
  const QUIET_MS = 12000; // the server says something every five seconds
  let desk = { now: Number(told.now), wall: Number(told.wall), runs: Number(told.runs), at: performance.now() };
  let heardAt = performance.now();
  let source = null;
  let calls = null; // those that were there before, null: nothing was heard yet

  const deskNow = () => desk.now + (performance.now() - desk.at) * desk.runs;
  const wallNow = () => desk.wall + (performance.now() - desk.at);

  // --- times, said as `dalej.views.phrases` says them -----

  const two = (number) => String(number).padStart(2, "0");

  function leftText(left) {
    if (left <= -1000) return "−" + Math.floor(-left / 1000);
    left = Math.max(0, left);
    const tenths = Math.ceil(left / 100);
    if (left <= 9900) return Math.floor(tenths / 10) + told.point + (tenths % 10);
    const seconds = Math.ceil(left / 1000);
    return Math.floor(seconds / 60) + ":" + two(seconds % 60);
  }

  function roundText(left) {
    const seconds = Math.ceil(Math.max(0, left) / 1000);
    const minutes = Math.floor(seconds / 60);
    if (minutes >= 60) return Math.floor(minutes / 60) + ":" + two(minutes % 60) + ":" + two(seconds % 60);
    return minutes + ":" + two(seconds % 60);
  }

  function waitedText(ms) {
    const seconds = Math.max(0, Math.floor(ms / 1000));
    if (seconds < 60) return told.seconds.replace("{seconds}", seconds);
    if (seconds < 3600) return Math.floor(seconds / 60) + ":" + two(seconds % 60);
    return told.hours.replace("{hours}", Math.floor(seconds / 3600)).replace("{minutes}", two(Math.floor(seconds / 60) % 60));
  }

  function write(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  let drift = Date.now() - performance.now();

  // `performance.now()` stands while a device sleeps, the date does not: what was slept through is past all the same.
  function wake() {
    const slept = Date.now() - performance.now() - drift;
    drift += slept;
    if (slept < 1000) return;
    desk.at -= slept;
    heardAt -= slept;
  }

  function tick() {
    wake();
    const now = deskNow();
    for (const clock of document.querySelectorAll("[data-ends]")) {
      const left = Number(clock.dataset.ends) - now;
      const late = clock.classList.contains("expired");
      write(clock, leftText(late ? Math.min(0, left) : Math.max(0, left)));
      clock.classList.toggle("hurry", !late && left < 10000);
      clock.classList.toggle("last", !late && left < 5000);
    }
    for (const since of document.querySelectorAll("[data-since]")) write(since, waitedText(now - Number(since.dataset.since)));
    for (const round of document.querySelectorAll("[data-wall-ends]")) write(round, roundText(Number(round.dataset.wallEnds) - wallNow()));
    lose(performance.now() - heardAt > QUIET_MS);
  }

  function lose(lost) {
    if (body.classList.contains("lost") === lost) return;
    body.classList.toggle("lost", lost);
    document.querySelector("p.lost").hidden = !lost;
    if (lost) connect();
  }

  // --- parts -----

  // What had the focus may go away with what is new: then whatever is nearest to it has the focus, not nothing.
  function lay(parts) {
    const had = document.activeElement;
    const around = [];
    for (let one = had; one && one !== body; one = one.parentElement) around.push(one);
    change(parts);
    if (!around.length || had.isConnected) return;
    const left = around.find((one) => one.isConnected);
    left?.querySelector("a[href], button, summary, input:not([type=hidden])")?.focus({ preventScroll: true });
  }

  // What has just moved under a finger is not what it was put on: for a moment it takes no touch.
  const SETTLES_MS = 400;
  const cards = () => [...document.querySelectorAll(".calls :is(a, summary), #tables a")];
  const placeOf = (card) => [card.closest("li")?.id, card.getAttribute("href"), card.className].join(" ");

  function settle(change) {
    const before = new Map(cards().map((card) => [placeOf(card), card.getBoundingClientRect().top]));
    change();
    const top = (card) => before.get(placeOf(card)) ?? NaN;
    const moved = cards().filter((card) => Math.abs(card.getBoundingClientRect().top - top(card)) > 8);
    for (const card of moved) card.dataset.settling = "";
    if (moved.length) setTimeout(() => { for (const card of moved) delete card.dataset.settling; }, SETTLES_MS);
  }

  // A call that waits no more leaves its place empty: those below it do not jump under a finger that is on its way. The
  // place goes when somebody scrolls, as everything moves then, when nobody has touched anything for a while, or when it
  // is the last: many of them would hide the next call.
  const STILL_MS = 8000;
  let stillSince = 0;
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { stillSince = performance.now(); }, { passive: true, capture: true });
  for (const kind of ["touchmove", "wheel"]) addEventListener(kind, () => { for (const place of document.querySelectorAll(".calls > .gone")) place.remove(); }, { passive: true });

  function change(parts) {
    settle(() => {
      const stood = [...document.querySelectorAll(".calls > li")].map((one) => ({ one, high: one.getBoundingClientRect().height }));
      for (const { one } of stood) if (!one.id) one.remove();
      lays(parts);
      const list = document.querySelector(".calls");
      if (list) stood.forEach((was, at) => { if (!was.one.isConnected || !was.one.id) list.insertBefore(placeOfGone(was), list.children[at] ?? null); });
    });
  }

  function placeOfGone({ one, high }) {
    if (!one.id) return one;
    const place = document.createElement("li");
    place.className = "gone";
    place.style.height = Math.min(high, one.dataset.shut ?? Infinity) + "px";
    place.textContent = "✓ " + one.dataset.gone;
    const goes = () => {
      if (!place.isConnected) return;
      if (document.querySelector(".calls details[open]")) return void setTimeout(goes, 1000); // somebody reads its answers
      const isLast = !place.parentElement.querySelector(".gone ~ li[id]");
      if (isLast || performance.now() - Math.max(since, stillSince) > STILL_MS) settle(() => place.remove());
      else setTimeout(goes, 1000);
    };
    const since = performance.now();
    setTimeout(goes, 3000);
    return place;
  }

  document.addEventListener("toggle", (event) => { // it does not bubble
    const call = event.target.closest?.(".calls > li");
    if (call && event.target.open) event.target.scrollIntoView({ block: "nearest" });
    else if (call) delete call.dataset.shut;
  }, true);
  // How high a call is before its answers unfold: so high is its place once it is gone.
  document.addEventListener("click", (event) => {
    const call = event.target.closest(".calls details:not([open]) > summary")?.closest("li");
    if (call) call.dataset.shut = call.getBoundingClientRect().height;
  }, true);

  // What somebody types stays; of anything else that has the focus, the words are as new as what it does.
  // What somebody has opened stays open.
  const morph = (element, html) => Idiomorph.morph(element, html, {
    morphStyle: "innerHTML", ignoreActiveValue: Boolean(document.activeElement?.matches("input, textarea, select")),
    callbacks: { beforeAttributeUpdated: (name, node) => !(["data-shut", "data-settling"].includes(name) || (name === "open" && node.matches("details"))) },
  });

  function lays(parts) {
    for (const [id, html] of Object.entries(parts)) {
      const element = document.getElementById(id);
      if (element && "reload" in element.dataset) reread(element, html);
      else if (element && "list" in element.dataset) order(element, html.split(" "), parts);
      else if (element) morph(element, html);
    }
  }

  // Something that is not live itself is another: it is read once more, without what stands around it.
  async function reread(mark, stamp) {
    if (mark.textContent === stamp) return;
    mark.textContent = stamp;
    await new Promise((done) => setTimeout(done, Math.random() * 1500)); // hundreds of phones, not all at once
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html", "Dalej-Here": "1" } });
      if (answer.redirected && new URL(answer.url).pathname === "/login") return leave();
      if (answer.ok) morph(document.getElementById("here"), await answer.text());
      filter();
      turn(0);
    } catch { /* the next change, or the connection, brings it again */ }
  }

  function order(list, ids, parts) {
    const kept = new Map([...list.children].map((child) => [child.id, child]));
    list.replaceChildren(...ids.map((id) => {
      const child = kept.get(id) || document.createElement("li");
      child.id = id;
      child.className = "part";
      if (!kept.has(id) && parts[id]) child.innerHTML = parts[id];
      return child;
    }));
  }

  // --- a new call -----

  function alarm() {
    const urgent = new Set([...document.querySelectorAll("[data-urgent]")].map((one) => one.dataset.call));
    const fresh = calls !== null && [...urgent].some((one) => !calls.has(one));
    calls = urgent;
    if (!fresh || told.sounds !== "on") return;
    if (navigator.vibrate) navigator.vibrate([200, 100, 200]);
    beep();
  }

  let audio = null;
  document.addEventListener("pointerdown", () => { // browsers let nobody hear anything before a touch
    if (told.sounds === "on" && !audio && window.AudioContext) audio = new AudioContext();
  });

  function beep() {
    if (!audio) return;
    for (const [at, pitch] of [[0, 880], [0.25, 660]]) {
      const tone = audio.createOscillator();
      const loud = audio.createGain();
      tone.frequency.value = pitch;
      loud.gain.setValueAtTime(0.2, audio.currentTime + at);
      loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + at + 0.22);
      tone.connect(loud).connect(audio.destination);
      tone.start(audio.currentTime + at);
      tone.stop(audio.currentTime + at + 0.22);
    }
  }

  // --- a list that is looked through, pages on a wall -----

  const plain = (text) => text.toLowerCase().replace(/ł/g, "l").normalize("NFD").replace(/[\u0300-\u036f]/g, "");

  // "Żak" finds "Ż.": of a surname nothing but its first letter is here.
  const alike = (word, part) => word.includes(part) || (/^.\.$/.test(word) && part.startsWith(word[0]));

  function filter() {
    const field = document.querySelector("[data-filter]");
    if (!field) return;
    const wanted = plain(field.value).split(/\s+/).filter(Boolean);
    for (const one of document.querySelectorAll("#" + field.dataset.filter + " [data-name]")) {
      const name = plain(one.dataset.name);
      one.hidden = !wanted.every((part) => name.split(/\s+/).some((word) => alike(word, part)));
    }
    const nobody = document.querySelector(".nobody-found");
    if (nobody) nobody.hidden = !wanted.length || Boolean(document.querySelector("#" + field.dataset.filter + " [data-name]:not([hidden])"));
  }

  document.addEventListener("input", (event) => { if (event.target.matches("[data-filter]")) filter(); });

  const LEAF_MS = 10000;
  let leaf = 0;

  function turn(by) {
    const leaves = [...document.querySelectorAll(".leaf")];
    if (!leaves.length) return;
    leaf = (leaf + by) % leaves.length;
    leaves.forEach((one, at) => { one.hidden = at !== leaf; });
  }

  if (document.querySelector("body.wall")) { turn(0); setInterval(() => turn(1), LEAF_MS); }

  // --- the way to the server -----

  function heard(event) {
    const said = JSON.parse(event.data);
    if (said.over) return leave();
    desk = { now: said.now, wall: said.wall, runs: said.runs, at: performance.now() };
    heardAt = performance.now();
    lay(said.parts);
    alarm();
    document.dispatchEvent(new CustomEvent("dalej:heard", { detail: { now: said.now } })); // aloud.js says what is new
    tick();
  }

  let leaves = false; // by itself: logging out ends what is live before its answer is there, which says so
  document.addEventListener("submit", (event) => { leaves ||= event.target.getAttribute("action") === "/logout"; });
  document.addEventListener("dalej:unanswered", () => { leaves = false; });

  function leave() {
    if (source) source.close();
    if (!leaves && !body.classList.contains("acting")) location.assign("/"); // what is being answered stays: sending says it
  }

  async function failed() {
    if (source.readyState !== EventSource.CLOSED) return; // it tries again by itself
    try {
      const answer = await fetch("/session", { headers: { Accept: "application/json" } });
      if (answer.status === 401) leave();
    } catch { /* there is no server: tried again when the page finds that it hears nothing */ }
  }

  function connect() {
    if (source) source.close();
    source = new EventSource(told.live);
    source.onmessage = heard;
    source.onerror = failed;
  }

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && (source.readyState === EventSource.CLOSED || performance.now() - heardAt > QUIET_MS)) connect();
  });
  setInterval(() => { if (body.classList.contains("lost")) connect(); }, 4000);
  setInterval(tick, 100);
  connect();
  tick();
})();
