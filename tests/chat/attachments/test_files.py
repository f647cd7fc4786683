"""What a file is, its content says: pictures are made anew, text is kept, all else is refused with a reason."""

import io
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from chat.attachments.files import ATTACHMENTS, check_file, clean_name, make_picture, read_text
from companion_site.errors import InvalidInput
from tests.chat.attachments.samples import MAKER, PLACE, bomb, photograph, picture

pytestmark = pytest.mark.spec("C2")

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HTML = b"<html><script>alert(1)</script></html>"


def test_a_photograph_loses_its_place_and_stands_upright():
    """Nothing that the camera wrote is left in the bytes, and the picture is as it was seen."""
    given = photograph()
    assert PLACE in given and MAKER in given
    made = check_file("Ada i Lund.jpg", given)
    assert (made.width, made.height) == (30, 60) and made.media_type == "image/jpeg"
    assert PLACE not in made.content and MAKER not in made.content and b"Exif" not in made.content
    with Image.open(io.BytesIO(made.content)) as image:
        assert not image.getexif() and {"exif", "comment", "icc_profile"}.isdisjoint(image.info)


def test_every_kind_that_is_allowed_becomes_one_that_models_read():
    """WebP and GIF are not for every model; a see-through picture stays so, a large one is made smaller."""
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    moving = picture("GIF", save_all=True, append_images=frames)
    clear = io.BytesIO()
    Image.new("RGBA", (8, 8), (0, 0, 0, 0)).save(clear, "WEBP")
    kinds = {
        "a.png": (picture("PNG"), "image/png"),
        "a.jpg": (picture("JPEG"), "image/jpeg"),
        "a.webp": (picture("WEBP"), "image/jpeg"),
        "clear.webp": (clear.getvalue(), "image/png"),
        "moves.gif": (moving, "image/png"),
        "wide.txt": (picture("PNG", (5000, 10)), "image/png"),
    }
    for name, (content, media_type) in kinds.items():
        made = check_file(name, content)
        assert made.media_type == media_type, name
        with Image.open(io.BytesIO(made.content)) as image:
            assert image.size == (made.width, made.height) and max(image.size) <= ATTACHMENTS.longest_side
    noise = Image.frombytes("RGB", (1200, 1200), Random(1).randbytes(1200 * 1200 * 3))
    file = io.BytesIO()
    noise.save(file, "PNG", compress_level=0)
    assert check_file("noise.png", file.getvalue()).media_type == "image/jpeg"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("empty.txt", b"", "empty"),
        ("blank.md", b" \n\t\n", "empty"),
        ("drawing.svg", SVG, "Only pictures"),
        ("page.png", HTML, "Only pictures"),
        ("programme.txt", b"MZ\x90\x00\x03", "Only pictures"),
        ("archive.json", b"PK\x03\x04\x14\x00\x00", "Only pictures"),
        ("paper.pdf", b"%PDF-1.7\nplain words", "Only pictures"),
        ("half.png", picture("PNG", (300, 300))[:90], "damaged"),
        ("head.jpg", b"\xff\xd8\xff\xe0", "damaged"),
        ("head.gif", b"GIF89a", "damaged"),
        ("head.webp", b"RIFF\x04\x00\x00\x00WEBPVP8 ", "damaged"),
        ("bomb.png", bomb(), "too many pixels"),
        ("almost a bomb.png", bomb(4_001, 4_000), "too many pixels"),
        ("long.txt", b"x" * (ATTACHMENTS.text_bytes + 1), "larger than 0.954 MB"),
        ("large.png", picture() + bytes(20_000), "larger than"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_what_cannot_be_attached_is_told_why(settings, name, content, reason):
    """In words of the page's own, which repeat neither the name nor what is in it."""
    if name == "large.png":
        settings.ATTACHMENT_MAX_BYTES = 20_000
    with pytest.raises(InvalidInput) as refused:
        check_file(name, content)
    assert reason in str(refused.value) and name not in str(refused.value)


@given(st.sampled_from(["PNG", "JPEG", "GIF", "WEBP"]), st.data())
def test_a_damaged_picture_is_read_or_refused(form, data):
    """Whatever bytes of it are wrong, it never fails in another way."""
    content = bytearray(picture(form, (17, 13)))
    for _count in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    try:
        made = make_picture("picture", bytes(content))
    except InvalidInput:
        return
    assert max(made.width, made.height) <= ATTACHMENTS.longest_side


def test_text_is_read_in_the_letters_it_was_written_in():
    """Swedish spreadsheets of three kinds say the same; controls make it no text."""
    for content in ("Åsa;40".encode(), "Åsa;40".encode("utf-8-sig"), "Åsa;40".encode("utf-16"), b"\xc5sa;40"):
        assert read_text(content) == "Åsa;40"
        assert check_file("kassa.csv", content).content == "Åsa;40".encode()
    assert check_file("page.html", HTML).media_type == check_file("svg.txt", SVG).media_type == "text/plain"
    assert read_text(b"a\x00b") is None and read_text("a\x00".encode("utf-16")) is None


def test_a_name_is_one_harmless_line():
    """Without folders, line breaks and signs that turn letters round; the ending is kept."""
    names = {
        "../../etc/passwd": "passwd",
        "C:\\Users\\ada\\Bild 1.png": "Bild 1.png",
        "evil\u202egnp.txt\r\nSet-Cookie: x": "evilgnp.txt Set-Cookie: x",
        "": "file",
        "...": "file",
        "\u202e\x00": "file",
        "x" * 300 + ".csv": "x" * 95 + "….csv",
    }
    assert {given: clean_name(given) for given in names} == names
