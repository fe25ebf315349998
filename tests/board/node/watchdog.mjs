// The watchdog of a program that hangs without ever waiting: no code inside the virtual machine could notice that.
// (A program that waits too long is found out by the stand-in for `machine`, at the exact instant.)
import { once } from "node:events";
import { Worker } from "node:worker_threads";

export class Watchdog {
  constructor() {
    // [1 while a program runs, limit in milliseconds, how often it has begun to run, -]
    this.shared = new Int32Array(new SharedArrayBuffer(16));
    this.worker = new Worker(new URL("./bite.mjs", import.meta.url), { workerData: this.shared });
  }

  async begun() {
    await once(this.worker, "online");
    this.worker.unref();
  }

  guards(milliseconds) {
    Atomics.store(this.shared, 1, milliseconds);
    Atomics.notify(this.shared, 1);
  }

  rests(rests) {
    Atomics.store(this.shared, 0, rests ? 0 : 1);
    Atomics.add(this.shared, 2, 1);
  }
}
