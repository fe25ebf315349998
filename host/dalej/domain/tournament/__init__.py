"""A tournament as decisions make it: players, rounds, results, who goes on, who stands where."""
