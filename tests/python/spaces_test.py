# SPDX-License-Identifier: Apache-2.0
"""Gymnasium's spaces as leaves: layouts, values, bounds, and rejected spaces. Needs Gymnasium."""

import itertools
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "envs" / "python"))
try:
    import gymnasium.spaces as gs
    import numpy as np
    from gymnasium.vector.utils import concatenate, create_empty_array
    from seedbed_worker.errors import WorkerError
    from seedbed_worker.spaces import Spaces
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()

DTYPES = {"u8": np.uint8, "i32": np.int32, "f32": np.float32}
CHOICE = gs.Discrete(2)


def leaves_of(space, value):
    """(JSON, arrays) of an observation."""
    spaces = Spaces(space, CHOICE)
    leaves = spaces.json()["obs"]
    arrays = [np.full((2, *leaf["shape"]), 99, DTYPES[leaf["dtype"]]) for leaf in leaves]
    spaces.observation.bind(arrays)(1, value)
    assert all((array[0] == 99).all() for array in arrays), "another column was written"
    return leaves, [array[1] for array in arrays]


class Observations(unittest.TestCase):
    def check(self, space, value, *expected):
        """expected: (name, kind, array) of each leaf."""
        leaves, arrays = leaves_of(space, value)
        self.assertEqual([(leaf["name"], leaf["kind"]) for leaf in leaves], [pair[:2] for pair in expected])
        for array, (_, _, values) in zip(arrays, expected):
            np.testing.assert_array_equal(array, values)
        return leaves

    def test_boxes_are_vectors(self):
        for dtype in (np.float16, np.float32, np.float64, np.int8, np.int64, np.bool_):
            value = np.arange(6).reshape(2, 3).astype(dtype)
            space = gs.Box(0, 1 if dtype == np.bool_ else 10, (2, 3), dtype)
            self.check(space, value, ("obs", "vector", value.reshape(-1).astype(np.float32)))
        leaf = self.check(
            gs.Box(np.array([-1, -np.inf]), np.array([2, 3.5])),
            np.zeros(2, np.float32),
            ("obs", "vector", [0, 0]),
        )[0]
        self.assertEqual((leaf["low"], leaf["high"]), (None, 3.5))
        self.check(gs.Box(-1, 1, ()), np.float32(0.5), ("obs", "vector", [0.5]))

    def test_u8_boxes_are_images(self):
        draw = np.random.default_rng(0)
        for shape, axes, size in [
            ((9, 8, 3), (2, 0, 1), (3, 9, 8)),
            ((3, 9, 8), (0, 1, 2), (3, 9, 8)),
            ((4, 84, 84), (0, 1, 2), (4, 84, 84)),
            ((7, 7, 3), (2, 0, 1), (3, 7, 7)),
            ((72, 96, 16), (2, 0, 1), (16, 72, 96)),
            ((4, 9, 8, 3), (0, 3, 1, 2), (12, 9, 8)),
            ((84, 84), (0, 1), (1, 84, 84)),
        ]:
            value = draw.integers(0, 256, shape, np.uint8)
            expected = value.transpose(axes).reshape(size)
            leaf = self.check(gs.Box(0, 255, shape, np.uint8), value, ("obs", "image", expected))[0]
            self.assertEqual((leaf["low"], leaf["high"], leaf["dtype"]), (0, 255, "u8"))
        memory = np.arange(128, dtype=np.uint8)
        self.check(gs.Box(0, 255, (128,), np.uint8), memory, ("obs", "vector", range(128)))

    def test_discrete_spaces_count_from_zero(self):
        for value in (7, np.int64(7), np.array(7), np.array([7], np.uint8)):
            leaf = self.check(gs.Discrete(5, start=5), value, ("obs", "discrete", [2]))[0]
            self.assertEqual(leaf["cardinality"], 5)
        self.check(gs.MultiDiscrete([3, 3, 3]), np.array([0, 1, 2]), ("obs", "discrete", [0, 1, 2]))
        self.check(
            gs.MultiDiscrete([[3, 3], [4, 2]], start=[[1, 1], [0, 0]]),
            np.array([[3, 1], [3, 1]]),
            ("0", "discrete", [2, 0]),
            ("1", "discrete", [3]),
            ("2", "discrete", [1]),
        )
        value = np.array([[0, 1], [1, 0]], np.int8)
        self.check(gs.MultiBinary([2, 2]), value, ("obs", "vector", [0, 1, 1, 0]))

    def test_texts_are_padded(self):
        space = gs.Text(5, charset="abc")
        letters = {letter: number for number, letter in enumerate(space.character_list, 1)}
        expected = [letters["c"], letters["a"], letters["b"], 0, 0]
        leaf = self.check(space, "cab", ("obs", "discrete", expected))[0]
        self.assertEqual(leaf["cardinality"], 4)

    def test_groups_are_named_by_path(self):
        pair = gs.Tuple([gs.Discrete(2), gs.Box(0, 1, (1,))])
        space = gs.Dict(b=pair, a=gs.Dict({"x/y": gs.Discrete(3)}))
        value = {"a": {"x/y": 2}, "b": (1, np.array([0.5], np.float32))}
        _, arrays = leaves_of(space, value)
        names = [leaf["name"] for leaf in Spaces(space, CHOICE).json()["obs"]]
        self.assertEqual(
            dict(zip(names, (array.tolist() for array in arrays))), {"a.x_y": [2], "b.0": [1], "b.1": [0.5]}
        )

    def test_names_are_unique_and_plain(self):
        names = ["ä" * 100, "ö" * 100, "ok"]
        leaves = Spaces(gs.Dict({name: gs.Discrete(2) for name in names}), CHOICE).json()["obs"]
        self.assertEqual({leaf["name"] for leaf in leaves}, {"ok", "_" * 64, "_" * 58 + "-2"})

    def test_samples_of_nested_spaces_are_accepted(self):
        space = gs.Dict(
            image=gs.Box(0, 255, (8, 8, 3), np.uint8),
            text=gs.Text(9),
            many=gs.MultiDiscrete([2, 5]),
            real=gs.Box(-1, 1, (2, 2)),
            pair=gs.Tuple([gs.Discrete(4, start=-2), gs.MultiBinary(3)]),
        )
        space.seed(1)
        for _ in range(50):
            leaves, arrays = leaves_of(space, space.sample())
            for leaf, array in zip(leaves, arrays):
                if leaf["kind"] == "discrete":
                    self.assertTrue((array >= 0).all() and (array < leaf["cardinality"]).all())

    def test_batches_are_copied_like_rows(self):
        spaces = [
            gs.Box(-1, 1, (2, 3)),
            gs.Box(-1, 1, (), np.float64),
            gs.Box(0, 255, (9, 8, 3), np.uint8),
            gs.Box(0, 255, (2, 9, 8, 3), np.int64),
            gs.Discrete(4, start=-2),
            gs.MultiBinary([2, 2]),
            gs.Dict(a=gs.Box(0, 255, (8, 8), np.uint8), b=gs.Tuple([gs.Discrete(3), gs.Box(-1, 1, (2,))])),
        ]
        for space in spaces:
            space.seed(1)
            part, count = Spaces(space, CHOICE).observation, 5
            samples = [space.sample() for _ in range(count)]
            batch = concatenate(space, samples, create_empty_array(space, count))
            for rows in (slice(None), np.array([1, 3])):
                single, whole = (
                    [np.full((count, *leaf["shape"]), 99, DTYPES[leaf["dtype"]]) for leaf in part.leaves]
                    for _ in range(2)
                )
                write = part.bind(single)
                for number in np.arange(count)[rows]:
                    write(number, samples[number])
                self.assertTrue(part.bind_rows(whole)(rows, batch), space)
                for first, second in zip(single, whole):
                    np.testing.assert_array_equal(first, second)

    def test_batches_that_need_a_look_are_left_to_the_rows(self):
        for space, batch in [
            (gs.Box(-1, 1, (2,)), np.zeros((3, 2))),
            (gs.Box(-1, 1, (2,)), np.zeros((2, 2), np.float32)),
            (gs.Box(-1, 1, (2,)), [[0, 0]] * 3),
            (gs.Box(0, 255, (3, 8, 8), np.int64), np.full((3, 3, 8, 8), 300)),
            (gs.Discrete(3), np.array([0, 1, 3])),
            (gs.Discrete(3, start=1), np.array([0, 1, 2])),
            (gs.Dict(a=gs.Discrete(3)), {"b": np.array([0, 1, 2])}),
            (gs.Dict(a=gs.Discrete(3)), [{"a": 1}] * 3),
            (gs.Dict(a=gs.Text(3)), {"a": ("x", "y", "z")}),
        ]:
            part = Spaces(space, CHOICE).observation
            arrays = [np.zeros((3, *leaf["shape"]), DTYPES[leaf["dtype"]]) for leaf in part.leaves]
            self.assertFalse(part.bind_rows(arrays)(slice(None), batch), space)

    def test_integers_that_do_not_fit_an_image_are_refused(self):
        space = gs.Box(0, 255, (3, 8, 8), np.int64)
        for value in (300, -1, 2**40):
            with self.assertRaisesRegex(WorkerError, f"from (7 to {value}|{value} to 7); expected 0 to 255"):
                leaves_of(space, np.where(np.arange(8) == 0, value, np.full((3, 8, 8), 7)))
        self.check(space, np.full((3, 8, 8), 255), ("obs", "image", np.full((3, 8, 8), 255)))

    def test_spaces_without_a_fixed_size_are_refused(self):
        for space, text in [
            (gs.Graph(CHOICE, None), "Graph spaces .* no fixed size"),
            (gs.Sequence(CHOICE), "Sequence spaces .* no fixed length"),
            (gs.OneOf([CHOICE]), "OneOf spaces .* different shapes"),
            (gs.Dict(a=gs.Sequence(CHOICE)), "^a: Sequence"),
            (gs.Dict(), "at least one observation"),
            (object(), "object spaces are not supported: the class is unknown"),
        ]:
            for spaces in ((space, CHOICE), (CHOICE, space)):
                with self.assertRaisesRegex(WorkerError, text) as caught:
                    Spaces(*spaces)
                self.assertEqual(caught.exception.kind, "space")

    def test_wrong_observations_are_named(self):
        box = gs.Box(0, 1, (2,))
        for space, value, text in [
            (box, None, "is None"),
            (box, np.zeros(3), r"float64 \[3\]; expected the shape"),
            (box, np.zeros(2, complex), "complex128.*expected the dtype float32"),
            (gs.Box(0, 9, (2,), np.int32), np.zeros(2), "expected the dtype int32"),
            (gs.Discrete(5), 5, "int 5; expected 0 to 4"),
            (gs.Discrete(5), 1.5, "float 1.5"),
            (gs.Discrete(5), None, "NoneType None"),
            (gs.MultiDiscrete([2, 2]), np.array([0, 2]), "outside its space"),
            (gs.MultiDiscrete([2, 2]), np.array([0.5, 1]), "expected whole numbers"),
            (gs.Text(3), "long text", "a string of at most 3 letters"),
            (gs.Dict(a=CHOICE), {}, "lacks members.*'a'"),
            (gs.Dict(a=CHOICE), 3, "lacks members"),
            (gs.Dict(a=CHOICE), {"a": 9}, "^a: the observation is int 9"),
        ]:
            with self.assertRaisesRegex(WorkerError, text):
                leaves_of(space, value)

    def test_lists_and_wider_floats_are_accepted(self):
        box = gs.Box(0, 1, (2,))
        for value in ([0.5, 1], (0, 1), np.array([0.5, 1.0]), np.array([0, 1])):
            leaves_of(box, value)


