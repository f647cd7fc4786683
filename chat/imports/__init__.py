"""Bring your history: exports of other chats become conversations here, and what the person said in them is remembered.

An upload waits sealed, piece by piece. It is read once (`preview`), in the background: what stands in it waits sealed too, as one part for
each conversation, and the person sees what there is before anything is kept. Then one conversation after another is kept (`work`), each in
a transaction of its own, so that a kill loses nothing and doubles nothing. All of it can be removed as one, and had back.
"""
