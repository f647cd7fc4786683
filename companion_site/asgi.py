"""The site as one ASGI application: pages and sockets."""

import gc
import os
import warnings

from django.core.asgi import get_asgi_application

# What is loaded here stays, and to go over it again and again is a quarter of the start.
gc.disable()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion_site.settings")
# Static files are small and read at once; the warning is for long streams.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
pages = get_asgi_application()

from channels.auth import AuthMiddlewareStack  # noqa: E402  the apps must be loaded first
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from chat.notices import send_from_server  # noqa: E402
from chat.routing import websocket_urlpatterns  # noqa: E402
from chat.upload_bounds import COPIES, IMPORTS, MESSAGES, RECORDINGS  # noqa: E402
from chat.warming import warm_up  # noqa: E402
from companion_site.api.body import BODIES  # noqa: E402
from companion_site.body_limits import bound_bodies  # noqa: E402
from companion_site.characters import with_readable_headers  # noqa: E402
from companion_site.client_address import behind_proxies  # noqa: E402
from companion_site.origins import only_from_our_pages  # noqa: E402
from companion_site.residue import guard_memory  # noqa: E402
from memory.agents.mcp.http import serve_agents  # noqa: E402
from memory.api.packs import UPLOADS  # noqa: E402

guard_memory()
warm_up()

application = behind_proxies(
    send_from_server(
        with_readable_headers(
            ProtocolTypeRouter(
                {
                    "http": serve_agents(
                        bound_bodies(pages, [RECORDINGS, COPIES, IMPORTS, MESSAGES, UPLOADS, BODIES])
                    ),
                    "websocket": only_from_our_pages(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
                }
            )
        )
    )
)
gc.enable()
