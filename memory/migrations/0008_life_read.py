"""Whether the facts of a memory's words were read: of those that are there already, they were not."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("memory", "0007_life"),
    ]

    operations = [
        migrations.AddField(
            model_name="memorynode",
            name="life_read",
            field=models.BooleanField(default=False),
        ),
        migrations.AlterField(
            model_name="memorynode",
            name="life_read",
            field=models.BooleanField(default=True),
        ),
        migrations.AddIndex(
            model_name="memorynode",
            index=models.Index(
                condition=models.Q(("life_read", False)), fields=["space"], name="memory_node_life_unread"
            ),
        ),
    ]
