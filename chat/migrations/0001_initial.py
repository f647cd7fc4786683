import companion_site.ids
import companion_site.vault.fields
import companion_site.vault.rows
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('vault', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Import',
            fields=[
                ('id', models.UUIDField(default=companion_site.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('state', models.CharField(choices=[('receiving', 'Uploading'), ('reading', 'Being read'), ('ready', 'Waiting for your yes'), ('keeping', 'Being kept'), ('kept', 'Kept'), ('failed', 'Not taken in'), ('removing', 'Being removed'), ('removed', 'Removed'), ('restoring', 'Coming back')], default='receiving', max_length=16, verbose_name='state')),
                ('problem', models.CharField(blank=True, choices=[('not_json', 'This is no export: it is not JSON, or it is damaged.'), ('cut_short', 'The file ends in the middle. Please save the export again.'), ('too_deep', 'The file is nested far deeper than any export is.'), ('unknown', 'There is no conversation of ChatGPT, Claude or Open WebUI in it.'), ('bad_zip', 'The zip is damaged or locked. Unpack it and choose conversations.json.'), ('zip_bomb', 'What is packed into the zip is too large, or too many files.'), ('too_large', 'The export is too large to read here. Choose a part of it.'), ('one_too_large', 'One conversation in it is too large to read here.'), ('too_many', 'There are more messages in it than can be remembered well.')], max_length=16, verbose_name='problem')),
                ('files', companion_site.vault.fields.SealedJSONField()),
                ('preview', companion_site.vault.fields.SealedJSONField(null=True)),
                ('created_at', models.DateTimeField(verbose_name='created')),
                ('done', models.IntegerField(default=0, verbose_name='conversations done')),
                ('total', models.IntegerField(default=0, verbose_name='conversations')),
                ('kept_at', models.DateTimeField(blank=True, null=True, verbose_name='kept')),
                ('removed_at', models.DateTimeField(blank=True, null=True, verbose_name='removed')),
                ('author', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='vault.space', verbose_name='space')),
            ],
            options={
                'verbose_name': 'import',
                'verbose_name_plural': 'imports',
                'ordering': ['-id'],
                'abstract': False,
                'indexes': [models.Index(fields=['space', 'author', '-id'], name='chat_import_author')],
                'constraints': [models.UniqueConstraint(fields=('space', 'id'), name='chat_import_space_id')],
            },
        ),
        migrations.CreateModel(
            name='ImportPart',
            fields=[
                ('id', models.UUIDField(default=companion_site.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('file', 'Piece of a file'), ('conversation', 'Conversation')], max_length=16, verbose_name='kind')),
                ('file', models.IntegerField(default=0, verbose_name='file')),
                ('number', models.IntegerField(verbose_name='number')),
                ('size', models.IntegerField(default=0, verbose_name='bytes')),
                ('began_at', models.DateTimeField(blank=True, null=True, verbose_name='began')),
                ('content', companion_site.vault.fields.SealedBytesField()),
                ('source', companion_site.vault.rows.SpaceForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='parts', to='chat.import')),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='vault.space', verbose_name='space')),
            ],
            options={
                'verbose_name': 'part of an import',
                'verbose_name_plural': 'parts of imports',
                'ordering': ['file', 'number'],
                'abstract': False,
                'constraints': [models.UniqueConstraint(fields=('space', 'id'), name='chat_importpart_space_id'), models.UniqueConstraint(fields=('space', 'source', 'kind', 'file', 'number'), name='chat_import_part')],
            },
        ),
        migrations.CreateModel(
            name='Conversation',
            fields=[
                ('id', models.UUIDField(default=companion_site.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('title', companion_site.vault.fields.SealedTextField(null=True)),
                ('summary', companion_site.vault.fields.SealedTextField(null=True)),
                ('draft', companion_site.vault.fields.SealedTextField(null=True)),
                ('summarised_until', models.IntegerField(default=0, help_text='Position up to which the summary reaches.')),
                ('memory_on', models.BooleanField(default=True, help_text='Off: nothing is remembered and nothing recalled.', verbose_name='memory on')),
                ('created_at', models.DateTimeField(verbose_name='created')),
                ('updated_at', models.DateTimeField(verbose_name='last message')),
                ('pinned_at', models.DateTimeField(blank=True, null=True, verbose_name='pinned')),
                ('archived_at', models.DateTimeField(blank=True, null=True, verbose_name='archived')),
                ('deleted_at', models.DateTimeField(blank=True, null=True, verbose_name='deleted')),
                ('extracted_until', models.IntegerField(default=0, help_text='Position up to which it has been read.')),
                ('extract_at', models.DateTimeField(blank=True, help_text='When it is read next.', null=True, verbose_name='to be read at')),
                ('origin', models.UUIDField(blank=True, null=True)),
                ('author', models.ForeignKey(db_constraint=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('brought_by', companion_site.vault.rows.SpaceForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='conversations', to='chat.import')),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='vault.space', verbose_name='space')),
            ],
            options={
                'verbose_name': 'conversation',
                'verbose_name_plural': 'conversations',
                'ordering': ['-id'],
                'abstract': False,
                'indexes': [models.Index(fields=['space', 'author', '-updated_at'], name='chat_conversation_recent'), models.Index(condition=models.Q(('extract_at__isnull', False)), fields=['space', 'extract_at'], name='chat_conversation_to_read'), models.Index(condition=models.Q(('deleted_at__isnull', False)), fields=['space', 'deleted_at'], name='chat_conversation_deleted')],
                'constraints': [models.UniqueConstraint(fields=('space', 'id'), name='chat_conversation_space_id'), models.UniqueConstraint(condition=models.Q(('origin__isnull', False)), fields=('space', 'author', 'origin'), name='chat_conversation_origin')],
            },
        ),
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.UUIDField(default=companion_site.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('position', models.IntegerField(verbose_name='position')),
                ('version_of', models.UUIDField(blank=True, null=True)),
                ('set_aside_with', models.UUIDField(blank=True, null=True)),
                ('role', models.CharField(choices=[('person', 'Person'), ('companion', 'Companion')], max_length=16, verbose_name='role')),
                ('state', models.CharField(choices=[('complete', 'Complete'), ('streaming', 'Streaming'), ('stopped', 'Stopped'), ('interrupted', 'Interrupted'), ('failed', 'Failed')], default='complete', max_length=16, verbose_name='state')),
                ('client_id', models.UUIDField(blank=True, help_text='Given by the browser: a resend is harmless.', null=True)),
                ('text', companion_site.vault.fields.SealedTextField(null=True)),
                ('speaker', companion_site.vault.fields.SealedTextField(null=True)),
                ('language', models.CharField(blank=True, max_length=5, verbose_name='language')),
                ('said_at', models.DateTimeField(verbose_name='said')),
                ('streamed_at', models.DateTimeField(blank=True, null=True, verbose_name='last streamed')),
                ('text_removed_at', models.DateTimeField(blank=True, null=True, verbose_name='text removed')),
                ('formed_at', models.DateTimeField(blank=True, null=True, verbose_name='memory formed')),
                ('snr', models.FloatField(blank=True, null=True, verbose_name='signal')),
                ('recalled', models.JSONField(blank=True, default=list, help_text='Ids and scores of the memories in the prompt.', verbose_name='memories used')),
                ('reply_type', models.CharField(blank=True, choices=[('chat', 'Conversation'), ('socratic', 'Guiding question'), ('escalation', 'Points to people who can help')], max_length=16, verbose_name='type of reply')),
                ('personalisation', models.CharField(blank=True, choices=[('none', 'Not personal'), ('low', 'Slightly personal'), ('medium', 'Personal'), ('high', 'Very personal')], max_length=8, verbose_name='personalisation')),
                ('confidence', models.FloatField(blank=True, help_text='Of the memories it draws on, 0 to 1.', null=True, verbose_name='confidence')),
                ('memory_tokens', models.PositiveIntegerField(blank=True, null=True, verbose_name='tokens of memory in the prompt')),
                ('provider', models.CharField(blank=True, max_length=32, verbose_name='provider')),
                ('model', models.CharField(blank=True, max_length=100, verbose_name='model')),
                ('timings_ms', models.JSONField(blank=True, default=dict, verbose_name='timings')),
                ('spoken', models.BooleanField(default=False, help_text='It came in by voice.', verbose_name='spoken')),
                ('steps', models.JSONField(blank=True, default=list, verbose_name='steps')),
                ('outcome', companion_site.vault.fields.SealedJSONField(null=True)),
                ('conversation', companion_site.vault.rows.SpaceForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='chat.conversation')),
                ('parent', companion_site.vault.rows.SpaceForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='children', to='chat.message')),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='vault.space', verbose_name='space')),
            ],
            options={
                'verbose_name': 'message',
                'verbose_name_plural': 'messages',
                'ordering': ['conversation_id', 'position'],
                'abstract': False,
                'indexes': [models.Index(condition=models.Q(('formed_at__isnull', True), ('role', 'person')), fields=['space', 'id'], name='chat_message_to_form'), models.Index(condition=models.Q(('version_of__isnull', False)), fields=['space', 'version_of'], name='chat_message_versions')],
                'constraints': [models.UniqueConstraint(fields=('space', 'id'), name='chat_message_space_id'), models.UniqueConstraint(fields=('space', 'conversation', 'position'), name='chat_message_position'), models.UniqueConstraint(condition=models.Q(('client_id__isnull', False)), fields=('space', 'conversation', 'client_id'), name='chat_message_client_id')],
            },
        ),
        migrations.CreateModel(
            name='Attachment',
            fields=[
                ('id', models.UUIDField(default=companion_site.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('type', models.CharField(choices=[('image/png', 'PNG'), ('image/jpeg', 'JPEG'), ('text/plain', 'Text')], max_length=16, verbose_name='type')),
                ('size', models.IntegerField(verbose_name='bytes')),
                ('width', models.IntegerField(blank=True, null=True, verbose_name='width')),
                ('height', models.IntegerField(blank=True, null=True, verbose_name='height')),
                ('added_at', models.DateTimeField(verbose_name='added')),
                ('name', companion_site.vault.fields.SealedTextField()),
                ('content', companion_site.vault.fields.SealedBytesField()),
                ('conversation', companion_site.vault.rows.SpaceForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='attachments', to='chat.conversation')),
                ('message', companion_site.vault.rows.SpaceForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='attachments', to='chat.message')),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='vault.space', verbose_name='space')),
            ],
            options={
                'verbose_name': 'attachment',
                'verbose_name_plural': 'attachments',
                'ordering': ['id'],
                'abstract': False,
                'constraints': [models.UniqueConstraint(fields=('space', 'id'), name='chat_attachment_space_id')],
            },
        ),
    ]
