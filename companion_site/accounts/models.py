"""People and where they belong: schools with classes, companies."""

import math
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.contrib.sessions.base_session import AbstractBaseSession, BaseSessionManager
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from companion_site.ids import new_id
from companion_site.llm.help_lines import find_unnumbered, load_lines
from companion_site.vault.rows import SpaceModel


class School(models.Model):
    """A school; its staff edit one world graph."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(_("name"), max_length=200)
    world_space_id = models.UUIDField(_("world graph"), null=True, blank=True, editable=False)
    country = models.CharField(
        _("country"),
        max_length=2,
        blank=True,
        help_text=_(
            "Two letters, such as SE: whose help lines a student in danger is told. Empty: the site's."
        ),
    )
    help_lines = models.TextField(
        _("help lines of its own"),
        max_length=500,
        blank=True,
        help_text=_("Whom its students can turn to, one a line, such as: School nurse Eva, 040-12 34 56."),
    )

    class Meta:
        verbose_name = _("school")
        verbose_name_plural = _("schools")
        ordering = ["name"]

    def __str__(self):
        return self.name

    def clean(self):
        """Refuse a country that nobody has help lines of, and a line of its own without a telephone number."""
        self.country, refused = self.country.upper(), dict[str, Any]()
        if self.country and self.country not in load_lines(settings.HELP_LINES):
            refused["country"] = _("There are no help lines of this country (HELP_LINES).")
        unnumbered = find_unnumbered(self.help_lines)
        if unnumbered is not None:
            no_number = _(
                "There is no telephone number in “%(line)s”. Each line says who answers and a number, such as: School nurse Eva, 040-12 34 56."
            )
            refused["help_lines"] = no_number % {"line": unnumbered}
        if refused:
            raise ValidationError(refused)


class Company(models.Model):
    """A company; its members share one open space."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(_("name"), max_length=200)
    space_id = models.UUIDField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("company")
        verbose_name_plural = _("companies")
        ordering = ["name"]

    def __str__(self):
        return self.name


class SchoolClass(models.Model):
    """A class of a school, with its students and teachers."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    school = models.ForeignKey(
        School, on_delete=models.CASCADE, related_name="classes", verbose_name=_("school")
    )
    name = models.CharField(_("name"), max_length=100)
    people: models.ManyToManyField = models.ManyToManyField(
        "Person", through="ClassMembership", related_name="classes"
    )

    class Meta:
        verbose_name = _("class")
        verbose_name_plural = _("classes")
        ordering = ["school", "name"]
        constraints = [models.UniqueConstraint(fields=["school", "name"], name="accounts_class_name")]

    def __str__(self):
        return self.name


class System(models.Model):
    """A program that works with the site over the API, by the name and secret it logs in with.

    Attributes:
        OWNER: what a kind calls its one key: the school or the company that it belongs to.
    """

    OWNER: ClassVar[str]

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(_("name"), max_length=100)
    secret_hash = models.CharField(max_length=128, editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        abstract = True

    def __str__(self):
        return self.name


class LearningSystem(System):
    """A learning platform of a school that reports lessons."""

    OWNER = "school"

    school = models.ForeignKey(
        School, on_delete=models.CASCADE, related_name="learning_systems", verbose_name=_("school")
    )

    class Meta:
        verbose_name = _("learning system")
        verbose_name_plural = _("learning systems")
        ordering = ["school", "name"]
        constraints = [models.UniqueConstraint(fields=["school", "name"], name="accounts_learning_system")]


class BusinessSystem(System):
    """A company's own program, such as its accounts, that reports key figures and deadlines."""

    OWNER = "company"

    company = models.ForeignKey(
        Company, on_delete=models.CASCADE, related_name="business_systems", verbose_name=_("company")
    )

    class Meta:
        verbose_name = _("business system")
        verbose_name_plural = _("business systems")
        ordering = ["company", "name"]
        constraints = [models.UniqueConstraint(fields=["company", "name"], name="accounts_business_system")]


class PersonManager(BaseUserManager["Person"]):
    def get_by_natural_key(self, username):
        return super().get_by_natural_key(self.model.normalize_username(username))

    def create_superuser(self, username, password=None, **fields):
        """Make staff with every permission, for `manage.py createsuperuser`; like everybody they get a space."""
        from companion_site.accounts.services import create_person

        fields = {"display_name": username, "language": "en", **fields}
        return create_person(
            username,
            password=password,
            now=timezone.now(),
            role=Person.Role.STAFF,
            is_superuser=True,
            **fields,
        ).person


