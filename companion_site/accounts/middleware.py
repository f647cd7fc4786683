"""The interface speaks the person's own language."""

from django.conf import settings
from django.utils import translation


def language_middleware(get_response):
    """Activate the profile's language for logged-in people who have not chosen another in this browser."""

    def middleware(request):
        chosen = bool(request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME))
        if request.user.is_authenticated and not chosen:
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language()
        return get_response(request)

    return middleware
