// The watchdog's own thread: ends the process when a program has run for too long without a wait.
import { writeSync } from "node:fs";
import { workerData as shared } from "node:worker_threads";

let round = -1;
let since = 0;
Atomics.wait(shared, 1, 0); // until a program arms it
for (;;) {
  Atomics.wait(shared, 3, 0, 100);
  const now = Date.now();
  if (!Atomics.load(shared, 0) || Atomics.load(shared, 2) !== round) {
    round = Atomics.load(shared, 2);
    since = now;
  } else if (now - since > Atomics.load(shared, 1)) {
    writeSync(1, '[0,"reset","watchdog",false]\n');
    process.kill(process.pid, "SIGKILL");
  }
}