def languages() -> list[tuple[str, str]]:
    """Return the languages of the pages by their code."""
    return settings.LANGUAGES


class Person(AbstractBaseUser, PermissionsMixin):
    """Somebody with a log-in, in exactly one role."""

    class Role(models.TextChoices):
        STUDENT = "student", _("Student")
        BUSINESS = "business", _("Business user")
        TEACHER = "teacher", _("Teacher")
        AUDITOR = "auditor", _("Auditor")
        STAFF = "staff", _("Staff")

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    username = models.CharField(
        _("log-in name"), max_length=64, unique=True, validators=[UnicodeUsernameValidator()]
    )
    display_name = models.CharField(_("name"), max_length=100)
    role = models.CharField(_("role"), max_length=16, choices=Role)
    language = models.CharField(_("language"), max_length=5, choices=languages)
    school = models.ForeignKey(
        School, on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("school")
    )
    company = models.ForeignKey(
        Company, on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("company")
    )
    space_id = models.UUIDField(_("personal space"), null=True, blank=True, editable=False)
    is_active = models.BooleanField(_("active"), default=True)
    memory_on = models.BooleanField(
        _("memory on"), default=True, help_text=_("Off: nothing is remembered and nothing recalled.")
    )
    welcomed_at = models.DateTimeField(_("welcomed"), null=True, blank=True, editable=False)

    objects = PersonManager()

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        ordering = ["username"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(username=Lower("username")), name="accounts_person_log_in_name"
            )
        ]

    def __str__(self):
        return self.username

    @classmethod
    def normalize_username(cls, username):
        """Return a log-in name as it is kept: in lower case, however it was typed."""
        return super().normalize_username(username).lower()

    @property
    def is_staff(self) -> bool:
        """Whether the admin opens for this person."""
        return self.role == self.Role.STAFF

    @property
    def told(self) -> str:
        """Who this is, as staff choose from many: "Ada (ada), Student, North"."""
        named = f"{self.display_name} ({self.username})"
        return ", ".join(
            filter(None, [named, self.get_role_display(), str(self.school or self.company or "")])
        )

    @property
    def authority(self) -> str:
        """What a log-in of this person rests on, as one hash: password, role, school and company as they stand."""
        parts = (self.password, self.role, self.school_id or "", self.company_id or "")
        return sha256("|".join(map(str, parts)).encode()).hexdigest()

    @property
    def can_chat(self) -> bool:
        return self.role in (self.Role.STUDENT, self.Role.BUSINESS)

    @property
    def has_memory_pages(self) -> bool:
        return self.role == self.Role.STUDENT

    @property
    def teaches(self) -> bool:
        return self.role == self.Role.TEACHER

    @property
    def audits(self) -> bool:
        """Whether this person looks over a school's metadata."""
        return self.role == self.Role.AUDITOR and self.school_id is not None

    @property
    def audits_company(self) -> bool:
        """Whether this person looks over a company's memory with its whole history."""
        return self.role == self.Role.AUDITOR and self.company_id is not None and self.school_id is None


class Authority(models.Func):
    """`Person.authority` as the database computes it from a person's row."""

    template = "encode(sha256(convert_to(concat(%(expressions)s), 'UTF8')), 'hex')"
    arg_joiner = ", '|', "
    output_field = models.CharField()

    @classmethod
    def of(cls, person: str) -> "Authority":
        """Return it for the person that a column of this name points to."""
        return cls(*(models.F(f"{person}__{name}") for name in ("password", "role", "school", "company")))


class SessionQuerySet(models.QuerySet["Session"]):
    OF_SOMEBODY = models.Q(person__is_active=True, authority=Authority.of("person"))

    def standing(self, *, now: datetime) -> "SessionQuerySet":
        """Keep the log-ins that still hold: not ended, not idle for too long, of an active person who is what they were."""
        return self.filter(self.OF_SOMEBODY, expire_date__gt=now)

    def usable(self, *, now: datetime) -> "SessionQuerySet":
        """Keep those, and the sessions of browsers that nobody has logged in with."""
        return self.filter(models.Q(person__isnull=True) | self.OF_SOMEBODY, expire_date__gt=now)


