import companion_site.ids
import companion_site.vault.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Space',
            fields=[
                ('id', models.UUIDField(default=companion_site.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('personal', 'Personal'), ('company', 'Company'), ('agent', 'Agent'), ('world', 'World graph'), ('pack', 'Knowledge pack')], max_length=16, verbose_name='kind')),
                ('company_id', models.UUIDField(blank=True, db_index=True, null=True)),
                ('school_id', models.UUIDField(blank=True, db_index=True, null=True)),
                ('sealed', models.BooleanField(verbose_name='sealed')),
                ('version', models.BigIntegerField(default=0, help_text='Counts writes to the memory, so that caches know.', verbose_name='version')),
                ('awaiting_key_since', models.DateTimeField(blank=True, help_text='Work is due that needs the key.', null=True, verbose_name='awaiting key since')),
                ('next_sleep_at', models.DateTimeField(blank=True, null=True, verbose_name='next sleep')),
                ('created_at', models.DateTimeField(verbose_name='created')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='closed')),
                ('owner', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
            ],
            options={
                'verbose_name': 'space',
                'verbose_name_plural': 'spaces',
                'ordering': ['-id'],
                'indexes': [models.Index(condition=models.Q(('awaiting_key_since__isnull', False)), fields=['awaiting_key_since'], name='vault_space_awaiting_key'), models.Index(condition=models.Q(('next_sleep_at__isnull', False)), fields=['next_sleep_at'], name='vault_space_next_sleep')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['personal', 'agent']), ('sealed', True)), models.Q(('kind__in', ['company', 'world', 'pack']), ('sealed', False)), _connector='OR'), name='vault_space_sealed_by_kind')],
            },
        ),
        migrations.CreateModel(
            name='SealedBox',
            fields=[
                ('id', models.UUIDField(default=companion_site.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('observation', 'Observation'), ('lesson', 'Lesson'), ('prompt_run', 'Prompt run'), ('snapshot', 'Shared snapshot'), ('transcript', 'Session transcript'), ('metrics', 'Measures of days')], max_length=16, verbose_name='kind')),
                ('statement_id', models.UUIDField(blank=True, null=True, verbose_name='statement')),
                ('sealed_text', models.BinaryField(null=True)),
                ('sent_at', models.DateTimeField(verbose_name='sent')),
                ('opened_at', models.DateTimeField(blank=True, null=True, verbose_name='opened')),
                ('retracted_at', models.DateTimeField(blank=True, null=True, verbose_name='retracted')),
                ('sender', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='sender')),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='vault.space', verbose_name='space')),
            ],
            options={
                'verbose_name': 'sealed box',
                'verbose_name_plural': 'sealed boxes',
                'ordering': ['-id'],
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('opened_at__isnull', True), ('retracted_at__isnull', True)), fields=['space', 'id'], name='vault_sealed_box_unopened')],
                'constraints': [models.UniqueConstraint(fields=('space', 'id'), name='vault_sealedbox_space_id'), models.UniqueConstraint(condition=models.Q(('statement_id__isnull', False)), fields=('space', 'statement_id'), name='vault_sealed_box_statement_once')],
            },
        ),
        migrations.CreateModel(
            name='KeySlot',
            fields=[
                ('id', models.UUIDField(default=companion_site.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('password', 'Password'), ('recovery', 'Recovery code'), ('token', 'API token'), ('lease', 'Lease')], max_length=16, verbose_name='kind')),
                ('salt', models.BinaryField(max_length=32)),
                ('parameters', models.JSONField(default=dict, verbose_name='parameters')),
                ('wrapped_key', models.BinaryField()),
                ('created_at', models.DateTimeField(verbose_name='created')),
                ('expires_at', models.DateTimeField(blank=True, null=True, verbose_name='expires')),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='vault.space', verbose_name='space')),
            ],
            options={
                'verbose_name': 'key slot',
                'verbose_name_plural': 'key slots',
                'abstract': False,
                'constraints': [models.UniqueConstraint(fields=('space', 'id'), name='vault_keyslot_space_id'), models.UniqueConstraint(condition=models.Q(('kind__in', ['password', 'recovery', 'lease'])), fields=('space', 'kind'), name='vault_keyslot_one_of_kind')],
            },
        ),
        migrations.CreateModel(
            name='InboxKey',
            fields=[
                ('id', models.UUIDField(default=companion_site.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('public_key', models.BinaryField()),
                ('private_key', companion_site.vault.fields.SealedTextField()),
                ('created_at', models.DateTimeField(verbose_name='created')),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='vault.space', verbose_name='space')),
            ],
            options={
                'verbose_name': 'inbox key',
                'verbose_name_plural': 'inbox keys',
                'abstract': False,
                'constraints': [models.UniqueConstraint(fields=('space', 'id'), name='vault_inboxkey_space_id'), models.UniqueConstraint(fields=('space',), name='vault_inbox_key_one')],
            },
        ),
    ]
