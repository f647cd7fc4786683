"""`manage.py rotate_audit_key`: replace the keys that seal events and sign checkpoints."""

from django.core.management.base import BaseCommand
from django.utils import timezone

from companion_site.audit.checkpoint_services import rotate_keys
from companion_site.audit.keys import get_audit_keys


class Command(BaseCommand):
    help = "Replace the keys of the audit record; the old ones stay good for what they signed and sealed."

    def handle(self, *args, **options):
        key = rotate_keys(now=timezone.now())
        self.stdout.write(f"Key {key} is in use. Its public key: {get_audit_keys().public_key(key).hex()}")
