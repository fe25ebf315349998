"""What belongs to the club and to no event: its secret, and the boxes it has paired. Both outlive every event file."""
