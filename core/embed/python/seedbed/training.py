# SPDX-License-Identifier: Apache-2.0
"""Training: of a built-in environment in C++, or of a Gymnasium environment that this process steps."""

from __future__ import annotations

import ctypes
import itertools
import json
import math
import os
import pathlib
import time
from typing import TYPE_CHECKING, Any, Callable, Mapping

import numpy as np

from seedbed import _library as lib
from seedbed.chart import svg
from seedbed.policy import Policy
from seedbed.spaces import ActionPart, ObservationPart, flat, joined

if TYPE_CHECKING:
    import gymnasium

PRESETS = pathlib.Path(os.environ.get("SEEDBED_PRESETS") or pathlib.Path(__file__).parent / "presets")
SLOW_UPDATE_S = 0.2  # longer updates are computed in pieces, so that Ctrl-C works in between
FIRST_PIECE_MS, PIECE_MS = 1.0, 100.0  # pieces grow, because one may contain several short updates
HELD_S = 0.005  # a call that returns earlier without an update did nothing, because the run is paused
WAIT_S = 0.02  # between two calls while the run is paused
INTERVAL_S = 0.5  # between two pictures of a curve
NUMBERS = itertools.count()  # names of environments must differ


def presets() -> list[str]:
    """The names of the presets that train() accepts."""
    return sorted(path.stem for path in PRESETS.glob("*.json"))


def preset(name: str) -> dict[str, Any]:
    """A preset as a dictionary: env, budget, config, expects and texts."""
    path = PRESETS / f"{name}.json"
    if not path.exists():
        raise ValueError(f"there is no preset '{name}'; seedbed.presets() lists them")
    return json.loads(path.read_text())


class GymnasiumEnv:
    """The columns of a Gymnasium vector environment, as libseedbed sees them."""

    def __init__(self, env, seed):
        import gymnasium as gym

        mode = env.metadata.get("autoreset_mode")
        if mode != gym.vector.AutoresetMode.NEXT_STEP:
            raise ValueError(
                f"the vector environment's autoreset mode is {mode}; training needs AutoresetMode.NEXT_STEP"
            )
        self.env, self.seed, self.count = env, seed, env.num_envs
        leaves = flat(env.single_observation_space)
        self.obs = [ObservationPart(path, space, self.count) for path, space in leaves]
        self.actions = [ActionPart(path, space) for path, space in flat(env.single_action_space)]
        self.choices = sum(d.choices for part in self.actions for d in part.descriptions)
        self.words = sum(len(part.descriptions) for part in self.actions)
        self.observations, self.info = env.reset(seed=seed)
        self.has_mask = self.mask() is not None

    def describe(self):
        observations = [part.description for part in self.obs]
        actions = [description for part in self.actions for description in part.descriptions]
        self.kept = ((lib.Observation * len(observations))(*observations),
                     (lib.Action * len(actions))(*actions))
        return lib.made(
            lib.Environment,
            name=f"python_{os.getpid()}_{next(NUMBERS)}".encode(),
            columns=self.count,
            observations=self.kept[0],
            observation_count=len(observations),
            actions=self.kept[1],
            action_count=len(actions),
            has_mask=self.has_mask,
        )

    def mask(self):
        mask = self.info.get("action_mask")
        if mask is None:
            return None
        mask = np.ascontiguousarray(np.stack([np.ravel(row) for row in mask]), np.uint8)
        if mask.shape != (self.count, self.choices):
            raise ValueError(
                    f"info['action_mask'] has the shape {mask.shape}; expected {self.count, self.choices}")
        return mask

    def rows(self):
        return [part.rows(self.observations) for part in self.obs]

    def begin(self, trainer):
        rows = self.rows()
        lib.library.begin(trainer, lib.pointers(rows), lib.pointer(self.mask()))
        self.buffer = np.empty((self.count, self.words), np.float32)

    def step(self, trainer):
        """One decision of every column. A column that begins a new episode ignores its action."""
        lib.library.act(trainer, self.buffer.ctypes.data, None)
        values, begin = {}, 0
        for part in self.actions:
            end = begin + len(part.descriptions)
            values[part.path] = part.values(self.buffer[:, begin:end])
            begin = end
        actions = joined(self.env.single_action_space, values)
        self.observations, rewards, terminated, truncated, self.info = self.env.step(actions)
        rows, mask = self.rows(), self.mask() if self.has_mask else None
        rewards = np.ascontiguousarray(rewards, np.float32)
        ends = [np.ascontiguousarray(end, np.uint8) for end in (terminated, truncated)]
        outcome = lib.made(
            lib.Outcome,
            observations=lib.pointers(rows),
            mask=lib.pointer(mask),
            rewards=rewards.ctypes.data,
            terminated=ends[0].ctypes.data,
            truncated=ends[1].ctypes.data,
            keeps_last=1,
        )
        lib.library.report(trainer, ctypes.byref(outcome))


