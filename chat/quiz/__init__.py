"""The quiz of the companion without a model: what can be asked, how an answer is judged, and how it goes on."""
