"""Keys that are live between batches: they go on only where nothing else has happened to them."""

from __future__ import annotations

from limecep import Pipeline
from limecep.host import Host
from limecep.testing.streams import written
from limecep_spark.keyed import Kernel, Turn
from limecep_spark.live import Live
from limecep_spark.work import Work

REGISTRY = Host.load().registry
QUERY = "PATTERN SEQ(A a, B b) WITHIN 5 seconds PARTITION BY v"
ROOM = 10**9


def kernel() -> Kernel:
    config = Pipeline.from_dict({"version": 1, "patterns": {"p": {"query": QUERY}}}, registry=REGISTRY).config
    return Kernel(config, Work(config=config, specs=tuple(REGISTRY.specs()), outputs=()))


def turned(made: Kernel, stream: str = "a1=1") -> Turn:
    turn = made.turn(None, 0)
    events = written(stream)
    turn.feed(events, ["" for _ in events])
    turn.end()
    turn.memory()
    return turn


def test_a_turn_goes_on_where_the_state_has_its_token() -> None:
    live, turn = Live(ROOM), turned(kernel())
    token = live.keep("k", turn)
    assert live.take("k", token) is turn
    assert live.take("k", token) is None, "it has gone on since"


def test_a_turn_of_which_the_state_knows_nothing_is_gone() -> None:
    live, turn = Live(ROOM), turned(kernel())
    token = live.keep("k", turn)
    assert live.take("k", token + 1) is None
    assert live.take("k", token) is None
    live.keep("k", turn)
    assert live.take("k", None) is None
    assert len(live) == 0


def test_no_token_comes_twice() -> None:
    live, turn = Live(ROOM), turned(kernel())
    tokens = set()
    for _ in range(1000):
        tokens.add(token := live.keep("k", turn))
        assert live.take("k", token) is turn
    assert len(tokens) == 1000


def test_there_are_no_more_than_there_is_room_for() -> None:
    made = kernel()
    turn = turned(made)
    live = Live(10 * turn.size + 1)
    tokens = {str(n): live.keep(str(n), turned(made)) for n in range(100)}
    assert len(live) == 10
    assert sum(live.take(key, token) is not None for key, token in tokens.items()) == 10
    assert len(live) == 0
    none = Live(0)
    assert none.take("k", none.keep("k", turn)) is None


def test_some_of_more_keys_than_there_is_room_for_are_there_when_they_come_round_again() -> None:
    made = kernel()
    live = Live(turned(made).size * 80)
    tokens: dict[int, int] = {}
    found = 0
    for _ in range(5):
        for n in range(100):
            turn = live.take(str(n), tokens.get(n))
            found += turn is not None
            tokens[n] = live.keep(str(n), turn or turned(made))
    assert found > 150


def test_a_key_that_knows_more_takes_more_room() -> None:
    made = kernel()
    assert turned(made, " ".join(f"a{n}=1" for n in range(1, 50))).size > turned(made).size


def test_turns_of_other_keys_between_leave_a_turn_as_it_was() -> None:
    made = kernel()
    turn = turned(made)
    turn.counts()
    other = turned(made, "a1=2 b2=2")
    turn.again(0)
    turn.feed(written("b3=1"), [""])
    turn.end()
    assert [u.key for u in turn.updates] == [{"v": 1}]
    assert turn.counts()["patterns"]["p"]["emitted"] == 1
    assert other.counts()["patterns"]["p"]["emitted"] == 1