def text_of(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(text_of(part) for part in value)
    return str(value)


class Run:
    """A training that train() has begun. Use it on the thread that created it."""

    def __init__(
        self,
        env: str | gymnasium.vector.VectorEnv,
        *,
        config: Mapping[str, Any] | None,
        settings: Mapping[str, Any],
        seed: int,
        threads: int,
        data_folder: str | os.PathLike[str] | None,
        name: str | None,
        init_from: str | os.PathLike[str] | None,
        resume: int,
        memory: int,
    ) -> None:
        self.history: list[dict[str, Any]] = []
        self.handle, self.host = lib.ANY(), None
        settings = {"run.seed": seed, **settings}
        pairs = [(key.encode(), text_of(value).encode()) for key, value in settings.items()]
        options = lib.made(
            lib.Options,
            config=json.dumps(config).encode() if config else None,
            settings=(lib.Setting * len(pairs))(*pairs),
            setting_count=len(pairs),
            data_folder=str(data_folder).encode() if data_folder else None,
            name=name.encode() if name else None,
            init_from=str(init_from).encode() if init_from else None,
            resume=resume,
            memory_bytes=memory,
            threads=threads or os.cpu_count() or 1,
        )
        if isinstance(env, str):
            options.built_in = env.encode()
        else:
            self.host = GymnasiumEnv(env, seed)
            self.description = self.host.describe()
            options.environment = ctypes.pointer(self.description)
        lib.library.create(ctypes.byref(options), ctypes.byref(self.handle))
        if self.host:
            self.host.begin(self.handle)

    # Training

    def train(self, steps: int | None = None, callback: Callable[[Run], bool | None] | None = None) -> Run:
        """Trains for about `steps` more decisions (None: until the goal in the settings: run.steps,
        run.minutes or run.target_return). callback(run) is called after each update; training ends if it
        returns False. Ctrl-C raises KeyboardInterrupt between two updates, and the run can be continued."""
        try:
            self.train_until(None if steps is None else self.steps + steps, callback)
        finally:
            if isinstance(callback, LiveCurve):
                callback.draw(self)
        return self

    def train_until(self, end: int | None, callback: Callable[[Run], bool | None] | None) -> None:
        budget = -1.0
        while not self.progress().goal_reached and (end is None or self.steps < end):
            before, begin = self.progress(), time.monotonic()
            now = before
            while now.updates == before.updates and not now.goal_reached:
                now = self.piece(budget, before.updates)
                budget = min(2 * budget, PIECE_MS) if budget > 0 else budget
            if now.updates == before.updates:
                break  # the goal by time was reached in the middle of an update
            is_slow = time.monotonic() - begin > SLOW_UPDATE_S and not self.host
            budget = FIRST_PIECE_MS if is_slow else -1.0
            metrics = json.loads(lib.library.metrics(self.handle))
            counts = {"steps": now.steps, "updates": now.updates, "mean_return": now.mean_return}
            self.history.append({**counts, **metrics})
            if callback and callback(self) is False:
                break

    def piece(self, budget: float, updates: int) -> lib.Progress:
        """Trains for `budget` milliseconds (negative: one update); waits a moment if the run is paused."""
        if self.host:
            self.host.step(self.handle)
        begin = time.monotonic()
        lib.library.pump(self.handle, budget)
        now = self.progress()
        is_waiting = now.updates == updates and not now.goal_reached and not self.host
        if is_waiting and time.monotonic() - begin < HELD_S:
            time.sleep(WAIT_S)
        return now

    def set(self, key: str, value: Any) -> None:
        """Changes a setting that docs/reference/settings.md marks as live, from the next update on."""
        lib.library.set(self.handle, key.encode(), text_of(value).encode())

    def close(self) -> None:
        """Ends training. A run in a data folder saves its last state."""
        if self.handle:
            handle, self.handle = self.handle, None
            lib.library.destroy(handle)

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self):
        try:
            if getattr(self, "handle", None):
                self.close()
        except lib.Error:  # there is no caller to report it to
            pass

    # Results

    def progress(self) -> lib.Progress:
        progress = lib.made(lib.Progress)
        lib.library.get_progress(self.handle, ctypes.byref(progress))
        return progress

    @property
    def steps(self) -> int:
        return self.progress().steps

    @property
    def updates(self) -> int:
        return self.progress().updates

    @property
    def mean_return(self) -> float:
        """The mean return of the newest 100 episodes; NaN before the first."""
        return self.progress().mean_return

    @property
    def number(self) -> int:
        """The number of the run in its data folder; 0 in memory."""
        return self.progress().run

    def metrics(self, frame: str = "pandas") -> Any:
        """A row per update, as a data frame of "pandas" or "polars", or as a "list" of dictionaries."""
        if frame == "list":
            return list(self.history)
        if frame == "polars":
            import polars

            return polars.DataFrame(self.history, infer_schema_length=None)
        if frame != "pandas":
            raise ValueError(f"frame is '{frame}'; supported: 'pandas', 'polars', 'list'")
        import pandas

        return pandas.DataFrame(self.history)

    def save(self, folder: str | os.PathLike[str] | None = None) -> None:
        """Saves a checkpoint of the run, or the policy in a new folder for Policy.load() and seedbed export.
        """
        lib.library.save(self.handle, str(folder).encode() if folder else None)

    def export(self, target: str, folder: str | os.PathLike[str]) -> None:
        """Exports the policy to a new folder: "onnx", "safetensors" or "c"."""
        lib.library.export(self.handle, target.encode(), str(folder).encode())

    def policy(self) -> Policy:
        """The current policy; it does not change when training continues."""
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "policy"
            self.save(path)
            return Policy.load(path)

    def _repr_html_(self) -> str:
        points = [(row["steps"], row["mean_return"]) for row in self.history]
        return svg(points, "decisions", "mean return of 100 episodes")


