"""The live state of a hall over a loopback socket: what the desk hears now goes out, a screen's wishes come in."""
