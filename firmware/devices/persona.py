"""Who this box is, once that is known: see devices.identifying."""


class Persona:
    """`paired`: the secret is one that a desk may know. `code`: what is wrong with the identity, 0 for nothing."""

    def __init__(self, uid: bytes) -> None:
        self.uid = uid
        self.secret = b""
        self.paired = False
        self.code = 0
        self.kostka = True
        self.shared = False

    def known_secret(self) -> bytes:
        """The secret that a desk may know, empty if there is none."""
        return self.secret if self.paired else b""