class Session(AbstractBaseSession):
    """One log-in in one browser. Whether it still holds is a question to this row and its person's, asked each time.

    Its data holds the key of the person's space, encrypted under a key that only the browser has (`vault.sessions`).
    """

    # The key opens the log-in, so no address or list may name a row by it.
    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    session_key = models.CharField(max_length=40, unique=True, editable=False)
    person = models.ForeignKey(
        "Person",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        db_constraint=False,
        related_name="+",
        verbose_name=_("person"),
    )
    authority = models.CharField(max_length=64, blank=True, editable=False)
    browser = models.CharField(_("browser"), max_length=60, blank=True)
    started_at = models.DateTimeField(_("logged in"), default=timezone.now)

    objects: ClassVar = BaseSessionManager.from_queryset(SessionQuerySet)()

    class Meta(AbstractBaseSession.Meta):
        abstract = False
        ordering = ["-started_at"]

    @classmethod
    def get_session_store_class(cls):
        from companion_site.accounts.sessions import SessionStore

        return SessionStore

    @property
    def last_used_at(self) -> datetime:
        return self.expire_date - timedelta(seconds=settings.SESSION_COOKIE_AGE)

    def __str__(self):
        return str(self.id)


class ClassMembership(models.Model):
    """A student or teacher of a class."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    school_class = models.ForeignKey(SchoolClass, on_delete=models.CASCADE, verbose_name=_("class"))
    person = models.ForeignKey(Person, on_delete=models.CASCADE, verbose_name=_("person"))

    class Meta:
        verbose_name = _("class membership")
        verbose_name_plural = _("class memberships")
        constraints = [
            models.UniqueConstraint(fields=["school_class", "person"], name="accounts_membership_once"),
        ]

    def __str__(self):
        return f"{self.person_id} in {self.school_class_id}"

    def clean(self):
        """Refuse who is not of the class's school: its teachers see how its students are."""
        if self.person_id and self.person.school_id != self.school_class.school_id:
            stranger = _("%(person)s is not of %(school)s: a class has only people of its own school.")
            names = {"person": self.person.told, "school": self.school_class.school}
            raise ValidationError({"person": stranger % names})


class LimitCount(models.Model):
    """How much of a limit is used up: by whom is kept as a keyed hash, never as a name or an address.

    What was counted leaks away evenly: `until` is the moment from which nothing of it is left. The table is unlogged: after a
    crash of the database everybody begins anew.
    """

    key = models.CharField(primary_key=True, max_length=32)
    limit = models.CharField(_("limit"), max_length=32)
    who = models.CharField(_("who"), max_length=32, help_text=_("A keyed hash."))
    most = models.PositiveIntegerField(_("most"))
    step = models.DurationField(_("forgotten after"))
    until = models.DateTimeField(_("all forgotten"))

    class Meta:
        verbose_name = _("attempt being counted")
        verbose_name_plural = _("attempts being counted")
        ordering = ["-until"]
        indexes = [models.Index(name="accounts_limit_until", fields=["until"])]

    def __str__(self):
        return self.limit

    def used(self, now: datetime) -> int:
        """Return how many of `most` are used up."""
        return max(0, math.ceil((self.until - now) / self.step))

    @property
    def shown(self) -> str:
        """How much is used up now: "7 / 10"."""
        return f"{self.used(timezone.now())} / {self.most}"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def standing(self):
        """Keep those that were neither used nor withdrawn; they may have run out."""
        return self.filter(used_at__isnull=True, withdrawn_at__isnull=True)


class Invitation(models.Model):
    """That a person may choose a password, once, by a code that staff handed over; one at a time."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    person = models.ForeignKey(
        Person, on_delete=models.CASCADE, related_name="invitations", verbose_name=_("person")
    )
    code_hash = models.BinaryField(max_length=32, unique=True)
    created_at = models.DateTimeField(_("created"))
    expires_at = models.DateTimeField(_("expires"))
    used_at = models.DateTimeField(_("used"), null=True, blank=True)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                name="accounts_invitation_one_standing",
                fields=["person"],
                condition=models.Q(used_at__isnull=True, withdrawn_at__isnull=True),
            ),
        ]

    def __str__(self):
        return str(self.pk)[-6:]


class ApiToken(SpaceModel):
    """What lets a program work in somebody's name: a row of the sealed space that it opens, with a key slot of its own.

    The space is a person's own, or an agent's that a person owns; the program acts as that person.
    """

    name = models.CharField(_("name"), max_length=100, help_text=_("Auditors see it."))
    slot_id = models.UUIDField(_("key slot"), null=True, blank=True)
    role = models.CharField(
        _("role"), max_length=16, choices=Person.Role, help_text=_("Of its person, when it was made.")
    )
    scopes = models.JSONField(_("scopes"), default=list)
    created_at = models.DateTimeField(_("created"))
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta(SpaceModel.Meta):
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        ordering = ["-id"]
        constraints = [*SpaceModel.Meta.constraints]

    def __str__(self):
        return self.name
