// The page once more when there is no network, or no server any more: what was loaded last is kept by the browser.
"use strict";
const KEPT = "dalej-box {{ version }}";

addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.add("./")).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((one) => one.startsWith("dalej-box ") && one !== KEPT).map((one) => caches.delete(one)))).then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  event.respondWith(fetch(event.request).catch(() => caches.open(KEPT).then((kept) => kept.match("./"))));
});
