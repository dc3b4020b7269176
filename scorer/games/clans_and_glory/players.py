"""Simulated players: whole games, legal or with a mistake now and then, from a seed."""

from itertools import count
from random import Random

from scorer.cards import FACE_DOWN
from scorer.game import Player, Setting
from scorer.games.clans_and_glory.rules import RULINGS, ClansRules, ClansState
from scorer.games.clans_and_glory.turns import HERE, ClansTurn
from scorer.record import Record


def play_game(setting: Setting, seed: int, mistakes: float = 0.0) -> Record:
    """A whole game from the deal to the last card; `mistakes` is how often a card lies wrong."""
    random = Random(seed)
    rules = ClansRules(setting)
    hands, start = _deal(rules, random)
    state, _ = rules.begin(start)
    turns = []
    while state.next_player is not None:
        turn = _choose(rules, state, hands[state.next_player], random, mistakes)
        if turn.card in hands[turn.player]:
            hands[turn.player].remove(turn.card)
        else:
            hands[turn.player].pop()
        state, _ = rules.play(state, turn)
        turns.append(turn)
    return Record(setting, start, tuple(turns))


def play_demo(setting: Setting, seed: int) -> Record:
    """A legal game in which somebody has to lay a card face down."""
    for attempt in count(1_000 * seed):
        record = play_game(setting, attempt)
        if any(turn.card == FACE_DOWN for turn in record.turns):
            return record
    raise AssertionError("count never ends")


def slip_up(record: Record, seed: int) -> dict[int, str]:
    """A turn, and a free slot where its card does not fit: laid there first by mistake."""
    random = Random(seed)
    rules = ClansRules(record.setting)
    state, _ = rules.begin(record.start)
    slips = []
    for number, turn in enumerate(record.turns):
        if isinstance(turn, ClansTurn):
            wrong = set(rules.layout.slots) - set(state.cards) - {turn.slot}
            wrong -= set(rules.slots_for(state, turn.card))
            if turn.card != FACE_DOWN and wrong:
                slips.append((number, random.choice(sorted(wrong))))
            state, _ = rules.play(state, turn)
    return dict([random.choice(slips)]) if slips else {}


def plain_turns(record: Record) -> list[tuple[int, str, str, int]]:
    """Player, slot, card and number of shields of every turn, for whoever acts them out."""
    return [
        (t.player, t.slot, t.card, len(t.shields)) for t in record.turns if isinstance(t, ClansTurn)
    ]


def seat_players(count: int) -> Setting:
    """A setting with nobody in particular, by the default rulings."""
    colours = ("red", "blue", "green", "yellow")
    players = tuple(Player(f"Player {n + 1}", colours[n]) for n in range(count))
    return Setting("clans-and-glory", players, RULINGS)


def _deal(rules: ClansRules, random: Random) -> tuple[list[list[str]], dict[str, str]]:
    """Every player's hand, and the start cards on the suggested slots (CG-9 to CG-11)."""
    cards = list(rules.deck.cards())
    random.shuffle(cards)
    start = {slot: cards.pop() for slot in rules.layout.suggested_start}
    hands = [[cards.pop() for _ in range(count)] for count in rules.numbers.hands]
    return hands, start


def _choose(
    rules: ClansRules, state: ClansState, hand: list[str], random: Random, mistakes: float
) -> ClansTurn:
    """A random legal turn; face down if there is none; anything at all when it is a mistake."""
    player = state.next_player
    assert player is not None
    free = [slot for slot in rules.layout.slots if slot not in state.cards]
    legal = [(slot, card) for card in hand for slot in rules.slots_for(state, card)]
    if random.random() < mistakes:
        slot, card = random.choice(free), random.choice(hand)
    elif legal:
        slot, card = random.choice(legal)
    else:
        slot, card = random.choice(free), FACE_DOWN
    shield = state.shields_left[player] > 0 and random.random() < 0.6
    return ClansTurn(player, slot, card, (HERE,) if shield else ())
