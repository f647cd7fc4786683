"""Asking the fast model to read an exchange: one request, and nothing where its answer cannot be used."""

from memory.exchange.checking import Findings, check
from memory.exchange.prompts import exchange_instructions, render_exchange
from memory.exchange.schema import Exchange, ReadExchange
from memory.model_asking import ask_model

PURPOSE = "memory.exchange"


def read(exchange: Exchange) -> Findings | None:
    """Return what a model finds in an exchange, checked; None where none answered: what the heads formed stands alone.

    Synchronous and slow: called from a worker, never inside a transaction.
    """
    found = ask_model(
        ReadExchange,
        instructions=exchange_instructions(),
        data=render_exchange(exchange),
        purpose=PURPOSE,
    )
    return None if found is None else check(found, exchange)
