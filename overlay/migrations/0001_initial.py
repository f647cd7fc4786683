import companion_site.ids
import companion_site.vault.fields
import companion_site.vault.rows
import django.core.validators
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
            name='Concept',
            fields=[
                ('id', models.UUIDField(default=companion_site.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('key', models.CharField(help_text='Its id in world files.', max_length=100, verbose_name='key')),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('aliases', models.JSONField(blank=True, default=list, verbose_name='other names')),
                ('kind', models.CharField(blank=True, max_length=50, verbose_name='kind')),
                ('description', models.TextField(blank=True, verbose_name='description')),
                ('removed_at', models.DateTimeField(blank=True, null=True, verbose_name='removed')),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='vault.space', verbose_name='space')),
            ],
            options={
                'verbose_name': 'concept',
                'verbose_name_plural': 'concepts',
                'ordering': ['name', 'id'],
                'abstract': False,
                'constraints': [models.UniqueConstraint(fields=('space', 'id'), name='overlay_concept_space_id'), models.UniqueConstraint(fields=('space', 'key'), name='overlay_concept_key')],
            },
        ),
        migrations.CreateModel(
            name='ConceptEdge',
            fields=[
                ('id', models.UUIDField(default=companion_site.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('type', models.CharField(choices=[('requires', 'requires'), ('part_of', 'is part of'), ('relates_to', 'relates to')], max_length=16, verbose_name='type')),
                ('source', companion_site.vault.rows.SpaceForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='edges_out', to='overlay.concept')),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='vault.space', verbose_name='space')),
                ('target', companion_site.vault.rows.SpaceForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='edges_in', to='overlay.concept')),
            ],
            options={
                'verbose_name': 'concept edge',
                'verbose_name_plural': 'concept edges',
                'ordering': ['id'],
                'abstract': False,
                'constraints': [models.UniqueConstraint(fields=('space', 'id'), name='overlay_conceptedge_space_id'), models.UniqueConstraint(fields=('space', 'source', 'target', 'type'), name='overlay_concept_edge_once'), models.CheckConstraint(condition=models.Q(('source', models.F('target')), _negated=True), name='overlay_concept_edge_not_to_itself')],
            },
        ),
        migrations.CreateModel(
            name='KnownConcept',
            fields=[
                ('id', models.UUIDField(default=companion_site.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('concept_id', companion_site.vault.fields.SealedTextField()),
                ('concept_hash', models.BinaryField(max_length=32)),
                ('how', models.CharField(choices=[('teacher', 'Opened by a teacher'), ('lesson', 'Introduced by a lesson'), ('person', 'Brought up by the student')], max_length=16, verbose_name='how')),
                ('known_at', models.DateTimeField(verbose_name='known since')),
                ('attitude', models.FloatField(default=0.0, validators=[django.core.validators.MinValueValidator(-1), django.core.validators.MaxValueValidator(1)], verbose_name='attitude')),
                ('familiarity', models.FloatField(default=0.0, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)], verbose_name='familiarity')),
                ('notes', companion_site.vault.fields.SealedTextField(null=True)),
                ('changed_at', models.DateTimeField(verbose_name='changed')),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='vault.space', verbose_name='space')),
            ],
            options={
                'verbose_name': 'known concept',
                'verbose_name_plural': 'known concepts',
                'ordering': ['id'],
                'abstract': False,
                'constraints': [models.UniqueConstraint(fields=('space', 'id'), name='overlay_knownconcept_space_id'), models.UniqueConstraint(fields=('space', 'concept_hash'), name='overlay_known_concept_once'), models.CheckConstraint(condition=models.Q(('attitude__range', (-1, 1)), ('familiarity__range', (0, 1))), name='overlay_known_concept_ranges')],
            },
        ),
        migrations.CreateModel(
            name='KnownEdge',
            fields=[
                ('id', models.UUIDField(default=companion_site.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('edge_id', companion_site.vault.fields.SealedTextField()),
                ('edge_hash', models.BinaryField(max_length=32)),
                ('known_at', models.DateTimeField(verbose_name='known since')),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='vault.space', verbose_name='space')),
            ],
            options={
                'verbose_name': 'known edge',
                'verbose_name_plural': 'known edges',
                'ordering': ['id'],
                'abstract': False,
                'constraints': [models.UniqueConstraint(fields=('space', 'id'), name='overlay_knownedge_space_id'), models.UniqueConstraint(fields=('space', 'edge_hash'), name='overlay_known_edge_once')],
            },
        ),
        migrations.CreateModel(
            name='Repetition',
            fields=[
                ('id', models.UUIDField(default=companion_site.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('item', companion_site.vault.fields.SealedTextField()),
                ('item_hash', models.BinaryField(max_length=32)),
                ('box', models.PositiveSmallIntegerField(verbose_name='box')),
                ('due_on', models.DateField(verbose_name='asked again from')),
                ('question_id', models.UUIDField(verbose_name='question')),
                ('box_before', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('due_before', models.DateField(blank=True, null=True)),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='vault.space', verbose_name='space')),
            ],
            options={
                'verbose_name': 'repetition',
                'verbose_name_plural': 'repetitions',
                'ordering': ['id'],
                'abstract': False,
                'constraints': [models.UniqueConstraint(fields=('space', 'id'), name='overlay_repetition_space_id'), models.UniqueConstraint(fields=('space', 'item_hash'), name='overlay_repetition_once')],
            },
        ),
        migrations.CreateModel(
            name='Opening',
            fields=[
                ('id', models.UUIDField(default=companion_site.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ('school_class_id', models.UUIDField(blank=True, null=True, verbose_name='class')),
                ('person_id', models.UUIDField(blank=True, null=True, verbose_name='student')),
                ('how', models.CharField(choices=[('teacher', 'Opened by a teacher'), ('lesson', 'Introduced by a lesson')], max_length=16, verbose_name='how')),
                ('opened_at', models.DateTimeField(verbose_name='opened')),
                ('closed_at', models.DateTimeField(blank=True, null=True, verbose_name='taken back')),
                ('concept', companion_site.vault.rows.SpaceForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='openings', to='overlay.concept')),
                ('opened_by', models.ForeignKey(blank=True, db_constraint=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='opened by')),
                ('space', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='vault.space', verbose_name='space')),
            ],
            options={
                'verbose_name': 'opening',
                'verbose_name_plural': 'openings',
                'ordering': ['-id'],
                'abstract': False,
                'indexes': [models.Index(fields=['space', 'school_class_id'], name='overlay_opening_of_class'), models.Index(fields=['space', 'person_id'], name='overlay_opening_of_person')],
                'constraints': [models.UniqueConstraint(fields=('space', 'id'), name='overlay_opening_space_id'), models.UniqueConstraint(condition=models.Q(('closed_at__isnull', True), ('school_class_id__isnull', False)), fields=('space', 'concept', 'school_class_id'), name='overlay_opening_class_once'), models.UniqueConstraint(condition=models.Q(('closed_at__isnull', True), ('person_id__isnull', False)), fields=('space', 'concept', 'person_id'), name='overlay_opening_person_once'), models.CheckConstraint(condition=models.Q(models.Q(('person_id__isnull', True), ('school_class_id__isnull', False)), models.Q(('person_id__isnull', False), ('school_class_id__isnull', True)), _connector='OR'), name='overlay_opening_for_one')],
            },
        ),
    ]
