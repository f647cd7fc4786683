"""One gateway to language models: a reply is streamed, structured data is extracted, and there is always an answer."""
