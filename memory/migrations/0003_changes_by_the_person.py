from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memory', '0002_compression_and_contradictions'),
    ]

    operations = [
        migrations.AlterField(
            model_name='memorychange',
            name='kind',
            field=models.CharField(choices=[('superseded', 'Superseded'), ('merged', 'Merged'), ('pruned', 'Pruned'), ('consolidated', 'Consolidated'), ('forgotten', 'Forgotten by the person'), ('corrected', 'Corrected by the person')], max_length=16, verbose_name='kind'),
        ),
    ]
