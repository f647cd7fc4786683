"""Fields that the forms of several pages have: a day, and a list of words."""

from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator


class DayField(forms.DateField):
    """A day, as a browser's picker or a program writes it; `refusal` is said to what is none within the bounds."""

    def __init__(self, *, bounds: tuple[date, date] | None = None, refusal: Any = None, **given: Any) -> None:
        if refusal is not None:
            given["error_messages"] = {"invalid": refusal}
        if bounds is not None:
            given["validators"] = [
                MinValueValidator(bounds[0], refusal),
                MaxValueValidator(bounds[1], refusal),
            ]
        picker = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        super().__init__(**{"widget": picker, "input_formats": ["%Y-%m-%d"], **given})


class LinesField(forms.CharField):
    """Several words, names or topics, one on a line; where `commas` is set, also with commas between them."""

    def __init__(self, *, commas: bool = False, **given: Any) -> None:
        widget = forms.Textarea(attrs={"rows": 2 if commas else 3})
        super().__init__(**{"widget": widget, **given})
        self.commas = commas

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]  # a field of lines gives a list
        text = super().to_python(value) or ""
        lines = text.replace(",", "\n").splitlines() if self.commas else text.splitlines()
        return [line.strip() for line in lines if line.strip()]

    def prepare_value(self, value: Any) -> Any:
        between = ", " if self.commas else "\n"
        return value if isinstance(value, str) or value is None else between.join(value)
