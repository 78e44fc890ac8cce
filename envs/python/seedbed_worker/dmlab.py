# SPDX-License-Identifier: Apache-2.0
"""dmlab:LEVEL and dmlab:dmlab30: levels of DeepMind Lab, which the user has to build; maze:LEVEL: the mazes
of maze.py, which has the same interface.

Actions, resolution and seeds are those of SEED RL and Sample Factory. Episodes terminate at their time limit,
as in the publications, and there is no last observation. In dmlab30 environment e plays task e modulo 30.
"""

import collections
import hashlib
import os
import shutil
import statistics
import sys
import tempfile

import numpy as np

from seedbed_worker import dmlab30, gym
from seedbed_worker.errors import WorkerError
from seedbed_worker.plain import Box, Dict, Discrete, Words
from seedbed_worker.single import Singles, call

FORWARD = (0, 0, 0, 1, 0, 0, 0)
# Number of actions -> label and values of DeepMind Lab's action fields.
ACTIONS = {
    9: {
        "forward": FORWARD,
        "backward": (0, 0, 0, -1, 0, 0, 0),
        "strafe left": (0, 0, -1, 0, 0, 0, 0),
        "strafe right": (0, 0, 1, 0, 0, 0, 0),
        "look left": (-20, 0, 0, 0, 0, 0, 0),
        "look right": (20, 0, 0, 0, 0, 0, 0),
        "forward and look left": (-20, 0, 0, 1, 0, 0, 0),
        "forward and look right": (20, 0, 0, 1, 0, 0, 0),
        "fire": (0, 0, 0, 0, 1, 0, 0),
    },
    15: {
        "forward": FORWARD,
        "backward": (0, 0, 0, -1, 0, 0, 0),
        "strafe left": (0, 0, -1, 0, 0, 0, 0),
        "strafe right": (0, 0, 1, 0, 0, 0, 0),
        "look left": (-10, 0, 0, 0, 0, 0, 0),
        "look right": (10, 0, 0, 0, 0, 0, 0),
        "look far left": (-60, 0, 0, 0, 0, 0, 0),
        "look far right": (60, 0, 0, 0, 0, 0, 0),
        "look down": (0, 10, 0, 0, 0, 0, 0),
        "look up": (0, -10, 0, 0, 0, 0, 0),
        "forward and look left": (-10, 0, 0, 1, 0, 0, 0),
        "forward and look right": (10, 0, 0, 1, 0, 0, 0),
        "forward and look far left": (-60, 0, 0, 1, 0, 0, 0),
        "forward and look far right": (60, 0, 0, 1, 0, 0, 0),
        "fire": (0, 0, 0, 0, 1, 0, 0),
    },
}
PICTURE = "RGB_INTERLEAVED"
TEST_SEED = 0x600D5EED  # DeepMind Lab's mixer seed for tests
KEPT_RETURNS = 100
FREE_BYTES = 1 << 30  # the level cache leaves this much of the disk free


class LevelCache:
    """Compiled maps, which DeepMind Lab copies to and from the cache; the file names are those of SEED RL."""

    def __init__(self, folder):
        self.folder = folder

    def path(self, key):
        digest = hashlib.md5(key.encode(), usedforsecurity=False).hexdigest()
        return os.path.join(self.folder, digest[:3], digest[3:])

    def fetch(self, key, pk3_path):
        try:
            shutil.copyfile(self.path(key), pk3_path)
        except OSError:
            return False
        return True

    def write(self, key, pk3_path):
        """If a map cannot be stored, DeepMind Lab compiles it again when it is needed."""
        path = self.path(key)
        try:
            if os.path.exists(path) or shutil.disk_usage(self.folder).free < FREE_BYTES:
                return
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=os.path.dirname(path), delete=False) as file:
                with open(pk3_path, "rb") as source:
                    shutil.copyfileobj(source, file)
            os.replace(file.name, path)
        except OSError:
            return


def space_of(spec):
    """The space of an observation of DeepMind Lab."""
    shape = tuple(spec["shape"])
    if spec["dtype"] is str:
        return Words()
    if 0 in shape:
        raise WorkerError(
            "space", f"the observation {spec['name']} of DeepMind Lab has no fixed size: {shape}"
        )
    if spec["dtype"] is np.uint8 and len(shape) == 3:
        return Box(0, 255, shape, np.uint8)
    return Box(-np.inf, np.inf, shape, np.float32)


