"""What a demo student has told their companion in the weeks before the first look, lived through as it would have been.

Nothing of the memory is made up beside it: memories form from these words by the same code as after any message.
"""

from datetime import datetime, timedelta
from itertools import cycle
from uuid import UUID

from django.contrib.auth.hashers import check_password
from django.utils import timezone

from chat.access import ChatAccess, chat_access
from chat.demo.recordings import Conversation, parse_conversation
from chat.demo.replay import Replayed, live_through, store_turns
from companion_site.accounts.demo import PASSWORD
from companion_site.accounts.models import Person
from companion_site.accounts.services import personal_space, unlock_at_log_in
from companion_site.vault.grants import granted
from companion_site.vault.leases import Ownership

#: by language: (days ago, hour, what was said in turn, a line each, the student first)
TALKS: dict[str, tuple[tuple[int, int, str], ...]] = {
    "en": (
        (26, 16, """
Hi! I go to class 7B and I live in Lund with my mum and my brother Noah.
Hi Ada! Good to meet you. What do you do when school is over?
I play handball on Tuesdays and Thursdays. I am a goalkeeper.
Goalkeeper takes courage. Is there something I should know before we talk about food after training?
I am allergic to hazelnuts, so I bring my own snacks.
"""),
        (21, 17, """
I find fractions hard, especially when the denominators are different.
Thank you for telling me. What helps you when something is hard?
I learn best when I see a picture first. I prefer short explanations.
Pictures first, then few words. Who can you ask at school?
My maths teacher is called Karin and she lets us ask anything.
"""),
        (15, 19, """
I sing in a band with Mira. We practise in the music room on Fridays.
How nice that you found each other. What do you sing?
Mira has a dog called Bosse. I am a little afraid of big dogs, but not of him.
"""),
        (9, 18, """
My biology test about the cell is on the last Monday of the month.
Then there is time. What of it do you know already?
I know the cell membrane and diffusion. I want to understand photosynthesis before the test.
"""),
        (3, 20, """
We have moved to Malmö, so I take the train to school now.
That is a big change. How is it?
I read on the train every morning. I love books about the sea.
What would you like to do with all that you learn about it?
I want to become a marine biologist and study whales in the Atlantic.
"""),
    ),
    "sv": (
        (26, 16, """
Hej! Jag går i klass 7B och bor i Lund med min mamma och min bror Viggo.
Hej Elsa! Vad roligt att träffa dig. Vad gör du när skolan är slut?
Jag spelar handboll på tisdagar och torsdagar. Jag är målvakt.
Att stå i mål är modigt. Finns det något jag bör veta innan vi pratar om mat efter träningen?
Jag är allergisk mot hasselnötter, så jag har med mig eget mellanmål.
"""),
        (21, 17, """
Jag tycker att bråkräkning är svår, särskilt att addera bråk med olika nämnare.
Tack för att du berättar. Vad hjälper dig när något är svårt?
Jag lär mig bäst när jag får se en bild först. Jag föredrar korta förklaringar.
Bilder först, sedan få ord. Vem kan du fråga i skolan?
Min mattelärare heter Karin och vi får fråga henne om allt.
"""),
        (15, 19, """
Jag sjunger i ett band med Mira. Vi övar i musiksalen på fredagar.
Vad fint att ni hittade varandra. Vad sjunger ni?
Mira har en hund som heter Bosse. Jag är lite rädd för stora hundar, men inte för honom.
"""),
        (9, 18, """
Mitt biologiprov om cellen och fotosyntesen är den sista måndagen i månaden.
Då finns det tid. Vad kan du redan?
Jag kan cellmembranet och diffusion. Jag vill förstå fotosyntesen och kloroplasterna före biologiprovet.
"""),
        (3, 20, """
Vi har flyttat till Malmö, så jag tar tåget till skolan nu.
Det är en stor förändring. Hur går det?
Jag läser en bok på tåget varje morgon. Jag älskar böcker om valar, fyrar och havet.
Vad skulle du vilja göra med allt du lär dig om det?
Jag vill bli marinbiolog och forska om valar i Atlanten.
"""),
    ),
}  # fmt: skip


def store_demo_talk(access: ChatAccess) -> None:
    """Store what a demo student has said in the weeks before they were made; nothing is remembered of it yet."""
    store_turns(access, _transcript(access.person))


def remember_demo_talk(person_id: UUID, *, now: datetime) -> Replayed | None:
    """Have a demo student's companion remember those weeks; a second time only what is missing is added.

    Returns:
        What came of it; None where nobody has that id, or the password is no longer the demo's.
    """
    person = Person.objects.filter(pk=person_id).first()
    if person is None or not check_password(PASSWORD, person.password):
        return None
    access = chat_access(person, unlock_at_log_in(person, password=PASSWORD, now=now))
    # Without a log-in nothing else says that the space is in use.
    with granted(Ownership(access.space), access.space):
        return live_through(access, _transcript(person), sleeps=True)


def _transcript(person: Person) -> Conversation:
    made_at = personal_space(person).created_at
    sessions = []
    for number, (days_ago, hour, said) in enumerate(TALKS[person.language]):
        day = timezone.localtime(made_at - timedelta(days=days_ago))
        lines = zip(said.strip().splitlines(), cycle(("student", "companion")), strict=False)
        turns = [
            {"id": f"{number}-{place}", "speaker": speaker, "text": text}
            for place, (text, speaker) in enumerate(lines)
        ]
        at = day.replace(hour=hour, minute=10, second=0, microsecond=0)
        sessions.append({"id": str(number), "at": at, "turns": turns})
    return parse_conversation({"name": "demo", "language": person.language, "sessions": sessions})
