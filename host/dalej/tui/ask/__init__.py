"""What a referee is asked before an act is done: menus, one dialog made of the catalogue, the passages it rests on."""
