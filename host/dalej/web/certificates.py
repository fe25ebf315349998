"""The club's own authority, and the certificate by which this computer speaks TLS in the hall: kept in the club's
folder for its owner alone. The authority stays, so that devices trust it once; the certificate is made anew when
addresses change or it nears its end.

The authority may speak for nothing but networks of one's own and the names it was made with (RFC 5280, 4.2.1.10):
whoever stole its key could not pretend to be a bank. Apple takes serverAuth and 825 days at most, 397 for those who are
strict (support.apple.com/103769 and 102028).
"""

from __future__ import annotations

import datetime as dt
import ipaddress
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from dalej.boxes.folder import alone, expect_private, write_whole
from dalej.errors import Damaged, Unreachable
from dalej.words import N_, cause

AUTHORITY: Final = "serve.authority.pem"
CERTIFICATE: Final = "serve.certificate.pem"
AUTHORITY_DAYS: Final = 1_825
DAYS: Final = 397
_SOON: Final = dt.timedelta(days=30)  # a league's evening, and the next
_BEFORE: Final = dt.timedelta(days=1)  # a tablet's clock may be slow
_OWN_NETWORKS: Final = (
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8", "fc00::/7", "fe80::/10",
    "::1/128",
)  # fmt: skip
_OWN_DOMAINS: Final = ("local", "localhost")


@dataclass(frozen=True, slots=True)
class Identity:
    """`file`: certificate and key in PEM; `authority`: DER, to be handed out; `anew`: devices must trust it anew."""

    file: Path
    authority: bytes
    anew: bool

    @property
    def fingerprint(self) -> str:
        """The authority's, SHA-256, as systems show it: `AB:CD:…`."""
        return x509.load_der_x509_certificate(self.authority).fingerprint(hashes.SHA256()).hex(":").upper()


@dataclass(frozen=True, slots=True)
class _Held:
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey


def identity(folder: Path, called: Collection[str], wall_ms: int) -> Identity:
    """For these names and numbers of this computer, at that Unix time; made where it is not there or does no more.

    `folder`: the club's. Refused if others can read a key, Damaged if a file is none, Unreachable if it cannot be
    written.
    """
    now = dt.datetime.fromtimestamp(wall_ms / 1000, dt.UTC)
    names = sorted({name.lower().rstrip(".") for name in called} - {""})
    with alone(folder):
        authority = _read(folder / AUTHORITY)
        anew = authority is None or not _lasts(authority, now) or not _may_speak_for(authority, names)
        if authority is None or anew:
            authority = _made_authority(names, now)
            _write(folder / AUTHORITY, authority)
        own = None if anew else _read(folder / CERTIFICATE)
        if own is None or not _lasts(own, now) or not _is_of(own, authority, names):
            _write(folder / CERTIFICATE, _made_certificate(authority, names, now))
    return Identity(folder / CERTIFICATE, authority.certificate.public_bytes(serialization.Encoding.DER), anew)


def _made_authority(names: Iterable[str], now: dt.datetime) -> _Held:
    key = ec.generate_private_key(ec.SECP256R1())
    started = now.date().isoformat()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Dalej {started}")])  # lists show it: which one is old
    networks = [ipaddress.ip_network(one) for one in _OWN_NETWORKS]
    permitted: list[x509.GeneralName] = [x509.IPAddress(one) for one in networks]
    domains = list(_OWN_DOMAINS)
    for one in names:
        number = _number(one)
        if number is None:
            domains.append(one)
        elif not any(number in network for network in networks):
            permitted.append(x509.IPAddress(ipaddress.ip_network(number)))
    permitted += [x509.DNSName(one) for one in dict.fromkeys(domains)]
    subject_key = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    made = (
        _begun(name, name, key, now, now + dt.timedelta(days=AUTHORITY_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(subject_key, critical=False)
        .sign(key, hashes.SHA256())
    )
    return _Held(made, key)


def _made_certificate(authority: _Held, names: Iterable[str], now: dt.datetime) -> _Held:
    key = ec.generate_private_key(ec.SECP256R1())
    issuer = authority.certificate
    end = min(now - _BEFORE + dt.timedelta(days=DAYS), issuer.not_valid_after_utc)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Dalej")])
    subject_key = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    made = (
        _begun(subject, issuer.subject, key, now, end)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([_general(one) for one in names]), critical=False)
        .add_extension(subject_key, critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key()), critical=False)
        .sign(authority.key, hashes.SHA256())
    )
    return _Held(made, key)


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, now: dt.datetime, end: dt.datetime
) -> x509.CertificateBuilder:  # fmt: skip
    return (
        x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - _BEFORE).not_valid_after(end)
    )  # fmt: skip


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates, key_cert_sign=signs_certificates, crl_sign=signs_certificates,
        content_commitment=False, key_encipherment=False, data_encipherment=False, key_agreement=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _number(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _general(name: str) -> x509.GeneralName:
    number = _number(name)
    return x509.DNSName(name) if number is None else x509.IPAddress(number)


def _lasts(held: _Held, now: dt.datetime) -> bool:
    return held.certificate.not_valid_before_utc <= now <= held.certificate.not_valid_after_utc - _SOON


def _may_speak_for(authority: _Held, names: Iterable[str]) -> bool:
    permitted = authority.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
    of = list(permitted.permitted_subtrees or ())
    domains = [one.value for one in of if isinstance(one, x509.DNSName)]
    networks = [one.value for one in of if isinstance(one, x509.IPAddress)]

    def may(name: str) -> bool:
        number = _number(name)
        if number is None:
            return any(name == domain or name.endswith(f".{domain}") for domain in domains)
        return any(not isinstance(one, ipaddress.IPv4Address | ipaddress.IPv6Address) and number in one
                   for one in networks)  # fmt: skip

    return all(may(name) for name in names)


def _is_of(own: _Held, authority: _Held, names: list[str]) -> bool:
    """Signed by that authority, for exactly these names: those of another network's past are nobody's business here."""
    try:
        own.certificate.verify_directly_issued_by(authority.certificate)
    except (ValueError, TypeError, InvalidSignature):
        return False
    san = own.certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return set(san) == {_general(one) for one in names}


def _read(file: Path) -> _Held | None:
    try:
        with file.open("rb") as opened:
            expect_private(
                opened,
                N_("{file} holds the certificate's key and can be read by others on this computer: expected its "
                   "owner alone, chmod 600 {file}"),
                file=str(file),
            )  # fmt: skip
            text = opened.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unreachable(N_("{file} cannot be read: {problem}"), file=str(file), problem=cause(error)) from error
    try:
        key = serialization.load_pem_private_key(text, None)
        certificate = x509.load_pem_x509_certificate(text)
    except (ValueError, TypeError):
        raise _damaged(file) from None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
        raise _damaged(file)
    return _Held(certificate, key)


def _damaged(file: Path) -> Damaged:
    return Damaged(N_("{file} is no certificate with its key: remove it, and another one is made"), file=str(file))


def _write(file: Path, held: _Held) -> None:
    """Key and certificate in one file: they are never of two different moments."""
    key = held.key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    write_whole(file, (held.certificate.public_bytes(serialization.Encoding.PEM) + key).decode())
