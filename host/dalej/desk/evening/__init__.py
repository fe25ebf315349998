"""What `dalej run` keeps going by itself while a tournament is played."""
