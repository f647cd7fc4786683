"""How the admin looks and what its sidebar shows."""

from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse_lazy
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

UNFOLD = {
    "SITE_TITLE": _("Companion"),
    "SITE_HEADER": _("Companion"),
    "SITE_SUBHEADER": _("Administration"),
    "SITE_ICON": lambda request: static("icons/mark.svg"),
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("icons/mark.svg")}
    ],
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "STYLES": [lambda request: static("css/admin.css")],
    "SIDEBAR": {"show_search": False, "navigation": "companion_site.administration.navigation.sidebar"},
}


#: A title, and for each page its "app_model", its label and its icon.
Group = tuple[Promise, tuple[tuple[str, Promise, str], ...]]


def _group(title: Promise, *pages: tuple[str, Promise, str]) -> Group:
    return title, pages


GROUPS: tuple[Group, ...] = (
    _group(
        _("People"),
        ("accounts_person", _("People"), "person"),
        ("accounts_invitation", _("Invitations"), "outgoing_mail"),
        ("accounts_school", _("Schools"), "school"),
        ("accounts_schoolclass", _("Classes"), "groups"),
        ("accounts_company", _("Companies"), "apartment"),
        ("accounts_learningsystem", _("Learning systems"), "cast_for_education"),
        ("accounts_businesssystem", _("Business systems"), "lan"),
    ),
    _group(
        _("Spaces"),
        ("vault_space", _("Spaces"), "inventory_2"),
        ("vault_keyslot", _("Key slots"), "key"),
        ("vault_inboxkey", _("Inbox keys"), "inbox"),
        ("vault_sealedbox", _("Sealed boxes"), "mail"),
        ("audit_auditevent", _("Audit"), "link"),
    ),
    _group(
        _("Memory"),
        ("memory_memorynode", _("Memories"), "hub"),
        ("memory_memoryedge", _("Edges"), "polyline"),
        ("memory_entity", _("Entities"), "category"),
        ("memory_entitymention", _("Mentions"), "alternate_email"),
        ("memory_memorysource", _("Sources"), "format_quote"),
        ("memory_memoryvector", _("Vectors"), "arrow_outward"),
        ("memory_memorychange", _("Changes"), "history"),
        ("memory_contradiction", _("Contradictions"), "call_split"),
        ("memory_compressionrun", _("Compression runs"), "compress"),
        ("memory_sleeprun", _("Sleep runs"), "bedtime"),
        ("ledger_ledgerentry", _("Ledger entries"), "menu_book"),
        ("ledger_threatalert", _("Threat alerts"), "warning"),
    ),
    _group(
        _("Life"),
        ("memory_goal", _("Goals"), "flag"),
        ("memory_goalnote", _("Notes on goals"), "edit_note"),
        ("memory_gratitude", _("Gratitude"), "favorite"),
        ("memory_mood", _("Moods"), "mood"),
        ("memory_dailymetric", _("Measures of days"), "monitor_heart"),
        ("memory_lifefact", _("Life facts"), "family_restroom"),
        ("memory_wishes", _("Wishes"), "tune"),
        ("memory_initiative", _("Initiatives"), "waving_hand"),
    ),
    _group(
        _("Company memory"),
        ("memory_companyfact", _("Facts"), "fact_check"),
        ("memory_companyevent", _("Events"), "history"),
        ("memory_companyfactvector", _("Vectors"), "arrow_outward"),
        ("memory_extraction", _("Extractions"), "manage_search"),
        ("memory_companyrefusal", _("Refused"), "block"),
        ("memory_companycompression", _("Compressions"), "compress"),
        ("memory_kpi", _("Key figures"), "monitoring"),
        ("memory_deadline", _("Deadlines"), "event"),
        ("memory_suggestion", _("Suggestions"), "tips_and_updates"),
    ),
    _group(
        _("Agents"),
        ("memory_agent", _("Agents"), "smart_toy"),
        ("memory_agentkey", _("Keys"), "key"),
        ("memory_agentnode", _("Nodes"), "hub"),
        ("memory_agentvector", _("Vectors"), "arrow_outward"),
        ("memory_agentsource", _("Sources"), "source"),
        ("memory_agentcontext", _("Contexts"), "layers"),
        ("memory_agentsnapshot", _("Snapshots"), "photo_camera"),
        ("accounts_apitoken", _("API tokens"), "vpn_key"),
        ("api_keptanswer", _("Kept answers"), "replay"),
    ),
    _group(
        _("Knowledge packs"),
        ("memory_pack", _("Packs"), "inventory"),
        ("memory_packnode", _("Nodes"), "hub"),
        ("memory_packedge", _("Links"), "polyline"),
        ("memory_packvector", _("Vectors"), "arrow_outward"),
        ("memory_packposting", _("Words"), "abc"),
        ("memory_packmount", _("Mounted"), "link"),
    ),
    _group(
        _("World"),
        ("overlay_concept", _("Concepts"), "lightbulb"),
        ("overlay_conceptedge", _("Concept edges"), "share"),
        ("overlay_opening", _("Openings"), "door_open"),
        ("overlay_knownconcept", _("Known concepts"), "explore"),
        ("overlay_knownedge", _("Known edges"), "timeline"),
        ("overlay_repetition", _("Repetitions"), "event_repeat"),
    ),
    _group(
        _("Chat"),
        ("chat_conversation", _("Conversations"), "forum"),
        ("chat_message", _("Messages"), "chat"),
        ("chat_attachment", _("Attachments"), "photo"),
        ("chat_import", _("Imports"), "upload"),
        ("chat_importpart", _("Parts of imports"), "attachment"),
        ("llm_llmcall", _("Language models"), "smart_toy"),
    ),
    _group(
        _("Background work"),
        ("django_q_ormq", _("Waiting"), "hourglass_top"),
        ("django_q_success", _("Done"), "task_alt"),
        ("django_q_failure", _("Failed"), "error"),
        ("django_q_schedule", _("Schedules"), "schedule"),
    ),
    _group(
        _("Log-ins"),
        ("accounts_session", _("Logged in now"), "devices"),
        ("accounts_limitcount", _("Attempts being counted"), "lock_person"),
        ("admin_logentry", _("Staff actions"), "edit_note"),
    ),
)


#: Pages that are no model's list: the address's name, the label and the icon.
PAGES: tuple[tuple[str, Promise, str], ...] = (
    ("admin:figures", _("Figures"), "monitoring"),
    ("admin:language_models", _("Connect a model"), "cable"),
)


def sidebar(request: HttpRequest) -> list[dict]:
    """Return the pages and the groups of the sidebar, in reading order."""
    pages = [{"title": label, "icon": icon, "link": reverse_lazy(page)} for page, label, icon in PAGES]
    groups = [
        {
            "title": title,
            "collapsible": False,
            "items": [
                {"title": label, "icon": icon, "link": reverse_lazy(f"admin:{page}_changelist")}
                for page, label, icon in items
            ],
        }
        for title, items in GROUPS
    ]
    return [{"title": _("Platform"), "collapsible": False, "items": pages}, *groups]
