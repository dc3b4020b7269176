"""Every rule of Clans and Glory by its number."""

from collections import Counter

import pytest

from scorer.games.clans_and_glory.numbers import numbers_for, whole_deck
from scorer.games.clans_and_glory.players import play_game
from scorer.timeline import judge
from tests.scorer.tables import codes, game, setting

PLAYERS = (2, 3, 4)


def test_cg_1_forty_two_cards_each_different() -> None:
    deck = whole_deck()
    assert len(set(deck.cards())) == 42
    assert deck.ranks == ("3", "4", "5", "6", "7", "8")
    assert len({colour.symbol for colour in deck.colours}) == 7
    assert all(set(colour.words) == {"en", "de", "fr"} for colour in deck.colours)


def test_cg_1_a_card_that_no_deck_has() -> None:
    timeline = game("0 1N1 pink-5", "1 1S1 red-9")
    assert codes(timeline, 0) == ["card-not-in-game"]
    assert "card-not-in-game" in codes(timeline, 1)


@pytest.mark.parametrize(("players", "tiles"), [(2, 4), (3, 5), (4, 6)])
def test_cg_3_tiles_in_a_row(players: int, tiles: int) -> None:
    assert list(numbers_for(players).layout.tiles) == list(range(1, tiles + 1))


@pytest.mark.parametrize(("players", "slots"), [(2, 26), (3, 32), (4, 38)])
def test_cg_4_six_slots_a_tile_and_two_heads(players: int, slots: int) -> None:
    layout = numbers_for(players).layout
    assert len(layout.slots) == len(set(layout.slots)) == slots
    sizes = [len(on_tile) for on_tile in layout.tiles.values()]
    assert sizes == [7, *[6] * (len(sizes) - 2), 7]


@pytest.mark.parametrize("players", PLAYERS)
def test_cg_5_names(players: int) -> None:
    layout = numbers_for(players).layout
    tiles = len(layout.tiles)
    names = {f"{t}{side}{i}" for t in range(1, tiles + 1) for side in "NS" for i in (1, 2, 3)}
    assert set(layout.slots) == names | {"W", "E"}
    assert (layout.tile_of["W"], layout.tile_of["E"]) == (1, tiles)
    assert all(layout.tile_of[name] == int(name[0]) for name in names)
    assert all(layout.centres[f"{t}N1"][1] < layout.centres[f"{t}S1"][1] for t in layout.tiles)


@pytest.mark.parametrize("players", PLAYERS)
def test_cg_6_one_ring(players: int) -> None:
    layout = numbers_for(players).layout
    last = len(layout.tiles)
    assert sorted(layout.ring) == sorted(layout.slots)
    assert layout.neighbours("W", across_tiles=True) == ("1S1", "1N1")
    assert layout.neighbours("E", across_tiles=True) == (f"{last}N3", f"{last}S3")
    assert layout.neighbours("1N3", across_tiles=True) == ("1N2", "2N1")
    assert layout.neighbours("2S1", across_tiles=True) == ("2S2", "1S3")


def test_cg_6_neighbours_cross_tiles_unless_ruled_otherwise() -> None:
    across = ("0 1N3 red-4", "1 2N1 red-3")
    assert codes(game(*across), 1) == []
    assert codes(game(*across, neighbours_cross_tiles=False), 1) == ["no-match"]


def test_cg_6_a_head_belongs_to_its_campfire_tile() -> None:
    layout = numbers_for(2).layout
    assert layout.neighbours("W", across_tiles=False) == ("1S1", "1N1")
    assert layout.neighbours("4N3", across_tiles=False) == ("4N2", "E")
    assert layout.neighbours("2N1", across_tiles=False) == ("2N2",)


@pytest.mark.parametrize("players", PLAYERS)
def test_cg_7_opposites(players: int) -> None:
    opposite = numbers_for(players).layout.opposite
    assert opposite["W"] == "E"
    assert opposite["E"] == "W"
    assert all(
        other == slot.translate(str.maketrans("NS", "SN"))
        for slot, other in opposite.items()
        if slot not in "WE"
    )


def test_cg_7_diagonals_never_count() -> None:
    assert codes(game("0 1N1 red-3", start="1S2 red-5"), 0) == ["isolated"]


@pytest.mark.parametrize(("players", "ranks", "cards"), [(2, 4, 28), (3, 5, 35), (4, 6, 42)])
def test_cg_8_ranks_that_leave_the_game(players: int, ranks: int, cards: int) -> None:
    deck = numbers_for(players).deck
    assert (len(deck.ranks), len(deck.cards())) == (ranks, cards)


def test_cg_8_a_rank_that_is_out_for_two_is_in_for_three() -> None:
    assert codes(game("0 1N1 red-7"), 0) == ["card-not-in-game"]
    assert codes(game("0 1N1 red-7", players=3), 0) == []
    assert codes(game("0 1N1 red-8", players=3), 0) == ["card-not-in-game"]
    assert codes(game("0 1N1 red-8", players=4), 0) == []


