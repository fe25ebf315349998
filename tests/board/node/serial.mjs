// The board's serial port: what Python prints and writes goes out as it is, what comes in waits for whoever reads it.
export class Serial {
  constructor(outside) {
    this.outside = outside;
    this.out = [];
    this.input = [];
    this.interruptByte = 3;
    this.running = false; // a program runs: the interrupt byte is for it
    this.raw = false; // the prompt is the raw one
    this.silent = false;
  }

  printed(bytes) {
    if (this.silent) return;
    for (const byte of bytes) this.out.push(byte);
    if (this.out.length > 4096) this.flush();
  }

  flush() {
    if (!this.out.length) return;
    const bytes = Buffer.from(this.out);
    this.out = [];
    this.outside.say("serial", bytes.toString("hex"));
  }

  // So many bytes of what came in, as hex.
  take(count) {
    return Buffer.from(this.input.splice(0, count)).toString("hex");
  }

  interruptedBy(byte) {
    this.interruptByte = byte;
  }

  // Keeps the bytes that came in; in their place stand their number, or the interrupt.
  heard(events) {
    const seen = [];
    for (const event of events) {
      const [stamp, kind, hex] = event;
      if (kind !== "serial") {
        seen.push(event);
        continue;
      }
      let count = 0;
      for (const byte of Buffer.from(hex, "hex")) {
        if (this.running && byte === this.interruptByte) {
          this.input = [];
          count = 0;
          seen.push([stamp, "interrupt"]);
        } else {
          this.input.push(byte);
          count++;
        }
      }
      if (count) seen.push([stamp, "serial", count]);
    }
    return seen;
  }

  // The prompt's next byte. This build's raw-paste mode would wait for standard input: it is refused, as a board may.
  next() {
    if (!this.input.length) return undefined;
    if (this.input[0] === 5) {
      if (this.input.length < 3 && this.input[1] !== 65 && this.input.length > 1) return this.input.shift();
      if (this.input.length < 3) return undefined;
      if (this.input[1] === 65 && this.input[2] === 1) {
        this.input.splice(0, 3);
        this.printed(Buffer.from("R\x00"));
        this.flush();
        return this.next();
      }
    }
    const byte = this.input.shift();
    if (byte === 1) this.raw = true;
    if (byte === 2) this.raw = false;
    return byte;
  }
}
