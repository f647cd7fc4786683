"""The log-in password's hash: Argon2id at no less cost than the vault's own derivation."""

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher


class LogInHasher(Argon2PasswordHasher):
    @property
    def time_cost(self) -> int:  # type: ignore[override]
        return settings.LOGIN_ARGON2["iterations"]

    @property
    def memory_cost(self) -> int:  # type: ignore[override]
        return settings.LOGIN_ARGON2["memory_cost"]

    @property
    def parallelism(self) -> int:  # type: ignore[override]
        return settings.LOGIN_ARGON2["lanes"]