@pytest.mark.parametrize(("players", "unseen"), [(2, 3), (3, 4), (4, 5)])
def test_cg_9_to_cg_11_nothing_is_left_over(players: int, unseen: int) -> None:
    numbers = numbers_for(players)
    assert numbers.unseen == unseen
    dealt = sum(numbers.hands) + numbers.unseen + numbers.start_cards
    assert dealt == len(numbers.deck.cards())


@pytest.mark.parametrize("players", PLAYERS)
def test_cg_10_suggested_start_slots_are_right(players: int) -> None:
    numbers = numbers_for(players)
    on_tiles = Counter(numbers.layout.tile_of[s] for s in numbers.layout.suggested_start)
    assert set(on_tiles.values()) == {numbers.start_cards_per_tile}
    assert len(on_tiles) == len(numbers.layout.tiles)


def test_cg_10_the_right_number_anywhere_on_the_tile() -> None:
    assert codes(game(), None) == []
    anywhere = "W red-5, 1S3 red-3, 2N1 red-4, 2N2 red-6, 3S1 blue-3, 3S2 blue-4, 4N1 blue-5"
    assert codes(game(start=f"{anywhere}, E blue-6"), None) == []


@pytest.mark.parametrize(
    "start",
    [
        "",
        "1N2 red-5",
        "1N1 red-5, 1N2 red-3, 1N3 red-4, 2N2 red-6, 3S1 blue-3, 3S2 blue-4, 4N1 blue-5, E blue-6",
    ],
)
def test_cg_10_a_wrong_number(start: str) -> None:
    assert codes(game(start=start), None) == ["setup-count"]


def test_cg_10_a_face_down_start_card_is_none() -> None:
    start = "1N2 face-down, 2N2 green-4, 3N2 yellow-3, 4N2 orange-5, 5N2 blue-7"
    assert codes(game(start=start, players=3), None) == ["setup-count"]


def test_start_cards_are_judged_like_any_cards() -> None:
    start = "1N2 red-8, 2N2 green-4, 3N2 green-4, 4N2 orange-5, 5X2 blue-7"
    assert codes(game(start=start, players=3), None) == [
        "card-not-in-game",
        "card-twice",
        "setup-count",
        "unknown-slot",
    ]


@pytest.mark.parametrize(("players", "hands"), [(2, (9, 8)), (3, (9, 9, 8)), (4, (8, 8, 8, 7))])
def test_cg_11_the_last_player_has_the_short_hand(players: int, hands: tuple[int, ...]) -> None:
    assert numbers_for(players).hands == hands


def test_cg_11_more_cards_than_dealt() -> None:
    slots = ["1N1", "1N3", "1S1", "1S3", "2N1", "2N3", "2S1", "2S3", "3N1", "3N3"]
    timeline = game(*(f"0 {slot} face-down" for slot in slots))
    assert codes(timeline, 8) == []
    assert codes(timeline, 9) == ["hand-empty", "not-your-turn"]


def test_cg_12_five_shields_each() -> None:
    assert numbers_for(4).shields == 5
    slots = ["1N1", "1S1", "1N3", "1S3", "2N1", "2S1", "2N3", "2S3", "3N1", "3S1", "3N3"]
    turns = [f"{n % 2} {slot} face-down{'' if n % 2 else ' *'}" for n, slot in enumerate(slots)]
    timeline = game(*turns)
    assert codes(timeline, 8) == []
    assert codes(timeline, 10) == ["no-shield-left"]
    assert sum(stack.count(0) for stack in timeline.state.stacks.values()) == 5


def test_cg_13_players_take_turns() -> None:
    timeline = game("0 1N1 red-3", "0 1N3 red-4", "0 2N1 green-5")
    assert [codes(timeline, n) for n in range(3)] == [[], ["not-your-turn"], []]


def test_cg_13_a_free_slot_that_exists() -> None:
    timeline = game("0 1N2 red-3", "1 9N9 red-3", "0 1N1 red-4", "1 1N1 red-3")
    assert codes(timeline, 0) == ["slot-taken"]
    assert codes(timeline, 1) == ["unknown-slot"]
    assert codes(timeline, 3) == ["slot-taken"]
    assert dict(timeline.state.cards)["1N1"] == "red-4"


def test_cg_14_colour_or_rank_of_a_neighbour_or_the_opposite() -> None:
    assert codes(game("0 1N1 red-3"), 0) == []
    assert codes(game("0 1N1 green-5"), 0) == []
    assert codes(game("0 W red-3", start="1S1 red-4"), 0) == []
    assert codes(game("0 1N1 green-4", start="1S1 green-6"), 0) == []


