// Seats that are dragged with a mouse, a pen or a finger (by the handle, so that the page still scrolls), tapped one
// after the other, or reached by keys. What may be is the server's to say: a move is the act's own form, sent from here.
"use strict";
(() => {
  const AWAY_PX = 6; // a press that moves so far is a drag
  const EDGE_PX = 60; // so near to an edge the page scrolls along
  let held = null; // the chair whose player is picked up
  let press = null; // where a pointer went down, and on which chair
  let ghost = null;

  const box = () => document.getElementById("seating");
  const chairs = () => [...document.querySelectorAll("#seating .chair")];
  const playerOf = (chair) => Number(chair.querySelector("[data-player]")?.dataset.player || 0);
  const nameOf = (chair) => chair.querySelector("a, span:not(.grip)").textContent;

  function equip() {
    for (const hint of document.querySelectorAll(".only-scripts")) hint.hidden = false;
    for (const chair of chairs()) {
      const inner = chair.querySelector("a, span");
      inner.setAttribute("role", "button");
      inner.tabIndex = 0;
      if (chair.dataset.table) {
        const table = box().dataset.table.replace("{table}", chair.dataset.table);
        const who = playerOf(chair) ? inner.textContent : box().dataset.empty;
        inner.setAttribute("aria-label", `${who}, ${table} ${chair.dataset.seat}`);
      } else if (!playerOf(chair)) inner.setAttribute("aria-label", chair.closest("section").querySelector("h2").textContent);
      if (!playerOf(chair)) continue;
      inner.draggable = false; // a link's own drag would take the pointer away
      const grip = document.createElement("span");
      grip.className = "grip";
      grip.setAttribute("aria-hidden", "true");
      grip.textContent = "⠿";
      chair.append(grip);
    }
  }

  function say(id, words) {
    const line = document.getElementById(id);
    line.textContent = words;
    line.hidden = !words;
  }

  function pick(chair) {
    letGo();
    held = chair;
    chair.classList.add("held");
    chair.querySelector("a").setAttribute("aria-pressed", "true");
    say("why-not", "");
    say("held", box().dataset.picked.replace("{name}", nameOf(chair)));
  }

  function letGo() {
    if (held) {
      held.classList.remove("held");
      held.querySelector("a").removeAttribute("aria-pressed");
    }
    aim(null);
    held = null;
    say("held", "");
    if (ghost) ghost.remove();
    ghost = null;
  }

  function aim(chair) {
    for (const one of document.querySelectorAll(".chair.target")) one.classList.remove("target");
    if (chair && chair !== held) chair.classList.add("target");
  }

  // --- what a drop means -----

  function wish(from, to) {
    const player = playerOf(from);
    if (to.dataset.table) return ["move_player", { player, table: Number(to.dataset.table), seat: to.dataset.seat }];
    if (to.dataset.bench === from.dataset.bench) return null;
    if (to.dataset.bench === "free") return from.dataset.bench ? ["present", { player }] : ["unseat", { player }];
    return [from.dataset.bench ? "absent" : "unseat", { player }];
  }

  async function drop(to) {
    const from = held;
    const wanted = to && from && to !== from ? wish(from, to) : null;
    const mark = to && to.dataset.table ? `[data-table="${to.dataset.table}"][data-seat="${to.dataset.seat}"]` : "";
    letGo();
    if (!wanted) return say("held", from ? box().dataset.letgo : "");
    await send("/act/" + wanted[0], { args: JSON.stringify(wanted[1]), seen: box().dataset.seen, path: "/seating", why: "" });
    document.querySelector(`#seating ${mark || ".chair"} :is(a, span)`)?.focus({ preventScroll: true });
  }

  async function send(where, fields) {
    const body = new URLSearchParams({ token: document.body.dataset.token, ...fields });
    box().setAttribute("aria-busy", "true");
    try {
      const answer = await dalejPost(document.body, where, body);
      const go = answer.headers.get("Dalej-Go") || "/"; // else it was nothing that could be done: who is logged out
      if (go !== "/seating" && !go.startsWith("/sent/")) return location.assign(go);
      const page = go === "/seating" ? null : await read(go);
      if (page?.querySelector(".question")) return location.assign(go); // what the act asks first is asked on its own page
      lay(await read("/seating")); // somebody else may have moved people, too
      say("why-not", page ? [...page.querySelectorAll("main .problem")].map((one) => one.textContent).join(" ") : "");
    } catch { say("why-not", document.body.dataset.unanswered); }
    box().removeAttribute("aria-busy");
  }

  async function read(path) {
    const answer = await fetch(path, { headers: { Accept: "text/html" } });
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  }

  function lay(page) {
    const main = page.getElementById("main");
    if (!main) return;
    const aloud = document.getElementById("aloud"); // it speaks, maybe, and goes on with what is said now
    const now = main.querySelector("#aloud");
    if (aloud && now) {
      for (const one of aloud.querySelectorAll("[data-read]")) one.remove();
      aloud.append(...now.querySelectorAll("[data-read]"));
      now.replaceWith(aloud);
    }
    document.getElementById("main").replaceChildren(...main.childNodes);
    equip();
  }

  // --- a pointer -----

  document.addEventListener("pointerdown", (event) => {
    const chair = event.target.closest("#seating .chair");
    if (!chair || event.button !== 0 || !playerOf(chair)) return;
    if (event.pointerType === "touch" && !event.target.closest(".grip")) return;
    press = { chair, x: event.clientX, y: event.clientY, id: event.pointerId };
  });

  document.addEventListener("pointermove", (event) => {
    if (!press || event.pointerId !== press.id) return;
    if (!ghost) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < AWAY_PX) return;
      pick(press.chair);
      ghost = document.createElement("div");
      ghost.className = "ghost";
      ghost.setAttribute("aria-hidden", "true");
      ghost.textContent = nameOf(press.chair);
      document.body.append(ghost);
    }
    event.preventDefault();
    ghost.style.transform = `translate(${event.clientX + 12}px, ${event.clientY + 12}px)`;
    if (event.clientY < EDGE_PX) scrollBy(0, -12);
    if (event.clientY > innerHeight - EDGE_PX) scrollBy(0, 12);
    aim(under(event));
  });

  const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("#seating .chair");

  let dragged = false; // the click that a drag ends with is none
  document.addEventListener("pointerup", (event) => {
    if (press && ghost && event.pointerId === press.id) {
      dragged = true;
      setTimeout(() => { dragged = false; });
      drop(under(event) || null);
    }
    press = null;
  });

  document.addEventListener("pointercancel", () => {
    if (ghost) letGo();
    press = null;
  });

  // --- a tap, and then another -----

  function choose(chair) {
    if (held) return drop(chair);
    if (playerOf(chair)) pick(chair);
  }

  document.addEventListener("click", (event) => {
    const chair = event.target.closest("#seating .chair");
    if (!chair || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (!dragged) choose(chair);
  });

  // --- keys -----

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && held) {
      const chair = held;
      letGo();
      say("held", box().dataset.letgo);
      return chair.querySelector("a").focus();
    }
    const chair = event.target.closest?.("#seating .chair");
    if (!chair || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(chair);
    } else if (ARROWS[event.key]) {
      event.preventDefault();
      next(chair, ...ARROWS[event.key])?.querySelector("a, span")?.focus();
    }
  });

  // The nearest chair that way: what lies across counts more than what lies ahead.
  function next(chair, right, down) {
    const mid = (one) => {
      const at = one.getBoundingClientRect();
      return [at.left + at.width / 2, at.top + at.height / 2];
    };
    const [x, y] = mid(chair);
    let best = null;
    let least = Infinity;
    for (const one of chairs()) {
      const [ox, oy] = mid(one);
      const ahead = (ox - x) * right + (oy - y) * down;
      if (one === chair || ahead < 4) continue;
      const far = ahead + 3 * Math.abs((ox - x) * down + (oy - y) * right);
      if (far < least) [best, least] = [one, far];
    }
    return best;
  }

  // --- taken back in place -----

  document.addEventListener("submit", (event) => {
    if (event.target.getAttribute("action") !== "/back") return;
    event.preventDefault();
    send("/back", { path: "/seating" });
  });

  equip();
})();
