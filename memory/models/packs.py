"""Knowledge packs: open, read-only memory that came in one archive. A pack is a space of its own; others mount it."""

from django.contrib.postgres.indexes import OpClass
from django.db import models
from django.db.models.functions import Cast
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField, HnswIndex

from companion_site.embeddings.bundled import DIMENSION, MODEL
from companion_site.vault.fields import (
    ContentBytesField,
    ContentJSONField,
    ContentTextField,
    ContentVectorField,
)
from companion_site.vault.rows import SpaceForeignKey, SpaceModel, share
from memory.models.agents import NodeType
from memory.models.graph import VectorRow


class Pack(SpaceModel):
    """What a pack says of itself, and how far its import is. Nobody sees its nodes before it is ready."""

    class State(models.TextChoices):
        IMPORTING = "importing", _("Being imported")
        EMBEDDING = "embedding", _("Being embedded")
        READY = "ready", _("Ready")

    key = models.CharField(_("key"), max_length=100, help_text=_("Its id in its manifest."))
    name = models.CharField(_("name"), max_length=200)
    pack_version = models.CharField(_("version"), max_length=50)
    description = models.TextField(_("description"), blank=True)
    domain_tags = models.JSONField(_("domains"), default=list, blank=True)
    language = models.CharField(_("language"), max_length=5, blank=True)
    licence = models.CharField(_("licence"), max_length=100, blank=True)
    author = models.CharField(_("author"), max_length=200, blank=True)
    #: Ed25519 public key that signed it, as hexadecimal digits; "" where none did
    signed_by = models.CharField(_("signed by"), max_length=64, blank=True)
    #: SHA-256 of the archive's nodes, as hexadecimal digits
    checksum = models.CharField(_("checksum"), max_length=64)
    node_count = models.PositiveIntegerField(_("nodes"), default=0)
    edge_count = models.PositiveIntegerField(_("edges"), default=0)
    done = models.PositiveIntegerField(_("nodes done"), default=0)
    state = models.CharField(_("state"), max_length=16, choices=State, default=State.IMPORTING)
    imported_at = models.DateTimeField(_("imported"))
    touched_at = models.DateTimeField(_("last progress"))

    class Meta(SpaceModel.Meta):
        verbose_name = _("knowledge pack")
        verbose_name_plural = _("knowledge packs")
        ordering = ["name", "id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_pack_one", fields=["space"]),
        ]

    def __str__(self):
        return f"{self.name} {self.pack_version}"


class PackNode(SpaceModel):
    """One node of a pack."""

    #: counts a pack's nodes from 0, in the order of their paths
    position = models.PositiveIntegerField(_("position"))
    path = ContentTextField(_("path"))
    type = models.CharField(_("type"), max_length=16, choices=NodeType)
    label = ContentTextField(_("label"))
    payload = ContentJSONField(_("payload"), default=dict, blank=True)
    children = ContentJSONField(_("children"), default=dict, blank=True)
    tags = ContentJSONField(_("tags"), default=list, blank=True)
    meta = ContentJSONField(_("meta"), default=dict, blank=True)
    #: what is searched and embedded: label and payload in words
    text = ContentTextField()
    #: a node that stands for its domain where a search finds too little
    is_default = models.BooleanField(_("default of its domain"), default=False)

    class Meta(SpaceModel.Meta):
        verbose_name = _("pack's node")
        verbose_name_plural = _("packs' nodes")
        ordering = ["path"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_pack_node_path", fields=["space", "path"]),
            models.UniqueConstraint(name="memory_pack_node_position", fields=["space", "position"]),
        ]
        indexes = [
            models.Index(
                name="memory_pack_node_default", fields=["space"], condition=models.Q(is_default=True)
            ),
        ]

    def __str__(self):
        return f"{self.get_type_display()} {str(self.pk)[-6:]}"


class PackVector(VectorRow):
    """A node's vector under one embedding model; an index for each model searches it (`memory.packs.vectors`)."""

    node = SpaceForeignKey(PackNode, on_delete=models.CASCADE, related_name="vectors")
    embedding = ContentVectorField()

    class Meta(VectorRow.Meta):
        verbose_name = _("pack's vector")
        verbose_name_plural = _("packs' vectors")
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_pack_vector_once", fields=["space", "node", "model"]),
        ]
        indexes = [
            HnswIndex(
                OpClass(Cast("embedding", HalfVectorField(dimensions=DIMENSION)), name="halfvec_cosine_ops"),
                name="memory_packvector_bundled",
                condition=models.Q(model=MODEL),
            )
        ]


class PackPosting(SpaceModel):
    """In which nodes of a pack a word stands, and what it weighs there (BM25): the pack's lexical index, a row a word.

    An index of PostgreSQL's own would not do: row-level security keeps a search from using it.
    """

    term = ContentTextField()
    #: (n,) int32 positions of nodes, little-endian, rising; then (n,) float32 weights
    postings = ContentBytesField()

    class Meta(SpaceModel.Meta):
        verbose_name = _("word of a pack")
        verbose_name_plural = _("words of packs")
        ordering = ["term"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_pack_posting_once", fields=["space", "term"]),
        ]


class PackEdge(SpaceModel):
    """A typed, weighted link between two nodes of one pack."""

    source = SpaceForeignKey(PackNode, on_delete=models.CASCADE, related_name="edges_out")
    target = SpaceForeignKey(PackNode, on_delete=models.CASCADE, related_name="edges_in")
    rel = models.CharField(_("relation"), max_length=50)
    weight = share(_("weight"))

    class Meta(SpaceModel.Meta):
        verbose_name = _("pack's edge")
        verbose_name_plural = _("packs' edges")
        ordering = ["id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(
                name="memory_pack_edge_once", fields=["space", "source", "target", "rel"]
            ),
            models.CheckConstraint(
                name="memory_pack_edge_weight", condition=models.Q(weight__gte=0, weight__lte=1)
            ),
        ]
        indexes = [models.Index(name="memory_pack_edge_target", fields=["space", "target"])]

    def __str__(self):
        return self.rel


class PackMount(SpaceModel):
    """That a space reads a pack beside its own memory. A row of the space that reads."""

    pack_space_id = models.UUIDField(_("pack's space"))
    mounted_at = models.DateTimeField(_("mounted"))

    class Meta(SpaceModel.Meta):
        verbose_name = _("mounted pack")
        verbose_name_plural = _("mounted packs")
        ordering = ["id"]
        constraints = [
            *SpaceModel.Meta.constraints,
            models.UniqueConstraint(name="memory_pack_mount_once", fields=["space", "pack_space_id"]),
        ]

    def __str__(self):
        return str(self.pack_space_id)
