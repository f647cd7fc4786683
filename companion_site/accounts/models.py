"""People and where they belong: schools with classes, companies."""

from typing import ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from companion_site.ids import new_id
from companion_site.vault.rows import SpaceModel


class School(models.Model):
    """A school; its staff edit one world graph."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(_("name"), max_length=200)
    world_space_id = models.UUIDField(_("world graph"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("school")
        verbose_name_plural = _("schools")
        ordering = ["name"]

    def __str__(self):
        return self.name


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
    """A program that works with the site over the API, by the name and secret it logs in with."""

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

    company = models.ForeignKey(
        Company, on_delete=models.CASCADE, related_name="business_systems", verbose_name=_("company")
    )

    class Meta:
        verbose_name = _("business system")
        verbose_name_plural = _("business systems")
        ordering = ["company", "name"]
        constraints = [models.UniqueConstraint(fields=["company", "name"], name="accounts_business_system")]


class PersonManager(BaseUserManager["Person"]):
    def create_person(self, username, *, password, **fields):
        """Make a person who can log in; their space is made by `accounts.services.create_person`."""
        person = self.model(username=self.model.normalize_username(username), **fields)
        person.set_password(password)
        person.save(force_insert=True)
        return person

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
    username = models.CharField(_("log-in name"), max_length=64, unique=True)
    display_name = models.CharField(_("name"), max_length=100)
    role = models.CharField(_("role"), max_length=16, choices=Role)
    language = models.CharField(_("language"), max_length=5, choices=[("en", "English"), ("sv", "Svenska")])
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

    objects = PersonManager()

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        ordering = ["username"]

    def __str__(self):
        return self.username

    @property
    def is_staff(self) -> bool:
        """Whether the admin opens for this person."""
        return self.role == self.Role.STAFF

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


class ApiToken(SpaceModel):
    """What lets a program work in somebody's name: a row of the sealed space that it opens, with a key slot of its own.

    The space is a person's own, or an agent's that a person owns; the program acts as that person.
    """

    name = models.CharField(_("name"), max_length=100, help_text=_("Auditors see it."))
    slot_id = models.UUIDField(_("key slot"), null=True, blank=True)
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
