# SPDX-License-Identifier: Apache-2.0
"""atari:GAME: Atari 2600 games with published preprocessing, chosen by the argument `preprocessing`.

The other arguments change individual values. Rewards are raw, so that reported scores are those of the game;
clip them for the learner with env.wrap.reward_clip. ale-py's vector environment plays the variants that it
can reproduce, and games.py plays the others; on one thread games.py plays all of them, with the same results.
With `dqn` the maximum is taken over grey levels and pictures are area-averaged; Mnih et al. take the maximum
over colours and interpolate.
"""

import sys

import numpy as np

from seedbed_worker import atari57
from seedbed_worker.errors import WorkerError
from seedbed_worker.spaces import MIN_IMAGE_SIDE
from seedbed_worker.vector import NextStep, Vectors

WHOLE = {"sticky": 0.0, "frame_skip": 4, "max_pool": True, "noop_max": 30, "max_frames": 108000}
VARIANTS = {
    # Mnih et al. 2015 and IMPALA (Espeholt et al. 2018): each life is an episode for the learner.
    "dqn": {**WHOLE, "full_actions": False, "fire_reset": False, "life_loss": True},
    # CleanRL and Stable-Baselines3. A lost life is also followed by one no-op, FIRE, and the action after
    # FIRE.
    "cleanrl": {
        **WHOLE,
        "full_actions": False,
        "fire_reset": True,
        "life_loss": True,
        "colour_max": True,
    },
    # Machado et al. 2018: sticky actions, all 18 actions, five minutes.
    "machado": {
        "sticky": 0.25,
        "full_actions": True,
        "frame_skip": 5,
        "max_pool": False,
        "noop_max": 0,
        "fire_reset": False,
        "life_loss": False,
        "max_frames": 18000,
    },
    # SEED RL's R2D2: all 18 actions, no sticky actions, whole games, linear interpolation.
    "r2d2": {**WHOLE, "full_actions": True, "fire_reset": False, "life_loss": False, "resize": "linear"},
}
OTHERS = {"resize": "area", "colour_max": False, "size": 84, "stack": 4, "threads": 0}
RESIZE = ("area", "linear")
LEAST = {"frame_skip": 1, "size": MIN_IMAGE_SIDE, "stack": 1, "noop_max": 0}
ARGUMENTS = {
    "sticky": "repeat_action_probability",
    "full_actions": "full_action_space",
    "frame_skip": "frameskip",
    "max_pool": "maxpool",
    "noop_max": "noop_max",
    "fire_reset": "use_fire_reset",
    "life_loss": "life_loss_info",
    "max_frames": "max_num_frames_per_episode",
    "threads": "num_threads",
}


def complete(kwargs):
    """The values of all arguments."""
    kwargs = dict(kwargs)
    variant = kwargs.pop("preprocessing", "dqn")
    if variant not in VARIANTS:
        raise WorkerError(
            "constructor", f"preprocessing must be one of {', '.join(VARIANTS)}, not '{variant}'"
        )
    values = {"preprocessing": variant, **OTHERS, **VARIANTS[variant]}
    unknown = kwargs.keys() - values.keys()
    if unknown:
        raise WorkerError("constructor", f"unknown argument {min(unknown)}; known: {', '.join(values)}")
    values.update(kwargs)
    for name, least in LEAST.items():
        if type(values[name]) is not int or values[name] < least:
            sentence = f"{name} must be a whole number of at least {least}, not {values[name]!r}"
            raise WorkerError("constructor", sentence)
    if values["resize"] not in RESIZE:
        raise WorkerError("constructor", f"resize must be {' or '.join(RESIZE)}, not '{values['resize']}'")
    return values


def needs_own(values):
    """Whether ale-py's vector environment cannot reproduce these values."""
    return values["fire_reset"] or values["colour_max"] or values["resize"] != "area"


class Engine(NextStep):
    """Single frames: Seedbed stacks them. A lost life ends an episode of the learner, but not the game."""

    can_reset_some = True

    def __init__(self, ale_vector_env, game, values, count):
        env = ale_vector_env(
            game,
            count,
            img_height=values["size"],
            img_width=values["size"],
            stack_num=1,
            reward_clipping=False,
            **{name: values[key] for key, name in ARGUMENTS.items()},
        )
        super().__init__(env, count)
        self.counts_lives = values["life_loss"]

    def reset(self, seeds):
        obs, _ = self.env.reset(seed=self.seeds(seeds))
        self.frames = obs
        return obs

    def reset_some(self, numbers, seeds):
        mask = np.zeros(self.count, bool)
        mask[numbers] = True
        obs, _ = self.env.reset(seed=self.seeds(seeds), options={"reset_mask": mask})
        self.frames = obs
        return obs

    @staticmethod
    def seeds(seeds):
        return (seeds & 0x7FFFFFFF).astype(np.int64)  # a negative seed would keep the previous one

    def step(self, actions, active):
        obs, rewards, terminated, truncated, info = self.env.step(actions)
        over = terminated | truncated
        if self.counts_lives:
            over &= ~(terminated & (info["lives"] > 0))
        self.frames = obs
        return obs, rewards, terminated, truncated, over

    def picture(self, number):
        """The frame that the agent sees, enlarged; ale-py's vector environment provides no other picture."""
        frame = self.frames[number, 0].repeat(4, 0).repeat(4, 1)
        return np.stack([frame] * 3, axis=-1)


def source(name, kwargs, count, host):
    try:
        import ale_py
        from ale_py.vector_env import AtariVectorEnv
    except ImportError as error:
        sentence = f"this id needs ale-py, which {sys.executable} cannot import: {error}"
        raise WorkerError("import", sentence + "; install the pack 'atari'") from error
    known = ale_py.roms.get_all_rom_ids()
    if name not in known:
        raise WorkerError("no_such_env", f"ale-py has no game '{name}'; it has {', '.join(sorted(known))}")
    values = complete(kwargs)
    spec = {
        "title": name.replace("_", " ").title(),
        "sentence": "",
        "upstream": f"ale-py {ale_py.__version__}, preprocessing '{values['preprocessing']}'",
        "horizon": values["max_frames"] // values["frame_skip"],
        "frames_per_step": values["frame_skip"],
        "reward_low": None,
        "reward_high": None,
        "can_save": False,
        "repeats": True,
        "tasks": atari57.tasks(name),
        "parameters": [
            {"name": key, "type": type(value).__name__, "default": value}
            for key, value in complete({}).items()
        ],
    }

    def make():
        threads = values["threads"] or host.cores
        if needs_own(values) or threads == 1:
            from seedbed_worker import games

            return games.Games(name, values, count, games.Game if needs_own(values) else games.VectorGame)
        return Engine(AtariVectorEnv, name, {**values, "threads": threads}, count)

    def name_actions(spaces):
        spaces["obs"][0]["stack"] = values["stack"]
        leaf = spaces["actions"][0]
        ale = ale_py.ALEInterface()
        ale.loadROM(ale_py.roms.get_rom_path(name))
        actions = ale.getLegalActionSet() if values["full_actions"] else ale.getMinimalActionSet()
        leaf["labels"] = [action.name.lower() for action in actions]

    return Vectors(
        make,
        lambda engine: spec,
        count,
        host,
        ["ale-py", "gymnasium"],
        name_actions,
    )