class Level:
    """A level as a Gymnasium-like environment. lab: the class Lab; task: its number in DMLab-30, or None."""

    def __init__(
        self,
        lab,
        level,
        task,
        observations: str = PICTURE,
        actions: int = 9,
        action_repeat: int = 4,
        width: int = 96,
        height: int = 72,
        hold_out: bool = False,
        task_input: bool = False,
        renderer: str = "software",
        level_cache: str = "",
        **config,
    ):
        if actions not in ACTIONS:
            raise WorkerError(
                "constructor", f"actions must be 9 (SEED RL) or 15 (Sample Factory), not {actions}"
            )
        self.level, self.task, self.action_repeat, self.width, self.height = (
            level,
            task,
            action_repeat,
            width,
            height,
        )
        config.update(width=width, height=height)
        if hold_out:
            config.update(allowHoldOutLevels="true", mixerSeed=TEST_SEED)
        cache = level_cache or os.environ.get("SEEDBED_LEVEL_CACHE", "")
        self.names = [name.strip() for name in observations.split(",")]
        self.lab = lab(
            level,
            self.names,
            config={name: setting(value) for name, value in config.items()},
            renderer=renderer,
            level_cache=LevelCache(cache) if cache else None,
        )
        specs = {spec["name"]: spec for spec in self.lab.observation_spec()}
        spaces = {name: space_of(specs[name]) for name in self.names}
        if task_input:
            spaces["task"] = Discrete(len(dmlab30.TASKS))
        self.task_input, self.last = task_input, None
        self.observation_space = next(iter(spaces.values())) if len(spaces) == 1 else Dict(spaces)
        self.action_space = Discrete(actions)
        self.actions = np.array(list(ACTIONS[actions].values()), np.intc)
        self.total, self.returns = 0.0, collections.deque(maxlen=KEPT_RETURNS)

    def observe(self):
        self.last = self.lab.observations()
        if len(self.names) == 1 and not self.task_input:
            return self.last[self.names[0]]
        return {**self.last, "task": self.task} if self.task_input else self.last

    def reset(self, seed=None, options=None):
        # DeepMind Lab's seeds are positive C ints.
        self.lab.reset(seed=None if seed is None else int(seed) & 0x7FFFFFFF)
        self.total = 0.0
        return self.observe(), {}

    def step(self, action):
        reward = self.lab.step(self.actions[action], num_steps=self.action_repeat)
        self.total += reward
        if self.lab.is_running():
            return self.observe(), reward, False, False, {}
        self.returns.append(self.total)
        return None, reward, True, False, {}  # the host receives the first observation of the next episode

    def render(self):
        if self.last is None or PICTURE not in self.last:
            raise WorkerError("render", f"pictures need the observation {PICTURE}")
        return self.last[PICTURE].repeat(4, 0).repeat(4, 1)

    def close(self):
        self.lab.close()


def setting(value):
    """A value as text; DeepMind Lab's settings are strings."""
    return str(value).lower() if isinstance(value, bool) else str(value)


class Recipe(gym.Recipe):
    """levels: (name, task in DMLab-30 or None); environment e plays level e modulo their number."""

    def __init__(self, title, lab, levels, kwargs, packages, first):
        super().__init__(title, Level, kwargs, packages)
        self.lab, self.levels, self.first = lab, levels, first

    def make(self, number=0):
        level, task = self.levels[(self.first + number) % len(self.levels)]
        return Level(self.lab, level, task, **self.kwargs)


class Levels(Singles):
    def state(self, number):
        """The scores of the level so far, and of the tasks in which this process has finished episodes."""
        env = self.env(number)
        state = {"level": env.level, "episodes_counted": len(env.returns)}
        if env.returns:
            state["mean_return"] = statistics.fmean(env.returns)
        if env.task is None:
            return state
        state["task"] = env.task
        finished = collections.defaultdict(list)
        for other in self.envs:
            if other is not None and other.returns:
                finished[other.task] += other.returns
        if env.task in finished:
            mean = statistics.fmean(finished[env.task])
            state["human_normalised_percent"] = dmlab30.human_normalised(env.task, mean)
        if finished:
            means = {task: statistics.fmean(returns) for task, returns in finished.items()}
            state["tasks_counted"], state["capped_mean_percent"] = len(means), dmlab30.capped_mean(means)
        return state


def load_lab():
    try:
        import deepmind_lab
    except ImportError as error:
        sentence = f"this id needs DeepMind Lab, which {sys.executable} cannot import: {error}"
        hint = "; build it, then 'seedbed pack install dmlab --python PYTHON' (see 'seedbed pack show dmlab')"
        raise WorkerError("import", sentence + hint) from error
    return deepmind_lab.Lab


def levels_of(name, hold_out):
    """(level, task) of an id."""
    if name == "dmlab30":
        names = dmlab30.TEST_LEVELS if hold_out else dmlab30.LEVELS
        return [(dmlab30.FOLDER + level, task) for task, level in enumerate(names)]
    task = dmlab30.task_of(name)
    if task is not None and hold_out:
        name = dmlab30.TEST_LEVELS[task]
    return [(name if task is None or "/" in name else dmlab30.FOLDER + name, task)]


def source(scheme, name, kwargs, count, host):
    kwargs = dict(kwargs)
    if scheme == "maze":
        from seedbed_worker import maze

        if name not in maze.LEVELS:
            known = ", ".join(maze.LEVELS)
            raise WorkerError("no_such_env", f"there is no maze '{name}'; known: {known}")
        lab, levels, packages, upstream = maze.Lab, [(name, None)], [], "written for Seedbed"
    else:
        lab, levels = load_lab(), levels_of(name, kwargs.get("hold_out", False))
        packages, upstream = [
            "deepmind-lab"
        ], f"DeepMind Lab {levels[0][0] if len(levels) == 1 else 'DMLab-30'}"
        if len(levels) > 1:
            kwargs.setdefault("observations", f"{PICTURE},INSTR")  # language tasks need the instructions
    if kwargs.get("task_input") and levels[0][1] is None:
        raise WorkerError("constructor", f"task_input needs a task of DMLab-30; '{name}' is not one")
    title = "DMLab-30" if len(levels) > 1 else name.rpartition("/")[2].replace("_", " ").capitalize()
    made = call(
        "constructor", lambda: Levels(Recipe(title, lab, levels, kwargs, packages, host.first), count, host)
    )
    env = made.envs[0]
    made.spec.update(upstream=upstream, sentence="", frames_per_step=env.action_repeat)
    made.spec["tasks"] = dmlab30.tasks(levels)
    if scheme == "maze":
        made.spec.update(
            sentence=maze.LEVELS[name][3].capitalize() + ".", horizon=env.lab.frames // env.action_repeat
        )
    made.spec["parameters"] = gym.parameters(Level, {}, ["lab", "level", "task"])
    made.spec["spaces"]["actions"][0]["labels"] = list(ACTIONS[env.action_space.n])
    return made
