"""What can go wrong with listening and speaking.

`status` is the one of HTTP. No message holds content; a provider's own error text may quote it, so it is dropped where it is caught.
"""

from django.utils.translation import gettext_lazy as _

from companion_site.errors import CompanionError


class VoiceError(CompanionError):
    code = "voice.error"
    message = _("That did not work by voice. You can write instead.")
    status = 503


class RecordingRefused(VoiceError):
    """What was recorded cannot be used."""

    code = "voice.refused"
    message = _("This recording cannot be used. You can record it again, or write.")
    status = 422
    reasons = {
        "empty": _("Nothing was recorded. Check that the microphone is on."),
        "too-large": _("This recording is too large. Please say it in shorter parts."),
        "too-long": _("This recording is too long. Please say it in shorter parts."),
        "type": _("Only a recording can be sent here."),
        "unreadable": _("This recording is damaged, or in a form that cannot be read here."),
        "silent": _("Only silence was recorded. Check the microphone and try again."),
        "no-speech": _("No words could be heard. Please try again, closer to the microphone."),
    }

    def __init__(self, *, why: str) -> None:
        super().__init__(why=why)
        self.status = {"empty": 400, "too-large": 413, "too-long": 413, "type": 415}.get(why, self.status)


class LanguageUnknown(VoiceError):
    code = "voice.language"
    message = _("This language is not one the companion speaks.")
    status = 400


class VoiceUnavailable(VoiceError):
    code = "voice.unavailable"
    message = _("This site cannot do that by voice.")
    status = 409


class PartialUnavailable(VoiceUnavailable):
    code = "voice.partial-unavailable"
    message = _("The words can only be shown when you have finished speaking.")


class VoiceBusy(VoiceError):
    code = "voice.busy"
    message = _("Others are speaking just now. Please try again in a moment.")
    retryable = True
    retry_after_s = 2.0


class VoiceProviderFailed(VoiceError):
    code = "voice.provider"
    message = _("The voice service cannot be reached just now. You can write instead.")
    retryable = True


class VoiceProviderTooSlow(VoiceProviderFailed):
    code = "voice.timeout"
    message = _("The voice service took too long. You can try again, or write instead.")


class VoiceProviderRefused(VoiceProviderFailed):
    code = "voice.rejected"
    message = _("The voice service did not accept the request. You can write instead.")
    retryable = False


class SpeechBrokeOff(VoiceProviderFailed):
    code = "voice.interrupted"
    message = _("The voice broke off.")
