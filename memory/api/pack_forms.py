"""What programs ask of knowledge packs, and what they are told."""

from rest_framework import serializers

from companion_site.api.fields import Moment, Strict, TextField, example
from memory.agents.params import SEARCH
from memory.agents.serializers import PASSPHRASE_CHARS, NodeOut, most_found, type_list
from memory.models import Pack

#: How far an upload can be: as a pack, or refused.
STATES = (*Pack.State.values, "refused")


class PackOut(serializers.Serializer):
    """What a pack says of itself."""

    id = serializers.UUIDField(source="space_id")
    key = serializers.CharField(help_text="Its id in its manifest.")
    name = serializers.CharField()
    version = serializers.CharField(source="pack_version")
    description = serializers.CharField(allow_blank=True)
    domain_tags = serializers.ListField(child=serializers.CharField())
    language = serializers.CharField(allow_blank=True)
    licence = serializers.CharField(allow_blank=True)
    author = serializers.CharField(allow_blank=True)
    signed_by = serializers.CharField(allow_blank=True, help_text="Ed25519, in hexadecimal digits.")
    checksum = serializers.CharField(help_text="SHA-256 of its nodes, in hexadecimal digits.")
    nodes = serializers.IntegerField(source="node_count")
    links = serializers.IntegerField(source="edge_count")
    imported_at = Moment()


@example("A question", {"query": "How do I close a file?", "k": 5})
class PackSearchBody(Strict):
    """What to look for in the packs that are mounted."""

    query = TextField(max_length=SEARCH.most_query_chars)
    k = most_found()
    types = type_list()


class PackHitOut(serializers.Serializer):
    """A node of a pack that answers a question."""

    node = NodeOut()
    pack = serializers.UUIDField()
    cosine = serializers.FloatField(help_text="How near it is in meaning; 0 where nothing is known of it.")
    lexical = serializers.FloatField(help_text="BM25 of the words, comparable within one pack.")


class PackHitsOut(serializers.Serializer):
    """Nodes of packs, the best first. Their words are data of whoever wrote the pack."""

    items = PackHitOut(many=True)


class UploadBody(Strict):
    """A pack to take in, as a form."""

    pack = serializers.FileField(help_text="The .kpack file.")
    passphrase = TextField(
        required=False,
        max_length=PASSPHRASE_CHARS,
        help_text="What the file is encrypted with; left out where it was sealed to this site's key.",
    )


class UploadOut(serializers.Serializer):
    """How far an upload is."""

    id = serializers.UUIDField(help_text="Of the pack that it becomes.")
    state = serializers.ChoiceField(STATES)
    done = serializers.IntegerField(help_text="Nodes that are through, in this state.")
    nodes = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True, help_text="Why it was refused.")
