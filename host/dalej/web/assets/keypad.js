// A keypad for racks on glass: it types where the cursor was last, so that the system's keyboard need not come up and
// cover the sheet. It is there on touch screens, and wherever somebody chooses it; without scripts nobody misses it.
"use strict";
(() => {
  const pad = document.querySelector(".keypad");
  const chooser = document.querySelector("[data-keypad]");
  const fields = () => [...document.querySelectorAll(".entry input[name^='racks:']")];
  if (!pad || !fields().length) return;
  let field = fields().find((one) => one.autofocus) || fields()[0];

  function kept() {
    try { return localStorage.getItem("keypad"); } catch { return null; }
  }

  function show(on) {
    pad.hidden = !on;
    document.body.classList.toggle("with-keypad", on);
    chooser.setAttribute("aria-pressed", String(on));
    for (const one of fields()) one.inputMode = on ? "none" : "text";
    if (on) to(field);
  }

  function to(one) {
    field = one;
    one.focus({ preventScroll: true });
    for (const other of fields()) other.classList.toggle("typed", other === one);
    const label = document.querySelector(`label[for="${one.id}"]`);
    pad.querySelector(".where").textContent = label ? label.textContent : "";
    const at = one.getBoundingClientRect();
    const bottom = innerHeight - pad.getBoundingClientRect().height;
    if (at.top < 60 || at.bottom > bottom - 8) one.scrollIntoView({ block: "center" });
  }

  function type(text) {
    const from = field.selectionStart ?? field.value.length;
    field.setRangeText(text, from, field.selectionEnd ?? from, "end");
  }

  function rub() {
    const to_ = field.selectionEnd ?? field.value.length;
    const from = field.selectionStart === to_ ? Math.max(0, to_ - 1) : field.selectionStart;
    field.setRangeText("", from, to_, "end");
  }

  // A joker beside a number is written +j; a second one 2j.
  function joker() {
    const has = /(^|[^\d])(\d?)j$/.exec(field.value);
    if (has) field.value = field.value.slice(0, -1 - has[2].length) + (Number(has[2] || 1) + 1) + "j";
    else type(/\d$/.test(field.value) ? "+j" : "j");
  }

  function next() {
    const all = fields().filter((one) => one.form === field.form);
    const at = all.indexOf(field);
    if (at + 1 < all.length) return to(all[at + 1]);
    field.form.requestSubmit(field.form.querySelector("button.does"));
  }

  pad.addEventListener("pointerdown", (event) => event.preventDefault()); // the cursor stays where it is
  pad.addEventListener("click", (event) => {
    const key = event.target.closest("button");
    if (!key) return;
    if (key.dataset.types) type(key.dataset.types);
    else if (key.dataset.is) field.value = key.dataset.is;
    else if (key.dataset.ended !== undefined) end(key);
    else ({ rub, joker, next })[key.dataset.does]();
  });

  function end(key) {
    const choice = field.form.querySelector(`[name=ended][value="${key.dataset.ended}"]`);
    if (!choice) return;
    choice.checked = !choice.checked;
    choice.closest("details").open = true;
    marks();
  }

  function marks() {
    for (const key of pad.querySelectorAll("[data-ended]")) {
      const choice = field.form.querySelector(`[name=ended][value="${key.dataset.ended}"]`);
      key.setAttribute("aria-pressed", String(Boolean(choice?.checked)));
    }
  }

  document.addEventListener("focusin", (event) => {
    if (!pad.hidden && event.target.matches(".entry input[name^='racks:']") && event.target !== field) to(event.target);
    marks();
  });
  document.addEventListener("change", marks);
  chooser.parentElement.hidden = false;
  chooser.addEventListener("click", () => {
    const on = pad.hidden;
    try { localStorage.setItem("keypad", on ? "on" : "off"); } catch { /* then it is forgotten with the page */ }
    show(on);
  });
  show((kept() || (matchMedia("(pointer: coarse)").matches ? "on" : "off")) === "on");
})();