class LiveCurve:
    """A callback that draws the curve of the return in a notebook, at most twice a second, and at the end of
    training."""

    def __init__(self) -> None:
        self.display: Any = None
        self.last = -math.inf
        self.drawn = (0, 0)  # the run and its number of points

    def __call__(self, run: Run) -> None:
        if time.monotonic() - self.last >= INTERVAL_S:
            self.draw(run)

    def draw(self, run: Run) -> None:
        """Draws the curve, unless it has no new points; for callbacks that call a LiveCurve themselves."""
        from IPython.display import HTML, display

        newest = (id(run), len(run.history))
        if newest == self.drawn or not run.history:
            return
        self.last, self.drawn = time.monotonic(), newest
        picture = HTML(run._repr_html_())
        if self.display is None:
            self.display = display(picture, display_id=True)
        else:
            self.display.update(picture)


def train(
    env: str | gymnasium.vector.VectorEnv | Callable[[], gymnasium.Env],
    steps: int | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    num_envs: int = 16,
    seed: int = 0,
    callback: Callable[[Run], bool | None] | None = None,
    threads: int = 1,
    data_folder: str | os.PathLike[str] | None = None,
    name: str | None = None,
    init_from: str | os.PathLike[str] | None = None,
    resume: int = 0,
    memory: int = 0,
) -> Run:
    """Trains an agent and returns its Run.

    env: the name of a preset, such as "cartpole"; the id of a built-in environment; a Gymnasium vector
    environment; or a function that makes a Gymnasium environment, of which `num_envs` are stepped together.
    steps: decisions to train for; None: the budget of the preset.
    settings: those of `seedbed train`, such as {"algo.learning_rate": 1e-3, "algo.id": "ppo"}.
    callback(run): called after each update; training ends if it returns False.
    threads: that compute; 0: one per processor.
    data_folder: records the run there, with those of the program `seedbed`; None: in memory.
    init_from: the folder of a policy whose weights are the first ones. resume: the number of a recorded run.
    memory: limit in bytes for the estimated memory; 0: the free memory.
    """
    config = None
    if isinstance(env, str) and (PRESETS / f"{env}.json").exists() and not resume:
        chosen = preset(env)
        env, config = chosen["env"], chosen["config"]
        steps = steps or chosen["budget"].get("steps")
    elif callable(env) and not hasattr(env, "num_envs"):
        import gymnasium as gym

        mode = gym.vector.AutoresetMode.NEXT_STEP
        env = gym.vector.SyncVectorEnv([env] * num_envs, autoreset_mode=mode)
    run = Run(
        env,
        config=config,
        settings=settings or {},
        seed=seed,
        threads=threads,
        data_folder=data_folder,
        name=name,
        init_from=init_from,
        resume=resume,
        memory=memory,
    )
    return run.train(steps, callback)
