// Time, and what comes in and goes out.
//
// A line to the outside is [time, kind, ...], and [time, "waits", until] where the outside must say how to go on. A line
// from it is {"in": [[stamp, kind, ...], ...], "until": time}: events, and (simulated time) how far to go alone. A stamp is
// a time, null: when the line is heard, or (real time) {"after": microseconds}: so long after that.
export class Outside {
  constructor(lines, simulated) {
    this.lines = lines;
    this.simulated = simulated;
    this.origin = performance.now();
    this.now = 0; // simulated time, microseconds
    this.horizon = 0;
    this.urgent = false; // something was said that the outside may want to answer before time goes on
    this.events = [];
  }

  // Power-on is now: what node needed to start is not the board's time.
  begin() {
    this.origin = performance.now();
  }

  time() {
    return this.simulated ? this.now : Math.round((performance.now() - this.origin) * 1000);
  }

  say(kind, ...rest) {
    this.lines.say([this.time(), kind, ...rest]);
    if (URGENT.has(kind)) this.urgent = true;
  }

  // Simulated time that the program spends without a look at anything.
  passes(microseconds) {
    if (this.simulated) this.now += microseconds;
  }

  // The time, for a program that asks: in simulated time that costs a little, so that nobody waits for ever by asking.
  read() {
    if (this.simulated) this.now += 10;
    return this.time();
  }

  // What came in, after so many microseconds or as soon as something does; Infinity: not before something does.
  wait(microseconds) {
    return this.simulated ? this.#simulate(microseconds) : this.#live(microseconds);
  }

  #live(microseconds) {
    const target = this.time() + microseconds;
    for (;;) {
      const first = this.events.length ? this.events[0][0] : Infinity;
      const line = this.lines.next(Math.max(0, (Math.min(first, target) - this.time()) / 1000));
      if (line !== undefined) this.#hear(line);
      while (this.lines.ready.length) this.#hear(this.lines.next(0));
      const now = this.time();
      const events = this.#due(now);
      if (events.length || now >= target) return events;
    }
  }

  #simulate(microseconds) {
    const target = this.now + microseconds;
    for (;;) {
      const first = this.events.length ? this.events[0][0] : Infinity;
      const at = Math.min(first, target);
      if (!this.urgent && at <= this.horizon) {
        this.now = Math.max(this.now, at);
        return this.#due(this.now);
      }
      if (!this.urgent) this.now = Math.max(this.now, Math.min(this.horizon, target));
      this.urgent = false;
      this.lines.say([this.now, "waits", target === Infinity ? null : target]);
      this.#hear(this.lines.next(Infinity));
    }
  }

  #hear(line) {
    this.horizon = Math.max(this.horizon, line.until ?? 0);
    const now = this.time();
    for (const [stamp, ...event] of line.in ?? []) this.events.push([this.#stamped(stamp, now), ...event]);
    this.events.sort((one, other) => one[0] - other[0]); // stable: events of one instant keep their order
  }

  #stamped(stamp, now) {
    if (stamp === null) return now;
    if (typeof stamp === "object") return now + stamp.after;
    return this.simulated ? Math.max(stamp, now) : stamp;
  }

  // Takes out the events whose time has come.
  #due(now) {
    let count = 0;
    while (count < this.events.length && this.events[count][0] <= now) count++;
    return this.events.splice(0, count);
  }
}

// The radio and the serial port have somebody at the other end; displays and sounds have not.
const URGENT = new Set(["register", "advertise", "notify", "disconnect", "value", "serial", "reset", "heap"]);
