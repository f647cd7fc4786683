"""What is installed is what is pinned, what is pinned is what is asked for, and each pin names one release."""

import re
from importlib.metadata import PackageNotFoundError, distribution

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from companion_site.running import PROJECT

PIN = re.compile(r"[A-Za-z0-9._-]+==[0-9][\w.+!]*( ; .+)?")
#: The pair of files each set is made of, with the pins it stands on.
SETS = {
    "requirements": (),
    "requirements-voice": ("requirements",),
    "tests/requirements": ("requirements",),
}

#: What every environment has before anything is installed.
THERE_ALREADY = {"pip", "setuptools"}


def read(name):
    lines = (PROJECT / name).read_text().splitlines()
    return [line for line in (line.split(" #")[0].strip() for line in lines) if line and line[0] not in "#-"]


def pins(name):
    return {canonicalize_name(found.name): found for found in map(Requirement, read(f"{name}.txt"))}


def test_every_pin_is_exact():
    """One version a package, from the index: no range, address, path or option that leads elsewhere."""
    for name in SETS:
        wrong = [line for line in read(f"{name}.txt") if not PIN.fullmatch(line)]
        assert wrong == [], name
        listed = [canonicalize_name(Requirement(line).name) for line in read(f"{name}.txt")]
        assert len(listed) == len(set(listed)), name


def test_what_is_asked_for_is_pinned():
    """Each line of the .in file has its pin, which fits it."""
    for name in SETS:
        pinned = pins(name)
        for wanted in map(Requirement, read(f"{name}.in")):
            pin = pinned[canonicalize_name(wanted.name)]
            (version,) = pin.specifier
            assert wanted.specifier.contains(version.version, prereleases=True), wanted


def test_what_the_pins_need_is_pinned():
    """An installation from the pins brings nothing that they do not name; where it is installed, it is that release."""
    for name, below in SETS.items():
        known = THERE_ALREADY | {key for part in (name, *below) for key in pins(part)}
        for key, pin in pins(name).items():
            try:
                installed = distribution(key)
            except PackageNotFoundError:
                assert name == "requirements-voice" or pin.marker, key
                continue
            (version,) = pin.specifier
            assert installed.version == version.version, key
            for text in installed.requires or []:
                need = Requirement(text)
                applies = any(
                    need.marker is None or need.marker.evaluate({**default_environment(), "extra": extra})
                    for extra in pin.extras or {""}
                )
                assert not applies or canonicalize_name(need.name) in known, f"{key} needs {need.name}"
