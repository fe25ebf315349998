// Forms are sent from here, so that the page stays, with what was typed, when no answer comes. What is sent has a name
// by which the server knows it again: pressed once more it is not done twice. Without scripts they are plain forms.
"use strict";
(() => {
  const told = document.body.dataset;
  const WAITS_MS = 15000; // the server waits ten seconds for a form
  const unanswered = new WeakMap(); // what was sent from there, and under which name
  const busy = new Set();

  function nameOf(from, what) {
    const before = unanswered.get(from);
    if (before && before.what === what) return before.name; // else it is something else that is wanted now
    const name = [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, "0")).join("");
    unanswered.set(from, { what, name });
    return name;
  }

  // The answer to what is sent from there, which names where the page shall go; none in time is an error.
  async function post(from, where, fields, packed = false) {
    const what = JSON.stringify([where, [...fields].map(([key, value]) => [key, value.name ? [value.name, value.size, value.lastModified] : value])]);
    const body = packed ? fields : new URLSearchParams([...fields]);
    const headers = { Accept: "text/html", "Dalej-Sending": nameOf(from, what) };
    const answer = await fetch(where, { method: "POST", body, headers, signal: AbortSignal.timeout(WAITS_MS) });
    if (answer.headers.has("Dalej-Go")) unanswered.delete(from);
    return answer;
  }

  globalThis.dalejPost = post; // for pages with a script of their own

  // Where the page shall go, "": nowhere, and it says why.
  async function send(from, where, fields, packed) {
    if (busy.has(from)) return "";
    busy.add(from);
    from.setAttribute("aria-busy", "true");
    try {
      const answer = await post(from, where, fields, packed);
      const go = answer.headers.get("Dalej-Go");
      say(from, go ? "" : await words(answer));
      return go || "";
    } catch {
      say(from, told.unanswered);
      document.dispatchEvent(new CustomEvent("dalej:unanswered"));
      return "";
    } finally {
      busy.delete(from);
      from.removeAttribute("aria-busy");
    }
  }

  async function words(answer) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return (page.querySelector(".problem") || page.body).textContent;
  }

  function say(from, text) {
    const form = from.matches("form");
    let line = form ? from.querySelector(":scope > .unanswered") : from.parentElement?.querySelector(":scope > .unanswered");
    if (line) line.remove(); // a new one is said aloud again
    if (!text) return;
    line = document.createElement("p");
    line.className = "problem unanswered";
    line.setAttribute("role", "alert");
    line.textContent = text;
    if (form) from.append(line);
    else from.after(line);
    line.scrollIntoView({ block: "nearest" });
  }

  function go(to) {
    const there = new URL(to, location.href);
    const here = there.pathname + there.search === location.pathname + location.search;
    if (!here || !there.hash) return location.assign(there);
    history.replaceState(null, "", there); // the same page is else only scrolled
    location.reload();
  }

  // On the window: what a page's own script does with a form comes first.
  addEventListener("submit", async (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return;
    event.preventDefault();
    const fields = new FormData(form);
    const button = event.submitter;
    if (button?.name) fields.append(button.name, button.value);
    const to = await send(form, form.getAttribute("action") || location.href, fields, form.enctype === "multipart/form-data");
    if (to) go(to);
  });

  document.addEventListener("click", (event) => { // a menu closes when somebody touches anything else
    const menu = document.querySelector("details.me[open]");
    if (menu && !menu.contains(event.target)) menu.open = false;
  });

  document.querySelector(".top [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

  // An act with nothing to be asked: one touch, and the page stays.
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[data-act]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const fields = new URLSearchParams({ token: told.token, args: link.dataset.args, seen: "0", own: link.dataset.why ?? "", path: location.pathname });
    const to = await send(link, "/act/" + link.dataset.act, fields, false);
    if (to) link.closest("details")?.removeAttribute("open"); // it is answered
    if (to && to !== location.pathname) go(to);
  });
})();
