# The board's own partition for files; see machine.pyi.

bdev: object
