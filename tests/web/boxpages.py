"""A box that is a page: where its buttons are, what it holds, and a browser that is killed while it writes, or closes
what it writes to.
"""

from __future__ import annotations

from typing import Final

from dalej.simulator.box import MemoryFlash
from moveclock.journal import Journal

TABLET: Final = {"viewport": {"width": 1024, "height": 768}, "has_touch": True, "is_mobile": True}
JUZ: Final = {seat: f"[data-contact='{2 * seat}']" for seat in range(4)}
RUNNING, STOPPED = "2", "4"
GUARDED_S: Final = 0.4  # a move's first 300 ms take no tap

EVERYTHING: Final = """() => new Promise(done => {
    const asked = indexedDB.open("dalej-box", 1);
    asked.onsuccess = () => {
        const files = asked.result.transaction("files").objectStore("files"), found = {};
        files.openCursor().onsuccess = ({target: {result}}) => {
            if (!result) { asked.result.close(); return done(found); }
            found[result.key] = result.value; result.continue();
        };
    };
})"""
KILLED_AT: Final = """left => {
    const put = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function (...asked) {
        const begun = put.apply(this, asked);
        if (asked[1] === "readwrite" && --left === 0) begun.abort(), left = 1; // from here on nothing is written
        return begun;
    };
}"""

CLOSED: Final = """gone => {
    const put = IDBDatabase.prototype.transaction;
    IDBDatabase.prototype.transaction = function (...asked) {
        IDBDatabase.prototype.transaction = put;
        this.close();
        if (gone) indexedDB.deleteDatabase(this.name);
        return put.apply(this, asked);
    };
}"""


def records(files: dict[str, str]) -> dict[int, bytes]:
    """Every fact that is written down, by its number."""
    flash = MemoryFlash()
    for path, data in files.items():
        if path.endswith("/"):
            flash.folders.add(path.rstrip("/"))
        elif not path.startswith("self/"):
            flash.files[path] = bytes.fromhex(data)
    journal = Journal(flash, bytes.fromhex(files["self/uid"]), 1)
    journal.mount()
    found = {seq: journal.record(seq) for seq in range(journal.oldest, journal.head + 1)}
    return {seq: record for seq, record in found.items() if record is not None}
