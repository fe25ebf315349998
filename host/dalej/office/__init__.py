"""The tournament office: what organisers and referees decide, checked against the event as it stands, then written."""
