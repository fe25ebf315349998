// Runs one MicroPython program in the WebAssembly virtual machine. The job comes as JSON on standard input:
//   heap    bytes of garbage-collected heap to start with
//   files   [[path inside the machine, path outside], ...], copied in before the program starts
//   path    sys.path of the program
//   steps   the program, in pieces that share their globals
// Its output goes to standard output; an uncaught exception's traceback to standard error, with exit status 1.
import { readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path/posix";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";

const job = JSON.parse(readFileSync(0, "utf8"));

// Written line by line and synchronously, so that whoever stops a program that hangs still has what it printed.
let line = [];
function flush() {
  const bytes = Uint8Array.from(line);
  line = [];
  for (let from = 0; from < bytes.length; ) from += writeSync(1, bytes, from);
}

const micropython = await loadMicroPython({
  heapsize: job.heap,
  linebuffer: false,
  stdout: (bytes) => {
    for (const byte of bytes) line.push(byte);
    if (line[line.length - 1] === 10) flush();
  },
});

for (const [inside, outside] of job.files) {
  micropython.FS.mkdirTree(dirname(inside));
  micropython.FS.writeFile(inside, readFileSync(outside));
}

try {
  micropython.runPython(`import sys\nsys.path[:] = ${JSON.stringify(job.path)}\n`);
  for (const step of job.steps) {
    micropython.runPython(step);
    // This build collects only when no Python is running: gc.collect() asks for it, the return from here does it.
    micropython.runPython("__import__('gc').collect()");
  }
} catch (error) {
  if (error.name !== "PythonError") throw error;
  if (error.type !== "SystemExit") {
    process.exitCode = 1;
    writeSync(2, error.message.trimEnd() + "\n");
  }
} finally {
  flush();
}
