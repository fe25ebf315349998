// Reads standard input in a thread of its own, so that the virtual machine can wait for a line with a time limit.
import { readSync } from "node:fs";
import { workerData } from "node:worker_threads";

// shared: [number of bytes ever written to the ring, ... read from it, 1: the outside has gone]
const { counters, ring } = workerData;
const buffer = Buffer.alloc(65536);

function put(from, to) {
  for (let at = from; at < to; ) {
    const written = Atomics.load(counters, 0);
    const free = ring.length - (written - Atomics.load(counters, 1));
    if (free === 0) {
      Atomics.wait(counters, 1, Atomics.load(counters, 1), 100);
      continue;
    }
    const count = Math.min(free, to - at);
    for (let i = 0; i < count; i++) ring[(written + i) % ring.length] = buffer[at + i];
    at += count;
    Atomics.store(counters, 0, written + count);
    Atomics.notify(counters, 0);
  }
}

for (;;) {
  let count = 0;
  try {
    count = readSync(0, buffer);
  } catch (error) {
    if (error.code === "EAGAIN") continue;
    if (error.code !== "EOF") throw error;
  }
  if (count === 0) break;
  put(0, count);
}
Atomics.store(counters, 2, 1);
Atomics.notify(counters, 0);
