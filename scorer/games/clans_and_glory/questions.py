"""Questions a table asks: where may this go, what fits here, can a claim be true, what is left."""

from scorer.game import Claim, Left, Verdict
from scorer.games.clans_and_glory.rules import ClansRules, ClansState


def slots_for(rules: ClansRules, state: ClansState, card: str) -> tuple[str, ...]:
    """The slots that take this card face up."""
    return tuple(s for s in rules.layout.slots if rules.fits(state.cards, s, card))


def unseen_cards(rules: ClansRules, state: ClansState) -> tuple[str, ...]:
    """Cards of this game that never lay face up: in hands, face down, or out unseen (CG-9)."""
    seen = set(state.cards.values())
    return tuple(card for card in rules.deck.cards() if card not in seen)


def cards_for(rules: ClansRules, state: ClansState, slot: str) -> tuple[str, ...]:
    """The unseen cards that this slot takes face up."""
    return tuple(c for c in unseen_cards(rules, state) if rules.fits(state.cards, slot, c))


def judge_claim(rules: ClansRules, state: ClansState, player: int) -> Claim:
    """What the open cards say of a player's "I cannot place a card" (CG-17)."""
    unseen = unseen_cards(rules, state)
    fitting = tuple(card for card in unseen if slots_for(rules, state, card))
    verdict: Verdict = "possible"
    if not fitting:
        verdict = "proven"
    elif left(rules, state)[player].cards > len(unseen) - len(fitting):
        verdict = "impossible"
    return Claim(verdict, len(unseen), fitting)


def left(rules: ClansRules, state: ClansState) -> tuple[Left, ...]:
    """What each player has left; nobody has less than nothing."""
    return tuple(
        Left(max(dealt - laid, 0), shields)
        for dealt, laid, shields in zip(
            rules.numbers.hands, state.laid, state.shields_left, strict=True
        )
    )
