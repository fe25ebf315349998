"""The flat box: one board for four sides that a board house assembles, its circuit, layout and files to order."""
