"""Explicit dates in questions, English and Swedish."""

from datetime import UTC, datetime

from memory.algorithms.dates import are_apart, find_ranges

#: A Wednesday.
NOW = datetime(2023, 11, 22, 15, 30, tzinfo=UTC)


def found(text):
    """The ranges as pairs of days, the end left out as in the range."""
    return [
        tuple(datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d") for at in (span.start, span.end))
        for span in find_ranges(text, now=NOW)
    ]


def test_a_day_is_read_however_it_is_written(subtests):
    """Order, ordinals, commas and language make no difference; without a year it is the latest such day."""
    for text in [
        "What happened on 7 May 2023?",
        "What happened on 7 May, 2023?",
        "What happened on May 7, 2023?",
        "What happened on May 7th?",
        "What happened on the 7th of May?",
        "What happened on 2023-05-07?",
        "Vad hände den 7 maj 2023?",
        "Vad hände den 7:e maj?",
    ]:
        with subtests.test(case=text):
            assert found(text) == [("2023-05-07", "2023-05-08")]


def test_months_seasons_and_years_are_whole(subtests):
    """Without a year, the latest that has begun."""
    for text, expected in [
        ("Where did she go in May 2022?", ("2022-05-01", "2022-06-01")),
        ("Where did she go in May?", ("2023-05-01", "2023-06-01")),
        ("Where did she go in December?", ("2022-12-01", "2023-01-01")),
        ("Vart for hon i maj?", ("2023-05-01", "2023-06-01")),
        ("What did they do in summer 2022?", ("2022-06-01", "2022-09-01")),
        ("Vad gjorde de i somras?", ("2023-06-01", "2023-09-01")),
        ("Vad gjorde de vintern 2021?", ("2021-12-01", "2022-03-01")),
        ("What happened in 2021?", ("2021-01-01", "2022-01-01")),
        ("What happened on 31 February 2023?", ("2023-02-01", "2023-03-01")),
        ("Vad hände år 2021?", ("2021-01-01", "2022-01-01")),
    ]:
        with subtests.test(text=text, expected=expected):
            assert found(text) == [expected]


def test_relative_words_are_counted_from_now(subtests):
    """Days of the asker's time zone, weeks from Monday."""
    for text, expected in [
        ("What did I do yesterday?", ("2023-11-21", "2023-11-22")),
        ("Vad gjorde jag i går?", ("2023-11-21", "2023-11-22")),
        ("Vad gjorde jag i förrgår?", ("2023-11-20", "2023-11-21")),
        ("What did I do today?", ("2023-11-22", "2023-11-23")),
        ("What did I do last week?", ("2023-11-13", "2023-11-20")),
        ("Vad gjorde jag förra veckan?", ("2023-11-13", "2023-11-20")),
        ("What have I done this week?", ("2023-11-20", "2023-11-27")),
        ("What did I do last month?", ("2023-10-01", "2023-11-01")),
        ("What did I do last year?", ("2022-01-01", "2023-01-01")),
        ("What did I do last Monday?", ("2023-11-20", "2023-11-21")),
        ("Vad gjorde jag i måndags?", ("2023-11-20", "2023-11-21")),
        ("Vad gjorde jag i helgen?", ("2023-11-17", "2023-11-20")),
        ("What did I say three days ago?", ("2023-11-19", "2023-11-20")),
        ("Vad sade jag för två veckor sedan?", ("2023-11-05", "2023-11-12")),
    ]:
        with subtests.test(text=text, expected=expected):
            assert found(text) == [expected]


def test_words_beside_a_date_move_it(subtests):
    """The week before, the weekend after, the end of."""
    for text, expected in [
        ("What did they do the week before October 4, 2023?", ("2023-09-26", "2023-10-05")),
        ("What did they do the weekend after 4 October 2023?", ("2023-10-04", "2023-10-13")),
        ("Vad gjorde de veckan före den 4 oktober 2023?", ("2023-09-26", "2023-10-05")),
        ("What did they do at the end of summer 2023?", ("2023-07-26", "2023-09-01")),
        ("What did they do in mid-August 2023?", ("2023-08-10", "2023-08-22")),
    ]:
        with subtests.test(text=text, expected=expected):
            assert found(text) == [expected]


def test_words_that_only_look_like_dates_are_left_alone(subtests):
    """May asks, march walks, Mars is a planet and a telephone number is no year."""
    for text in [
        "May I ask who may join the march?",
        "Hur långt är det till planeten Mars?",
        "Did she fall at a summer camp?",
        "Ring 0702-123456 eller 20230 gånger",
        "What is the best time to study?",
        "",
    ]:
        with subtests.test(case=text):
            assert found(text) == []


def test_several_dates_are_all_found_once():
    """A question may compare two times."""
    assert found("What changed between 3 May 2023 and 5 June 2023, after 3 May 2023?") == [
        ("2023-05-03", "2023-05-04"),
        ("2023-06-05", "2023-06-06"),
    ]


def test_two_are_apart_if_both_name_days_and_none_is_shared():
    """ "Last week" holds last Friday; what names no day is apart from nothing."""
    week, friday, year = (find_ranges(text, now=NOW) for text in ("last week", "yesterday", "last year"))
    assert are_apart(friday, year) and not are_apart(week, week)
    assert not are_apart(friday, ()) and not are_apart((), ())


def test_times_beyond_the_calendar_do_no_harm(subtests):
    """Nonsense gives a range or none, never an error."""
    for text in [
        "9999 years ago",
        "on 9999-12-31",
        "on 2023-13-45",
        "on 31 December 9999",
        "in december 9999",
        "999 years ago",
    ]:
        with subtests.test(case=text):
            assert isinstance(find_ranges(text, now=NOW), tuple)


def test_now_without_a_zone_is_taken_as_utc():
    """Memories carry UTC times; a bare clock must not shift with the machine's own zone."""
    assert find_ranges("yesterday", now=NOW.replace(tzinfo=None)) == find_ranges("yesterday", now=NOW)
