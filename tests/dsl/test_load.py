"""Models with libraries: what is merged, in which order, and what can go wrong."""

from __future__ import annotations

import pytest

from covr.dsl import CheckedModel, Diagnostic, ModelErrors, Source, load_model
from covr.dsl import syntax as s


def load(**files: str) -> CheckedModel:
    """The model `main`; the other files are found by their names."""

    def library(path: str, user: Source) -> Source | None:
        return Source(path, files[path]) if path in files else None

    return load_model(Source("main", files["main"]), library)


def wrong(**files: str) -> list[tuple[str, str, int]]:
    with pytest.raises(ModelErrors) as caught:
        load(**files)
    return [(d.code, d.span.source.name, d.span.place[0]) for d in caught.value.diagnostics if d.span]


def names(model: CheckedModel) -> list[str]:
    return [d.name.id for d in model.definitions]


def test_a_model_is_sorted_out() -> None:
    model = load(main='title "t" let a = 3 cells r in 1..a choose f(r) param b = 4 expect unique')
    assert model.title is not None and model.title.parts == ("t",)
    assert names(model) == ["a", "b"]
    assert [type(x) for x in model.statements] == [s.Declare, s.Choose, s.Expect]
    assert model.all(s.Choose) == (model.statements[1],)


def test_a_library_gives_its_definitions_and_nothing_else() -> None:
    model = load(
        main='use "a" let z = y + x',
        a='title "no" use "b" let y = x choose f(y) exactly one g expect unique',
        b="param x = 3",
    )
    assert names(model) == ["x", "y", "z"]
    assert model.title is None and model.statements == ()
    assert [source.name for source in model.libraries] == ["b", "a"]


def test_a_library_used_twice_counts_once() -> None:
    model = load(main='use "a" use "b"', a='use "c"', b='use "c" let y = x', c="let x = 1")
    assert names(model) == ["x", "y"]


def test_a_param_replaces_that_of_a_library() -> None:
    model = load(main='use "a" let three = 3 param h = three', a="param h = 6 let room = box(h, h)")
    assert names(model) == ["three", "h", "room"]
    assert isinstance(model.definitions[1], s.Param) and isinstance(model.definitions[1].value, s.Name)


def test_anything_else_twice_is_a_fault() -> None:
    assert wrong(main='use "a" let h = 3', a="param h = 6") == [("E104", "main", 1)]
    assert wrong(main='use "a" param h = 3', a="let h = 6") == [("E104", "main", 1)]
    assert wrong(main='use "a" use "b"', a="param h = 6", b="\nparam h = 6") == [("E104", "b", 2)]


def test_a_replaced_param_may_not_use_what_uses_it() -> None:
    assert wrong(main='use "a"\nparam h = size(room)', a="param h = 6 let room = box(h, h)") == [("E109", "main", 2)]


def test_definitions_come_after_those_they_use() -> None:
    model = load(main="let f(x) = g(x) let k = 3 let g(x) = x + k let a = f(1)")
    assert names(model).index("k") < names(model).index("g") < names(model).index("f") < names(model).index("a")


def test_circles_of_libraries_are_refused() -> None:
    assert wrong(main='use "main"') == [("E010", "main", 1)]
    assert wrong(main='use "a"', a='\nuse "b"', b='\n\nuse "a"') == [("E010", "b", 3)]


def test_a_circle_is_shown() -> None:
    with pytest.raises(ModelErrors) as caught:
        load(main='use "a"', a='use "b"', b='use "c"', c='use "a"')
    assert caught.value.diagnostics[0].notes == ("`a` → `b` → `c` → `a`",)


def test_libraries_without_end_are_refused() -> None:
    def library(path: str, user: Source) -> Source | None:
        return Source(path, f'use "{path}x"')

    with pytest.raises(ModelErrors) as caught:
        load_model(Source("main", 'use "x"'), library)
    assert [d.code for d in caught.value.diagnostics] == ["E011"]
    assert "100 libraries" in caught.value.diagnostics[0].message


def test_much_text_in_libraries_is_refused() -> None:
    def library(path: str, user: Source) -> Source | None:
        return Source(path, "#" * 4_000_000)

    with pytest.raises(ModelErrors) as caught:
        load_model(Source("main", 'use "a" use "b" use "c" use "d"'), library)
    assert [(d.code, d.span and d.span.start) for d in caught.value.diagnostics] == [("E011", 16)]


def test_a_name_is_told_of_once() -> None:
    with pytest.raises(ModelErrors) as caught:
        load(main="choose f(i) for i in 1..N\nlet a = N + N\nexactly M f\nlet b = N\nassert M = M\nlet c = L + L")
    told = [(d.message, d.span and d.span.place[0], d.notes) for d in caught.value.diagnostics]
    assert told == [
        ("`N` is not defined", 1, ("also on lines 2 and 4",)),
        ("`M` is not defined", 3, ("also on line 5",)),
        ("`L` is not defined", 6, ("also further on in this line",)),
    ]


def test_many_places_are_counted() -> None:
    with pytest.raises(ModelErrors) as caught:
        load(main="\n".join(f"let a{i} = nothing" for i in range(1, 10)))
    assert [d.notes for d in caught.value.diagnostics] == [("also on lines 2, 3, 4, 5, 6 and 3 more",)]


def test_faults_of_all_files_are_reported() -> None:
    found = wrong(main='use "a"\nuse "nothing"\nlet x = 3', a="let = 3\nlet y 3")
    assert found == [("E001", "a", 1), ("E001", "a", 2), ("E009", "main", 2)]
    found = wrong(main='use "a"\nlet x = unknown', a="let y = unheard")
    assert found == [("E101", "a", 1), ("E101", "main", 2)]


def test_a_library_that_cannot_be_read() -> None:
    def library(path: str, user: Source) -> Source | None:
        raise ModelErrors([Diagnostic("E502", "`a` can't be read")])

    with pytest.raises(ModelErrors) as caught:
        load_model(Source("main", 'let x = 3\nuse "a"'), library)
    (fault,) = caught.value.diagnostics
    assert fault.code == "E502" and fault.span is not None and fault.span.place == (2, 1)


def test_many_definitions_take_linear_time() -> None:
    text = "let a0 = 1\n" + "".join(f"let a{i} = a{i - 1} + 1\n" for i in range(1, 3000))
    assert len(load(main=text).definitions) == 3000
    text = "".join(f"let f{i}(x) = f{i + 1}(x)\n" for i in range(3000)) + "let f3000(x) = x let y = f0(1)"
    assert len(load(main=text).definitions) == 3002


def test_a_library_that_climbs_out_of_its_folder_is_told_so() -> None:
    def library(path: str, user: Source) -> Source | None:
        return Source(path, 'use "../../x"') if path == "a/b" else None

    for text, at, help in (
        ('use "a/b"', "a/b", "a library uses only what lies in its own folder or below"),
        ('use "../x"', "main", "a path is relative to the file that names it; `std/…` is what ships with covr"),
    ):
        with pytest.raises(ModelErrors) as caught:
            load_model(Source("main", text), library)
        (fault,) = caught.value.diagnostics
        assert fault.span is not None
        assert (fault.code, fault.span.source.name, fault.help) == ("E009", at, help)
