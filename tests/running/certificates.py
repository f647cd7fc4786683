"""A certificate that a proxy of a test serves with, and that its clients trust."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

NAME = "companion.school.example"


def make_certificate(place: Path) -> Path:
    """Write `fullchain.pem` and `privkey.pem`, signed by itself, for `NAME`; return the first."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number()).not_valid_before(now - timedelta(days=1))
    builder = builder.not_valid_after(now + timedelta(days=2))
    alternative = x509.SubjectAlternativeName([x509.DNSName(NAME)])
    certificate = builder.add_extension(alternative, critical=False).sign(key, hashes.SHA256())
    chain = place / "fullchain.pem"
    chain.write_bytes(certificate.public_bytes(Encoding.PEM))
    (place / "privkey.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return chain
