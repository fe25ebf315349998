// Lines from and to the outside, one JSON value each, without node's event loop: the virtual machine never returns to it.
import { once } from "node:events";
import { writeSync } from "node:fs";
import { Worker } from "node:worker_threads";

export class Lines {
  constructor() {
    this.counters = new Int32Array(new SharedArrayBuffer(12));
    this.ring = new Uint8Array(new SharedArrayBuffer(1 << 18));
    this.rest = Buffer.alloc(0);
    this.ready = [];
    const data = { counters: this.counters, ring: this.ring };
    this.worker = new Worker(new URL("./input.mjs", import.meta.url), { workerData: data });
  }

  // To be waited for before the first `next`: a thread begins only while its parent's event loop turns.
  async begun() {
    await once(this.worker, "online");
    this.worker.unref();
  }

  // The next value, or undefined if none has come after so many milliseconds. The process ends when the outside has.
  next(milliseconds) {
    const until = milliseconds === Infinity ? Infinity : performance.now() + milliseconds;
    for (;;) {
      if (this.ready.length) return this.ready.shift();
      const read = Atomics.load(this.counters, 1);
      const written = Atomics.load(this.counters, 0);
      if (written !== read) {
        this.#take(read, written);
        continue;
      }
      if (Atomics.load(this.counters, 2)) leave();
      const left = until === Infinity ? 1000 : until - performance.now();
      if (left <= 0) return undefined;
      Atomics.wait(this.counters, 0, written, left);
    }
  }

  say(value) {
    const bytes = Buffer.from(JSON.stringify(value) + "\n");
    for (let from = 0; from < bytes.length; ) {
      try {
        from += writeSync(1, bytes, from);
      } catch (error) {
        if (error.code !== "EAGAIN") throw error;
      }
    }
  }

  #take(read, written) {
    const bytes = Buffer.alloc(written - read);
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.ring[(read + i) % this.ring.length];
    Atomics.store(this.counters, 1, written);
    Atomics.notify(this.counters, 1);
    let whole = Buffer.concat([this.rest, bytes]);
    for (let end = whole.indexOf(10); end >= 0; end = whole.indexOf(10)) {
      this.ready.push(JSON.parse(whole.subarray(0, end).toString("utf8")));
      whole = whole.subarray(end + 1);
    }
    this.rest = whole;
  }
}

// Ends the process. process.exit would wait for the thread that waits for input.
export function leave() {
  process.kill(process.pid, "SIGKILL");
}
