"""How much may come in, and how often."""

#: bytes of one request, before anything of it is parsed; a pack of 3 MB fits as base64
REQUEST_BYTES = 4 * 1024 * 1024
#: bytes of a pack that goes out in an answer; larger ones are written by `manage.py`
PACK_BYTES = 16 * 1024 * 1024
#: what a pack that comes in may unpack to
UNPACKED_BYTES = 64 * 1024 * 1024
#: requests of one agent a minute, by whichever token; a turn of its takes about four
REQUESTS_A_MINUTE = 300
QUERY_CHARS = 8_000
ID_CHARS = 200
MOST_FOUND = 100