class Actions(unittest.TestCase):
    def decode(self, space, words):
        part = Spaces(CHOICE, space).action
        self.assertEqual(part.words, len(words))
        return part.decode(np.array([words, words], np.float32))[1]

    def test_discrete_actions_are_whole_numbers(self):
        self.assertIs(type(self.decode(gs.Discrete(3), [2])), np.int64)
        self.assertEqual(self.decode(gs.Discrete(3, start=-1), [2]), 1)
        action = self.decode(gs.MultiDiscrete([3, 4], start=[5, 0]), [2, 3])
        self.assertEqual((action.tolist(), action.dtype), ([7, 3], np.int64))
        action = self.decode(gs.MultiBinary([2, 2]), [0, 1, 1, 0])
        self.assertEqual((action.tolist(), action.dtype), ([[0, 1], [1, 0]], np.int8))
        self.assertEqual(self.decode(gs.Text(3, charset="a"), [1, 0, 1]), "aa")

    def test_boxes_are_clipped_to_their_bounds(self):
        space = gs.Box(np.array([-1, -np.inf, 0]), np.array([1, np.inf, 2]), dtype=np.float64)
        action = self.decode(space, [-3, 1e30, 5])
        np.testing.assert_allclose(action, [-1, 1e30, 2], rtol=1e-6)
        self.assertEqual(action.dtype, np.float64)
        leaf = Spaces(CHOICE, space).json()["actions"][0]
        self.assertEqual((leaf["low"], leaf["high"]), ([-1, None, 0], [1, None, 2]))
        action = self.decode(gs.Box(0, 10, (2, 1), np.int32), [2.6, 11])
        self.assertEqual((action.tolist(), action.dtype), ([[3], [10]], np.int32))

    def test_groups_and_samples(self):
        space = gs.Dict(move=gs.Tuple([gs.Discrete(3), gs.Box(-1, 1, (2,))]), fire=gs.MultiBinary(2))
        spaces = Spaces(CHOICE, space)
        names = [leaf["name"] for leaf in spaces.json()["actions"]]
        self.assertEqual(sorted(names), ["fire.0", "fire.1", "move.0", "move.1"])
        draw = np.random.default_rng(0)
        for _ in range(50):
            words = []
            for leaf in spaces.action.leaves:
                real = draw.normal(size=len(leaf["low"])).tolist()
                words += [draw.integers(leaf["n"])] if leaf["n"] else real
            (action,) = spaces.action.decode(np.array([words], np.float32))
            self.assertTrue(space.contains(action), action)

    def test_actions_are_copies(self):
        words = np.array([[0.5]], np.float32)
        (action,) = Spaces(CHOICE, gs.Box(-np.inf, np.inf, (1,))).action.decode(words)
        words[0] = 9
        self.assertEqual(action[0], 0.5)

    def test_actions_are_members_of_the_type_of_samples(self):
        tenth, big, tiny = np.float64(0.1), 2**24 + 1, 2**-149
        boxes = [
            gs.Box(-tenth, tenth, (2,), np.float64),
            gs.Box(np.array([-tenth, 0.3, -np.inf]), np.array([np.inf, 0.3, 0.7]), dtype=np.float64),
            gs.Box(-tiny / 2, tiny / 3, (1,), np.float64),
            gs.Box(-1, 1, (), np.float64),
            gs.Box(-np.inf, np.inf, (2,), np.float16),
            gs.Box(0.1, 65504, (2, 1), np.float16),
            gs.Box(-np.inf, np.inf, (2,), np.float32),
            gs.Box(-big, big, (2,), np.int32),
            gs.Box(2**53 + 1, 2**53 + 1, (1,), np.int64),
            *(gs.Box(np.iinfo(kind).min, np.iinfo(kind).max, (2,), kind) for kind in (np.int8, np.uint8)),
            *(gs.Box(-300 * (kind is np.int16), 301, (2,), kind) for kind in (np.int16, np.uint16)),
        ]
        unsampled = [  # Gymnasium's sample() fails
            gs.Box(np.iinfo(np.int64).min, np.iinfo(np.int64).max, (2,), np.int64),
            gs.Box(2**63 + 3, 2**64 - 1, (1,), np.uint64),
        ]
        others = [
            *(gs.Discrete(3, start=-1, dtype=kind) for kind in (np.int8, np.int32, np.int64)),
            *(gs.MultiDiscrete([3, 2], dtype=kind) for kind in (np.int8, np.int64)),
            *(gs.MultiDiscrete([[3], [2]], start=[[4], [-7]]), gs.MultiBinary((2, 2)), gs.MultiBinary(3)),
            *(gs.Text(3, min_length=2, charset="ab"), gs.Text(2, min_length=0)),
        ]
        groups = [gs.Dict(z=boxes[0], a=others[0]), gs.Tuple([boxes[3], gs.Tuple([others[0]])])]
        for space in boxes + unsampled + others + groups:
            action = Spaces(CHOICE, space).action
            for extreme in (-3e38, -(2.0**31), -0.1, 0, tiny, 0.1, 0.5, 1, 1.5, 2.0**24, 2.0**63, 3e38):
                words = [[extreme] * len(leaf["low"]) or [extreme % leaf["n"] // 1] for leaf in action.leaves]
                rows = np.array([list(itertools.chain(*words))] * 2, np.float32)
                with np.errstate(over="raise", invalid="raise"):
                    member = action.decode(rows)[1]
                self.assertTrue(space.contains(member), (space, extreme, member))
                if space not in unsampled:
                    self.assertEqual(self.types(member), self.types(space.sample()), space)

    def types(self, value):
        if isinstance(value, dict):
            return {key: self.types(part) for key, part in value.items()}
        if isinstance(value, tuple):
            return tuple(map(self.types, value))
        return type(value), getattr(value, "dtype", None)


def mask(*values):
    return np.array(values, np.int8)


PAIR = gs.Dict(move=gs.Discrete(3), act=gs.Discrete(2, start=5))
MANY = gs.MultiDiscrete([[2, 3], [3, 2]], start=[[1, 0], [0, 0]])
BITS = gs.MultiBinary((2, 2))
DEEP = gs.Tuple([gs.Dict(b=gs.Tuple([gs.Discrete(2), gs.Discrete(3)]), a=gs.Discrete(2)), gs.Box(0, 1)])


class Masks(unittest.TestCase):
    def test_what_gymnasium_samples_is_allowed(self):
        for space, value in [
            (gs.Discrete(3, start=-4), mask(1, 0, 1)),
            (gs.MultiDiscrete([3, 2]), (mask(0, 1, 1), mask(1, 0))),
            (gs.Discrete(3, start=-4), mask(0, 0, 0)),
            (gs.MultiDiscrete([3, 2]), (mask(0, 0, 0), mask(1, 0))),
            (MANY, ((mask(0, 1), mask(1, 1, 0)), (mask(0, 1, 1), mask(1, 0)))),
            (gs.MultiBinary(3), mask(2, 0, 1)),
            (BITS, mask(0, 1, 2, 2).reshape(2, 2)),
            (gs.Text(2, charset="abc"), (None, mask(1, 0, 1))),
            (gs.Text(3, min_length=0, charset="ab"), (1, mask(0, 1))),
            (gs.Text(3, min_length=0, charset="ab"), (np.int64(2), None)),
            (PAIR, {"move": mask(0, 0, 1), "act": mask(1, 0)}),
            (PAIR, {"act": None, "move": mask(0, 1, 1)}),
            (DEEP[0], {"b": (mask(1, 0), mask(0, 0, 1)), "a": None}),
            (DEEP[0], {"a": mask(0, 1), "b": (None, mask(0, 1, 1))}),
            *((space, None) for space in (CHOICE, PAIR, DEEP[0], gs.MultiBinary(2), MANY)),
        ]:
            action = Spaces(CHOICE, space).action
            data, allowed = action.allowed(value), []
            for leaf in action.leaves:
                allowed.append([choice for choice in range(leaf["n"]) if data[choice] == 1])
                data = data[leaf["n"] :]
            words = np.array(list(itertools.product(*allowed)), np.float32)
            space.seed(1)
            samples = {repr(space.sample(value)) for _ in range(2000)}
            self.assertEqual({repr(member) for member in action.decode(words)}, samples, (space, value))

    def test_other_arrays_and_flat_ones(self):
        two = gs.MultiDiscrete([2, 3])
        for space, values in [
            (CHOICE, [[0, 1], (False, True), *(np.array([0, 1]).astype(kind) for kind in "?bBhHiIlLqQefd")]),
            (two, [(mask(0, 1), [1, 0, 1]), mask(0, 1, 1, 0, 1), [False, True, True, False, True]]),
            (two, [[None, mask(1, 0, 1)], mask(1, 1, 1, 0, 1)]),
            (gs.MultiBinary(2), [mask(0, 2), [0, 2], mask(1, 0, 1, 1), (mask(1, 0), None)]),
        ]:
            action = Spaces(CHOICE, space).action
            self.assertEqual(len({action.allowed(value) for value in values}), 1, space)

    def test_others_are_refused_with_the_name_of_the_part(self):
        good = {"move": mask(1, 1, 1), "act": mask(1, 0)}
        deep = 'action_mask[0]["b"][1]: '
        for space, value, text in [
            (CHOICE, mask(1, 1, 1), "action_mask: the mask is int8 [1, 1, 1]; return an array of 2 values"),
            (CHOICE, mask(0, 2), "[0, 2]; return an array of 2 values, 1 for each allowed"),
            (CHOICE, np.array([0, 257]), "return an array of 2 values"),
            (CHOICE, np.array([0.5, 1]), "return an array of 2 values"),
            (CHOICE, mask(-1, 1), "return an array of 2 values"),
            *((CHOICE, value, "return an array of 2") for value in (3, "10", [[1], [1, 0]], {}, np.ones(()))),
            (PAIR, {**good, "move": mask(1, 0)}, 'action_mask["move"]: the mask is int8 [1, 0]'),
            (PAIR, {"act": None}, 'action_mask["move"]: the mask lacks this key; add it, with None'),
            (PAIR, {**good, "mov": None}, "action_mask: the mask has the unknown key 'mov'"),
            (PAIR, mask(1, 1, 1, 1, 1), "return a dict with a mask, or None, for each of ['move', 'act']"),
            (DEEP, (None,), "return a tuple of 2 masks"),
            (DEEP, ({"a": None, "b": (None, mask(1))}, None), deep + "the mask is int8 [1]"),
            (DEEP, (None, mask(1)), "action_mask[1]: the mask is int8 [1]; return None, because only"),
            (MANY, (mask(1, 1), mask(1, 1)), "action_mask[0][0]: the mask is"),
            (MANY, mask(1, 1), "action_mask: the mask is int8 [1, 1]; return an array of 10 values"),
            (MANY, (None,), "return a tuple of 2 masks, one for each element"),
            *((BITS, value, "return whole numbers [2, 2]: 0 (it") for value in (mask(1), BITS.sample() + 3)),
            (gs.Text(2, min_length=2), (1, None), "return a tuple of a length from 2 to 2 and a mask"),
        ]:
            with self.assertRaises(WorkerError, msg=(space, value)) as caught:
                Spaces(CHOICE, space).action.allowed(value)
            self.assertIn(text, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
