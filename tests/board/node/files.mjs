// The board's flash: a folder of this computer. A file changes as a whole or not at all, like one that littlefs has
// closed. Every function answers a string: its result, or "!" and an errno of MicroPython's.
import * as fs from "node:fs";
import { join, normalize, relative } from "node:path";

const ERRNO = { ENOENT: 2, EIO: 5, EACCES: 13, EPERM: 13, EEXIST: 17, ENOTDIR: 20, EISDIR: 21, EINVAL: 22, ENOSPC: 28, ENAMETOOLONG: 36, ENOTEMPTY: 39 };

export class Files {
  constructor(root, cut, stall) {
    this.root = root;
    this.cut = cut; // ends the board
    this.stall = stall; // called with every change: the chip takes its time
    this.broken = 0; // errno that every change fails with; 0: the flash works
    this.left = Infinity; // so many changes work, then `broken` holds
    this.until = Infinity; // so many changes until the power goes in the next
    this.serial = 0;
  }

  cuts(after) {
    this.until = after;
  }

  breaks(errno, after) {
    this.broken = errno;
    this.left = after ?? 0;
  }

  stat(path) {
    return this.#answer(() => {
      const stat = fs.statSync(this.#place(path));
      return stat.isDirectory() ? "d 0" : `f ${stat.size}`;
    });
  }

  list(path) {
    return this.#answer(() =>
      JSON.stringify(
        fs.readdirSync(this.#place(path), { withFileTypes: true }).filter((entry) => !entry.name.startsWith(".new."))
          .map((entry) => [entry.name, entry.isDirectory(), entry.isDirectory() ? 0 : fs.statSync(join(this.#place(path), entry.name)).size]),
      ),
    );
  }

  read(path) {
    return this.#answer(() => {
      const place = this.#place(path);
      if (fs.statSync(place).isDirectory()) throw { code: "EISDIR" };
      return fs.readFileSync(place).toString("hex");
    });
  }

  write(path, hex) {
    return this.#change(path, () => {
      const place = this.#place(path);
      if (fs.existsSync(place) && fs.statSync(place).isDirectory()) throw { code: "EISDIR" };
      const fresh = join(place, "..", `.new.${this.serial++}`);
      fs.writeFileSync(fresh, Buffer.from(hex, "hex"));
      fs.renameSync(fresh, place);
      return "";
    });
  }

  mkdir(path) {
    return this.#change(path, () => fs.mkdirSync(this.#place(path)));
  }

  remove(path) {
    return this.#change(path, () => {
      const place = this.#place(path);
      if (fs.statSync(place).isDirectory()) fs.rmdirSync(place);
      else fs.unlinkSync(place);
    });
  }

  rename(path, target) {
    return this.#change(path, () => fs.renameSync(this.#place(path), this.#place(target)));
  }

  #place(path) {
    const place = normalize(join(this.root, path));
    if (relative(this.root, place).startsWith("..")) throw { code: "ENOENT" };
    return place;
  }

  #change(path, act) {
    if (this.until-- <= 0) this.cut();
    this.stall();
    if (this.broken) {
      if (this.left <= 0) return `!${this.broken}`;
      this.left--;
    }
    return this.#answer(act);
  }

  #answer(act) {
    try {
      return act() ?? "";
    } catch (error) {
      if (error.code === undefined) throw error;
      return `!${ERRNO[error.code] ?? 5}`;
    }
  }
}
