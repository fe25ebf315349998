"""Tables that are played without hardware: written games, and halls of simulated players, on the box's own core."""
