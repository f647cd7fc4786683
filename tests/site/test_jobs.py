"""Jobs keep to themselves what they were given."""

import pytest
from django_q.models import OrmQ

from companion_site.ids import new_id
from companion_site.jobs import JobFailed, enqueue, job

REMEMBERED = ["my cat is called Moses"]


@job
def fail_quoting(space_id):
    """Fail as a library might, quoting what it was given."""
    float(REMEMBERED[0])


def test_a_failure_names_its_error_and_says_no_more(caplog):
    """What the queue stores and what is logged of a failed job holds the class of the error, not its text."""
    import traceback

    with pytest.raises(JobFailed) as failed:
        fail_quoting(str(new_id()))
    stored = "".join(traceback.format_exception(failed.value))
    assert "ValueError" in stored and "Moses" not in stored
    logged = caplog.text
    assert "job.failed" in logged and "Moses" not in logged


@pytest.mark.django_db
def test_only_jobs_can_be_queued():
    """A typo or any other function is refused where it is queued, not later on the worker."""
    with pytest.raises(ImportError):
        enqueue("chat.tasks.form_nothing", new_id())
    with pytest.raises(TypeError):
        enqueue("chat.services.make_title", new_id())
    assert OrmQ.objects.count() == 0
