"""The edge of the box: the only code that knows a chip. It decides nothing; what it is told goes to `moveclock`."""
