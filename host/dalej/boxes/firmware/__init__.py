"""From an empty board to a box: the firmware compiled, a flash image, and the programs that write them."""
