"""What lies on the table against what the record says: cards moved, missing or changed (CG-16)."""

from collections.abc import Mapping

from scorer.findings import Finding


def find_differences(
    recorded: Mapping[str, str], seen: Mapping[str, str | None]
) -> tuple[Finding, ...]:
    """Findings for recorded cards that no longer lie where they lay.

    `seen` holds what lies in each slot that can be seen, None for an empty one; a slot that is
    not in it (covered, unsure) proves nothing. Cards in slots that were free are new, not moved,
    unless the same card is gone from its old slot.
    """
    newcomers = {
        card: slot for slot, card in seen.items() if card is not None and recorded.get(slot) != card
    }
    found = []
    for slot, card in recorded.items():
        if slot not in seen or seen[slot] == card:
            continue
        lying, where = seen[slot], newcomers.get(card)
        if where is not None:
            facts = {"card": card, "slot": slot, "where": where}
            found.append(Finding("card-moved", (slot, where), (card, card), facts=facts))
        elif lying is None:
            facts = {"card": card, "slot": slot}
            found.append(Finding("card-missing", (slot,), (card,), facts=facts))
        else:
            facts = {"card": card, "slot": slot, "other": lying}
            found.append(Finding("card-changed", (slot,), (card, lying), facts=facts))
    return tuple(found)
