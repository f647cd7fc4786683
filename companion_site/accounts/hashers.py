"""The log-in password's hash: Argon2id at the cost of the vault's own derivation, behind the same gate."""

from argon2 import PasswordHasher
from argon2.exceptions import HashingError, VerificationError, VerifyMismatchError
from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher

from companion_site.vault.errors import Busy
from companion_site.vault.gate import derivation_gate


class LogInHasher(Argon2PasswordHasher):
    @property
    def time_cost(self) -> int:  # type: ignore[override]
        return settings.VAULT_ARGON2["iterations"]

    @property
    def memory_cost(self) -> int:  # type: ignore[override]
        return settings.VAULT_ARGON2["memory_cost"]

    @property
    def parallelism(self) -> int:  # type: ignore[override]
        return settings.VAULT_ARGON2["lanes"]

    def encode(self, password: str, salt: str) -> str:
        """Return the hash. Raises Busy where there is no turn or no memory."""
        with derivation_gate().turn():
            try:
                return super().encode(password, salt)
            except HashingError:
                raise Busy() from None

    def verify(self, password: str, encoded: str) -> bool:
        """Tell whether the password fits. Django calls a machine without memory a wrong password; here it is Busy."""
        with derivation_gate().turn():
            _, _, argon2_form = encoded.partition("$")
            try:
                return PasswordHasher().verify(f"${argon2_form}", password)
            except VerifyMismatchError:
                return False
            except VerificationError:
                raise Busy() from None
