"""The grammar's parser: several threads may read at once."""

from concurrent.futures import ThreadPoolExecutor

from acclimate.analysis.reader.parsing import Parsing


def test_threads_that_parse_long_texts_at_once_do_not_meet():
    lines = "".join(f"  a({n}) = b({n}) + sin(c({n}))*2.0\n" for n in range(2000))
    text = f"subroutine s(a, b, c)\n{lines}end subroutine s\n"
    alone = Parsing().parse(text).root_node
    with ThreadPoolExecutor(4) as pool:
        trees = list(pool.map(lambda _: Parsing().parse(text), range(8)))
    for tree in trees:
        found = tree.root_node
        assert not found.has_error
        assert found.end_byte == alone.end_byte
        assert found.descendant_count == alone.descendant_count