def test_cg_14_one_match_is_enough() -> None:
    assert codes(game("0 1N1 blue-6", start="1N2 red-5, 1S1 blue-3, W green-4"), 0) == []


def test_cg_14_no_match_names_what_proves_it() -> None:
    (finding,) = game("0 1N1 green-4", start="1N2 red-5, 1S1 blue-3").findings(0)
    assert finding.code == "no-match"
    assert finding.slots == ("1N1", "1S1", "1N2")
    assert finding.cards == ("green-4", "blue-3", "red-5")


def test_cg_14_isolated() -> None:
    assert codes(game("0 4S1 red-5", start="1N2 red-5"), 0) == ["card-twice", "isolated"]


def test_cg_15_a_face_down_card_matches_nothing_and_bridges_nothing() -> None:
    timeline = game("0 1N2 face-down", "1 1N3 red-3", start="1N1 red-5")
    assert codes(timeline, 0) == []
    assert codes(timeline, 1) == ["isolated"]


def test_cg_15_an_empty_slot_bridges_nothing() -> None:
    assert codes(game("0 1N3 red-3", start="1N1 red-5"), 0) == ["isolated"]


def test_cg_17_face_down_anywhere_free() -> None:
    timeline = game("0 4N1 face-down *", "1 4N1 red-5")
    assert codes(timeline, 0) == []
    assert "slot-taken" in codes(timeline, 1)
    assert timeline.state.stacks[4] == (0,)


def test_cg_18_one_shield_on_the_card_s_tile() -> None:
    assert codes(game("0 1N1 red-3 *"), 0) == []
    assert codes(game("0 1N1 red-3 *1"), 0) == []
    assert codes(game("0 1N1 red-3 *3"), 0) == ["shield-elsewhere"]
    assert codes(game("0 1N1 red-3 * *"), 0) == ["shield-second"]
    assert codes(game("0 1N1 red-3 * *2"), 0) == ["shield-elsewhere", "shield-second"]


def test_cg_18_what_lies_counts_whatever_is_wrong_with_it() -> None:
    timeline = game("0 1N1 red-3 *3 *3", "1 1N1 red-4 *")
    assert dict(timeline.state.stacks) == {1: (1,), 2: (), 3: (0, 0), 4: ()}


def test_cg_18_a_head_s_tile() -> None:
    timeline = game("0 W red-3 *", "1 E red-4 *")
    assert (timeline.state.stacks[1], timeline.state.stacks[4]) == ((0,), (1,))


@pytest.mark.parametrize(
    ("players", "turns", "on_table", "free"), [(2, 16, 24, 2), (3, 24, 29, 3), (4, 28, 34, 4)]
)
@pytest.mark.parametrize("seed", range(20))
def test_cg_19_the_end(players: int, turns: int, on_table: int, free: int, seed: int) -> None:
    timeline = judge(play_game(setting(players), seed))
    assert timeline.all_findings() == ()
    assert timeline.state.next_player is None
    assert timeline.turns == turns == numbers_for(players).placements
    assert len(timeline.state.cards) == on_table
    assert len(numbers_for(players).layout.slots) - on_table == free
    assert timeline.state_before(turns - 1).next_player == players - 1


def ended_game(*more: str, last_shield: bool = True) -> list[list[str]]:
    """The codes of the last turn of a whole game for two, with a shield, and of `more` turns."""
    slots = ["1N1", "1N3", "1S1", "1S3", "2N1", "2N3", "2S1", "2S3"]
    slots += ["3N1", "3N3", "3S1", "3S3", "4N1", "4N3", "4S1"]
    turns = [f"{number % 2} {slot} face-down" for number, slot in enumerate(slots)]
    timeline = game(*turns, "1 4S3 face-down *", *more, last_shield=last_shield)
    stack = ["shield lies"] if timeline.state.stacks[4] else []
    return [codes(timeline, 15) + stack, *(codes(timeline, 16 + n) for n in range(len(more)))]


def test_cg_19_the_last_shield() -> None:
    assert ended_game() == [["shield lies"]]
    assert ended_game(last_shield=False) == [["game-over"]]


def test_cg_19_after_the_end_nothing_is_laid() -> None:
    assert ended_game("0 W face-down") == [["shield lies"], ["game-over"]]
    assert ended_game("1 W face-down *") == [
        ["shield lies"],
        ["game-over", "hand-empty", "not-your-turn"],
    ]


def test_all_codes_of_a_turn_are_reported_at_once() -> None:
    timeline = game("1 3N3 red-5 *1 *2")
    assert codes(timeline, 0) == [
        "card-twice",
        "no-match",
        "not-your-turn",
        "shield-elsewhere",
        "shield-elsewhere",
        "shield-second",
    ]


def test_only_w_holds_a_card_and_e_is_opposite() -> None:
    timeline = game(start="W green-3")
    assert timeline.rules.slots_for(timeline.state, "white-3") == ("1N1", "1S1", "E")
