// One power-on of a virtual board: MicroPython's virtual machine, the stand-ins, and the program on its flash.
// The first line from the outside is the job:
//   heap       bytes of garbage-collected heap to start with
//   standins   folder of the modules that stand in for the hardware
//   flash      folder that is the board's flash
//   simulated  whether the outside says how far time goes
//   start      "main": boot.py and main.py, "prompt": neither, "raw": nor the friendly prompt (as after a soft reset
//              at the raw one)
//   machine    what `machine` knows: cause, memory, uid, i2c, levels, ...
// After that see outside.mjs. The process ends with a line [time, "reset", cause] or when it is killed.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadMicroPython } from "../../vm/node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs";
import { Files } from "./files.mjs";
import { Heap } from "./heap.mjs";
import { Lines, leave } from "./lines.mjs";
import { Outside } from "./outside.mjs";
import { Serial } from "./serial.mjs";
import { Watchdog } from "./watchdog.mjs";

const lines = new Lines();
await lines.begun();
const job = lines.next(Infinity);
const outside = new Outside(lines, job.simulated);
const serial = new Serial(outside);
const files = new Files(
  job.flash,
  () => {
    outside.say("cut");
    leave();
  },
  () => outside.passes(job.machine.flash_us),
);
const watchdog = new Watchdog();
await watchdog.begun();

const micropython = await loadMicroPython({
  heapsize: job.heap,
  linebuffer: false,
  stdout: (bytes) => serial.printed(bytes),
  stderr: (bytes) => serial.printed(bytes),
  stdin: () => null,
});
const heap = new Heap(micropython);

// What the board asks for itself, besides what goes outside: [kind, ...] -> text.
const answers = {
  take: (count) => serial.take(count),
  interrupt: (byte) => serial.interruptedBy(byte),
  watchdog: (milliseconds) => watchdog.guards(milliseconds),
  collect: () => heap.collect(),
  reset: (cause) => {
    serial.flush();
    outside.say("reset", cause);
    leave();
  },
};

// All that the stand-ins know of the world:
//   swap("")       the time, in microseconds since power-on, as digits
//   swap("1234")   waits so long: the time, or JSON [time, [event, ...], microseconds left] if something came in
//   swap("[...]")  JSON [kind, ...]: a question from above, or said to the outside
function swap(text) {
  if (text !== "") serial.flush();
  if (text[0] === "[") {
    const [kind, ...rest] = JSON.parse(text);
    if (kind in answers) return answers[kind](...rest) ?? "";
    outside.say(kind, ...rest);
    return "";
  }
  if (text === "") return String(outside.read());
  watchdog.rests(true);
  const before = outside.time();
  const events = own(serial.heard(outside.wait(Number(text))));
  watchdog.rests(false);
  if (!events.length) return String(outside.time());
  return JSON.stringify([outside.time(), events, Math.max(0, Number(text) - (outside.time() - before))]);
}

// Takes out the events that are for the board's other parts.
function own(events) {
  return events.filter(([stamp, kind, ...rest]) => {
    if (kind === "breaks") files.breaks(...rest);
    else if (kind === "cut") files.cuts(...rest);
    else if (kind === "heap") outside.say("heap", heap.inUse(), heap.counter ?? -1);
    else return true;
    return false;
  });
}

// Runs what is not the board's own program: it must not fail.
function prepare(program) {
  try {
    micropython.runPython(program);
  } catch (error) {
    console.error(error.message); // the error itself would be shown with a line of 100 kB
    process.exit(2);
  }
}

function run(program) {
  serial.running = true;
  watchdog.rests(false);
  try {
    micropython.runPython(program);
    return true;
  } catch (error) {
    if (error.name !== "PythonError") throw error;
    if (error.type === "SystemExit") reset("soft");
    serial.printed(Buffer.from(error.message.trimEnd().replaceAll("\n", "\r\n") + "\r\n"));
    serial.flush();
    outside.say("ended", error.type, error.message);
    return false;
  } finally {
    watchdog.rests(true);
    serial.running = false;
    serial.flush();
  }
}

function reset(cause) {
  serial.printed(Buffer.from("MPY: soft reboot\r\n"));
  serial.flush();
  outside.say("reset", cause, serial.raw);
  leave();
}

function prompt() {
  const feed = (byte) => {
    serial.running = true;
    watchdog.rests(false);
    const ended = micropython.replProcessChar(byte);
    watchdog.rests(true);
    serial.running = false;
    serial.flush();
    if (ended) reset("soft");
  };
  const deliver = micropython.pyimport("outside").deliver;
  serial.silent = job.start === "raw";
  micropython.replInit();
  serial.silent = false;
  if (job.start === "raw") {
    serial.raw = true;
    feed(1);
  }
  serial.flush();
  outside.say("prompt");
  for (;;) {
    for (let byte = serial.next(); byte !== undefined; byte = serial.next()) feed(byte);
    const events = own(serial.heard(outside.wait(Infinity))).filter(([, kind]) => kind !== "serial");
    if (events.length) deliver(JSON.stringify(events));
  }
}

micropython.registerJsModule("bridge", { swap });
micropython.registerJsModule("hostfiles", {
  stat: (path) => files.stat(path),
  list: (path) => files.list(path),
  read: (path) => files.read(path),
  write: (path, hex) => files.write(path, hex),
  mkdir: (path) => files.mkdir(path),
  remove: (path) => files.remove(path),
  rename: (path, target) => files.rename(path, target),
});
micropython.FS.mkdirTree("/standins");
for (const name of readdirSync(job.standins)) {
  if (name.endsWith(".py")) micropython.FS.writeFile(`/standins/${name}`, readFileSync(join(job.standins, name)));
}
micropython.globals.set("_job", JSON.stringify(job.machine));
prepare("import sys\nsys.path[:] = ['/standins']\nimport install\ninstall.install(_job)\ndel _job, install, sys");
outside.begin();
outside.say("on");
// What the ROM says at every start: noise to whoever talks packets.
serial.printed(Buffer.from(`\r\nrst:0x${job.machine.cause},boot:0x13 (SPI_FAST_FLASH_BOOT)\r\n`));

if (job.start === "main") {
  let went = true;
  for (const name of ["boot.py", "main.py"]) {
    if (!went || !files.stat("/" + name).startsWith("f")) continue;
    went = run(`__import__("program").run("${name}")`);
  }
  if (went) outside.say("ended", "", "");
}
prompt();
