// Garbage collection in the middle of a program. This build of MicroPython collects only when no program runs, because
// it cannot see the stack of WebAssembly; a board's program never ends. But while a program waits in `swap`, whatever it
// needs is reached from its Python frames, and those lie in memory of their own and are roots. So the collector is made
// to believe that no program runs: by setting the counter of calls from outside to 0, which is found by watching it.
export class Heap {
  constructor(micropython) {
    this.micropython = micropython;
    this.gc = micropython.pyimport("gc");
    this.counter = this.#find();
  }

  // Collect now; only to be called while the program is in `swap`.
  collect() {
    if (this.counter === undefined) return;
    const words = this.#words();
    const depth = words[this.counter];
    words[this.counter] = 0;
    try {
      this.gc.collect();
    } finally {
      this.#words()[this.counter] = depth;
    }
  }

  // Bytes in use after a collection.
  inUse() {
    this.collect();
    return this.gc.mem_alloc();
  }

  #find() {
    let found = this.#where(undefined, 0);
    const look = (depth) => (found = this.#where(found, depth));
    this.micropython.registerJsModule("depth", {
      one: () => {
        look(1);
        this.micropython.runPython("import depth\ndepth.two()");
        look(1);
      },
      two: () => look(2),
    });
    this.micropython.runPython("import depth\ndepth.one()");
    look(0);
    this.micropython.runPython("import sys\ndel sys.modules['depth']\ndel depth, sys");
    return found.length === 1 ? found[0] : undefined;
  }

  // Which of the words `among` (all, if undefined) have this value.
  #where(among, value) {
    const words = this.#words();
    if (among !== undefined) return among.filter((at) => words[at] === value);
    const found = [];
    for (let at = 0; at < Math.min(words.length, 1 << 18); at++) if (words[at] === value) found.push(at);
    return found;
  }

  #words() {
    return new Int32Array(this.micropython._module.HEAPU8.buffer);
  }
}
