from __future__ import annotations

from limecep.translation.tree import Name, Node


def test_names_are_told_apart_as_sql_tells_them() -> None:
    assert Name("a").key == Name("A").key
    assert Name("a", quoted=True).key != Name("A", quoted=True).key
    assert Name("A", quoted=True).key == Name("a").key


def test_a_node_is_equal_wherever_it_stands_and_gives_all_below_it() -> None:
    one = Node("+", (Node("literal", (1,), (0, 1)), Node("cur", ("v",), (2, 3))), (0, 3))
    assert one == Node("+", (Node("literal", (1,)), Node("cur", ("v",))))
    assert [n.op for n in one.walk()] == ["+", "literal", "cur"]
