"""What a model answers about a batch of memories. The form it is given is narrow; what it says is checked afterwards."""

from typing import Literal

from pydantic import BaseModel, Field

#: insights of one answer, and the characters of one; a batch holds no more memories than that
MOST_INSIGHTS = 20
LONGEST_CHARS = 1200


class ReadInsight(BaseModel):
    """One lasting memory, as a model gave it."""

    category: Literal["background", "strengths", "struggles", "goals"]
    content: str = Field(
        min_length=1,
        max_length=LONGEST_CHARS,
        description="One statement a line, in the person's own words and language.",
    )
    confidence: float = Field(ge=0, le=1, description="From 0 to 1: how plainly the memories say it.")
    sources: list[int] = Field(
        min_length=1, max_length=MOST_INSIGHTS, description="Numbers of the new memories that it says all of."
    )
    renews: list[int] = Field(
        default_factory=list,
        max_length=MOST_INSIGHTS,
        description="Numbers of the known memories whose place it takes, because it says all of them too.",
    )


class ReadInsights(BaseModel):
    insights: list[ReadInsight] = Field(max_length=MOST_INSIGHTS)
