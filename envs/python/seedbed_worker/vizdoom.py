# SPDX-License-Identifier: Apache-2.0
"""vizdoom:SCENARIO: ViZDoom's scenarios with Sample Factory's actions, rewards and preprocessing.

Frames of 160 x 120 pixels are reduced to 128 x 72 (nearest neighbour), an action lasts four tics, and the
last observation of an episode is black. Time limits end an episode like death does, as in Sample Factory.
"""

import os
import sys
import tempfile

import numpy as np

from seedbed_worker import gym
from seedbed_worker.errors import WorkerError
from seedbed_worker.plain import Box, Discrete, Tuple
from seedbed_worker.single import Singles

TURN, MOVE = ["TURN_LEFT", "TURN_RIGHT"], ["MOVE_FORWARD", "MOVE_BACKWARD"]
STRAFE = ["MOVE_LEFT", "MOVE_RIGHT"]
# Scenario -> groups of buttons, of which at most one is pressed each; factor of the rewards; settings of the
# game; reward for each increase of the health.
SCENARIOS = {
    "basic": ([STRAFE + ["ATTACK"]], 0.01, {}, 0),
    "my_way_home": ([TURN, MOVE], 1, {"living_reward": -0.0001}, 0),
    "deadly_corridor": ([TURN, MOVE, STRAFE, ["ATTACK"]], 0.01, {"doom_skill": 5}, 0),
    "defend_the_center": ([TURN, ["ATTACK"]], 1, {}, 0),
    "defend_the_line": ([TURN, ["ATTACK"]], 1, {}, 0),
    "health_gathering": ([TURN + MOVE], 1, {"living_reward": 0.01, "death_penalty": 0}, 1),
    "health_gathering_supreme": ([TURN + MOVE], 1, {"living_reward": 0.01, "death_penalty": 0}, 1),
}
SCREEN, SIZE = (120, 160), (72, 128)
ROWS, COLUMNS = (np.arange(small) * large // small for small, large in zip(SIZE, SCREEN))


class Doom:
    """A scenario of ViZDoom, whose engine is a process."""

    def __init__(self, scenario: str, frame_skip: int = 4):
        import vizdoom

        groups, self.scale, settings, self.health_reward = SCENARIOS[scenario]
        self.frame_skip, self.health_variable = frame_skip, vizdoom.GameVariable.HEALTH
        self.game = game = vizdoom.DoomGame()
        game.load_config(os.path.join(vizdoom.scenarios_path, f"{scenario}.cfg"))
        # The engine writes its settings; the working folder may be read-only.
        game.set_doom_config_path(os.path.join(tempfile.mkdtemp(prefix="vizdoom-"), "vizdoom.ini"))
        game.set_screen_resolution(vizdoom.ScreenResolution.RES_160X120)
        game.set_screen_format(vizdoom.ScreenFormat.CRCGCB)
        game.set_window_visible(False)
        game.set_sound_enabled(False)
        buttons = [button for group in groups for button in group]
        game.set_available_buttons([getattr(vizdoom.Button, button) for button in buttons])
        for name, value in settings.items():
            getattr(game, f"set_{name}")(value)
        game.init()
        self.horizon = game.get_episode_timeout() // frame_skip
        # Row c of a group's table has the buttons pressed by choice c.
        self.pressed = [np.eye(len(group) + 1, len(group), -1, int).tolist() for group in groups]
        choices = [Discrete(len(group) + 1) for group in groups]
        self.action_space = choices[0] if len(choices) == 1 else Tuple(choices)
        self.observation_space = Box(0, 255, (3, *SIZE), np.uint8)
        self.black = np.zeros((3, *SIZE), np.uint8)
        self.screen = np.zeros((3, *SCREEN), np.uint8)

    def observe(self):
        self.screen = self.game.get_state().screen_buffer
        return self.screen[:, ROWS][:, :, COLUMNS]

    def reset(self, seed=None, options=None):
        if seed is not None:
            self.game.set_seed(seed)
        self.game.new_episode()
        self.health = self.game.get_game_variable(self.health_variable)
        return self.observe(), {}

    def step(self, action):
        choices = action if isinstance(action, tuple) else (action,)
        buttons = [button for table, choice in zip(self.pressed, choices) for button in table[choice]]
        reward = self.game.make_action(buttons, self.frame_skip) * self.scale
        if self.game.is_episode_finished():
            return self.black, reward, True, False, {}
        if self.health_reward:
            health = self.game.get_game_variable(self.health_variable)
            reward += self.health_reward * (health > self.health)
            self.health = health
        return self.observe(), reward, False, False, {}

    def render(self):
        return self.screen.transpose(1, 2, 0).repeat(2, 0).repeat(2, 1)

    def close(self):
        self.game.close()


def source(name, kwargs, count, host):
    try:
        import vizdoom
    except ImportError as error:
        sentence = f"this id needs ViZDoom, which {sys.executable} cannot import: {error}"
        raise WorkerError("import", sentence + "; install the pack 'vizdoom'") from error
    if name not in SCENARIOS:
        raise WorkerError("no_such_env", f"there is no scenario '{name}'; there are {', '.join(SCENARIOS)}")
    recipe = gym.Recipe(f"ViZDoom {name.replace('_', ' ')}", Doom, {"scenario": name, **kwargs}, ["vizdoom"])
    made = Singles(recipe, count, host)
    env = made.envs[0]
    made.spec.update(
        horizon=env.horizon,
        frames_per_step=env.frame_skip,
        sentence="",
        upstream=f"ViZDoom {vizdoom.__version__}, as in Sample Factory 2",
    )
    for leaf, group in zip(made.spec["spaces"]["actions"], SCENARIOS[name][0]):
        leaf["labels"] = ["nothing", *(button.replace("_", " ").lower() for button in group)]
    return made
