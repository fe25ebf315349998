"""What happened at a table: facts of its boxes, and what folds over them tell."""
