"""The campaign behind docs/proof.md: stories by the thousand, each from its seed, and what was counted in them."""
