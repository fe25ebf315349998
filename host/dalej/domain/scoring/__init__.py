"""What a game is worth: from the racks at its end to points, places and what cannot be right about a sheet."""
