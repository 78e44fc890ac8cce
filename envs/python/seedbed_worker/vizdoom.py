# SPDX-License-Identifier: Apache-2.0
"""vizdoom:SCENARIO: ViZDoom's scenarios with Sample Factory's actions, rewards and preprocessing.

Frames of 160 x 120 pixels are reduced to 128 x 72 (nearest neighbour), an action lasts four tics, and the
last observation of an episode is black. Time limits end an episode as death does, as in Sample Factory.

deathmatch_bots uses the map of the Visual Doom AI Competition (cig.wad): Sample Factory's own map is not
distributed with ViZDoom. There an action lasts two tics, as in Sample Factory's published run.
"""

import collections
import contextlib
import os
import socket
import sys
import tempfile

import numpy as np

from seedbed_worker import gym
from seedbed_worker.errors import WorkerError
from seedbed_worker.plain import Box, Dict, Discrete, Tuple
from seedbed_worker.single import Singles

TURN, MOVE = ["TURN_LEFT", "TURN_RIGHT"], ["MOVE_FORWARD", "MOVE_BACKWARD"]
STRAFE = ["MOVE_LEFT", "MOVE_RIGHT"]
# Scenario -> groups of buttons, at most one of each group pressed; factor for the rewards; settings of the
# game; reward for each increase in health.
SCENARIOS = {
    "basic": ([STRAFE + ["ATTACK"]], 0.01, {}, 0),
    "my_way_home": ([TURN, MOVE], 1, {"living_reward": -0.0001}, 0),
    "deadly_corridor": ([TURN, MOVE, STRAFE, ["ATTACK"]], 0.01, {"doom_skill": 5}, 0),
    "defend_the_center": ([TURN, ["ATTACK"]], 1, {}, 0),
    "defend_the_line": ([TURN, ["ATTACK"]], 1, {}, 0),
    "health_gathering": ([TURN + MOVE], 1, {"living_reward": 0.01, "death_penalty": 0}, 1),
    "health_gathering_supreme": ([TURN + MOVE], 1, {"living_reward": 0.01, "death_penalty": 0}, 1),
}
WEAPONS = [f"SELECT_WEAPON{number}" for number in range(1, 8)]
TURNS = ("TURN_LEFT_RIGHT_DELTA", [12.5 * (choice - 10) / 10 for choice in range(21)])  # degrees
MATCH = [
    ["MOVE_FORWARD", "MOVE_BACKWARD"],
    ["MOVE_RIGHT", "MOVE_LEFT"],
    WEAPONS,
    ["ATTACK"],
    ["SPEED"],
    TURNS,
]
MATCH_MINUTES, MATCH_BOTS, TICS_PER_SECOND = 4, 7, 35
MATCH_ARGUMENTS = [
    "-host 1",
    "-deathmatch",
    f"+timelimit {MATCH_MINUTES}",
    "+sv_forcerespawn 1",
    "+sv_noautoaim 1",
    "+sv_respawnprotect 1",
    "+sv_spawnfarthest 1",
    "+sv_nocrouch 1",
    "+sv_nojump 1",
    "+sv_nofreelook 1",
    "+sv_noexit 1",
    "+viz_respawn_delay 0",
]
# Reward per unit by which a variable of the game increases, and per unit by which it decreases.
PREFERENCE = [1, 1, 1, 5, 5, 5, 10, 10]
CHANGES = {
    "FRAGCOUNT": (1, -1.5),
    "DEATHCOUNT": (-0.75, 0.75),
    "HITCOUNT": (0.01, -0.01),
    "DAMAGECOUNT": (0.003, -0.003),
    "HEALTH": (0.005, -0.003),
    "ARMOR": (0.005, -0.001),
    **{f"WEAPON{number}": (0.02 * worth, -0.01 * worth) for number, worth in enumerate(PREFERENCE)},
    **{f"AMMO{number}": (0.0002 * worth, -0.0001 * worth) for number, worth in enumerate(PREFERENCE)},
}
MOST = {"DAMAGECOUNT": 200, "HITCOUNT": 5}  # largest change that is rewarded
# For keeping a loaded weapon selected for five actions. Sample Factory uses the value of the last slot for
# all weapons.
KEPT_WEAPON_REWARD, KEPT_ACTIONS = 0.0002 * PREFERENCE[7], 5
COUNTERS = ("DEATHCOUNT", "HITCOUNT", "DAMAGECOUNT")  # the engine does not reset them between episodes
OTHERS = ["SELECTED_WEAPON", "SELECTED_WEAPON_AMMO", "ATTACK_READY", "PLAYER_COUNT", "DEAD", "USER2"]
SCREEN, SIZE = (120, 160), (72, 128)
ROWS, COLUMNS = (np.arange(small) * large // small for small, large in zip(SIZE, SCREEN))


class Buttons:
    """Groups of buttons, at most one of each group pressed, or (button, values of its choices)."""

    def __init__(self, groups):
        names = [[group[0]] if isinstance(group, tuple) else group for group in groups]
        self.names = [name for group in names for name in group]
        # Row c of a group's table has the values of its buttons with choice c.
        self.tables = [
            [[value] for value in group[1]]
            if isinstance(group, tuple)
            else np.eye(len(group) + 1, len(group), -1, int).tolist()
            for group in groups
        ]
        choices = [Discrete(len(table)) for table in self.tables]
        self.space = choices[0] if len(choices) == 1 else Tuple(choices)

    def values(self, action):
        choices = action if isinstance(action, tuple) else (action,)
        return [value for table, choice in zip(self.tables, choices) for value in table[choice]]


def labels(group):
    if isinstance(group, tuple):
        return [f"turn {value:g}" for value in group[1]]
    return ["nothing", *(button.replace("_", " ").lower() for button in group)]


class Doom:
    """A scenario of ViZDoom, whose engine is a separate process."""

    def __init__(self, scenario: str, frame_skip: int = 4):
        import vizdoom

        groups, self.scale, settings, self.health_reward = SCENARIOS[scenario]
        self.health_variable = vizdoom.GameVariable.HEALTH
        self.start(scenario, frame_skip, groups, lambda game: self.configure(game, settings))

    @staticmethod
    def configure(game, settings):
        for name, value in settings.items():
            getattr(game, f"set_{name}")(value)

    def start(self, config, frame_skip, groups, configure):
        import vizdoom

        self.frame_skip, self.buttons = frame_skip, Buttons(groups)
        self.game = game = vizdoom.DoomGame()
        game.load_config(os.path.join(vizdoom.scenarios_path, f"{config}.cfg"))
        # The engine writes its settings; the working folder may be read-only.
        game.set_doom_config_path(os.path.join(tempfile.mkdtemp(prefix="vizdoom-"), "vizdoom.ini"))
        game.set_mode(vizdoom.Mode.PLAYER)
        game.set_screen_resolution(vizdoom.ScreenResolution.RES_160X120)
        game.set_screen_format(vizdoom.ScreenFormat.CRCGCB)
        game.set_window_visible(False)
        game.set_sound_enabled(False)
        game.set_available_buttons([getattr(vizdoom.Button, button) for button in self.buttons.names])
        configure(game)
        game.init()
        self.horizon = game.get_episode_timeout() // frame_skip
        self.action_space = self.buttons.space
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
        reward = self.game.make_action(self.buttons.values(action), self.frame_skip) * self.scale
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


def change_reward(before, after):
    """The reward for changes in the game's variables."""
    reward = 0.0
    for name, (gain, loss) in CHANGES.items():
        change = min(after[name] - before[name], MOST.get(name, np.inf))
        reward += change * gain if change > 0 else -change * loss
    return reward


def measurements(variables):
    """Sample Factory's 23 numbers about the player."""
    ammo = [min(max(0.0, variables[f"AMMO{number}"]) / 15, 5.0) for number in range(8)]
    return np.array(
        [
            round(max(0.0, variables["SELECTED_WEAPON"])),
            min(max(0.0, variables["SELECTED_WEAPON_AMMO"]) / 15, 5.0),
            max(0.0, variables["HEALTH"]) / 30,
            variables["ARMOR"] / 30,
            variables["USER2"] / 10,
            variables["ATTACK_READY"],
            variables["PLAYER_COUNT"] / 5,
            *(max(0.0, variables[f"WEAPON{number}"]) for number in range(8)),
            *ammo,
        ],
        np.float32,
    )


def free_port():
    """A port that no other game uses, or the engine's own where sockets are not allowed."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
    return 5029


class Deathmatch(Doom):
    """A match of four minutes against seven of the engine's bots. One agent, which hosts the game."""

    scale, health_reward = 1, 0

    def __init__(self, scenario: str, frame_skip: int = 2):
        import vizdoom

        self.variables = {name: getattr(vizdoom.GameVariable, name) for name in (*CHANGES, *OTHERS)}
        self.offsets = dict.fromkeys(COUNTERS, 0.0)
        self.start("cig", frame_skip, MATCH, self.host)
        numbers = Box(-np.inf, np.inf, (23,), np.float32)
        self.observation_space = Dict({"obs": self.observation_space, "measurements": numbers})

    def host(self, game):
        game.add_game_args(" ".join([*MATCH_ARGUMENTS, f"-port {free_port()}", "+name agent +colorset 0"]))
        game.set_doom_map("map01")
        game.set_episode_timeout(MATCH_MINUTES * 60 * TICS_PER_SECOND)

    def read(self):
        found = {name: self.game.get_game_variable(variable) for name, variable in self.variables.items()}
        for name, offset in self.offsets.items():
            found[name] -= offset
        return found

    def observe(self):
        return {"obs": super().observe(), "measurements": measurements(self.now)}

    def reset(self, seed=None, options=None):
        if seed is not None:
            self.game.set_seed(seed)
        self.game.new_episode()
        self.game.send_game_command("removebots")
        for _ in range(MATCH_BOTS):
            self.game.send_game_command("addbot")
        self.offsets = dict.fromkeys(COUNTERS, 0.0)
        self.offsets = {name: self.game.get_game_variable(self.variables[name]) for name in COUNTERS}
        self.now, self.was_dead, self.before = self.read(), True, None
        self.kept = collections.deque(maxlen=KEPT_ACTIONS)
        return self.observe(), {}

    def step(self, action):
        reward = self.game.make_action(self.buttons.values(action), self.frame_skip)
        if self.game.is_episode_finished():
            black = {"obs": self.black, "measurements": measurements(self.now)}
            return black, reward, True, False, {}
        self.now = self.read()
        weapon, dead = int(max(0, self.now["SELECTED_WEAPON"])), bool(self.now["DEAD"])
        self.kept.append(weapon)
        if not self.was_dead or dead:  # changes caused by a respawn are not rewarded
            if self.before is not None:
                reward += change_reward(self.before, self.now)
            if self.now["SELECTED_WEAPON_AMMO"] > 0 and self.kept.count(weapon) == KEPT_ACTIONS:
                reward += KEPT_WEAPON_REWARD
        self.before, self.was_dead = self.now, dead
        return self.observe(), reward, False, False, {}


def source(name, kwargs, count, host):
    try:
        import vizdoom
    except ImportError as error:
        sentence = f"this id needs ViZDoom, which {sys.executable} cannot import: {error}"
        raise WorkerError("import", sentence + "; install the pack 'vizdoom'") from error
    known = [*SCENARIOS, "deathmatch_bots"]
    if name not in known:
        raise WorkerError("no_such_env", f"there is no scenario '{name}'; known: {', '.join(known)}")
    kind, groups = (Doom, SCENARIOS[name][0]) if name in SCENARIOS else (Deathmatch, MATCH)
    recipe = gym.Recipe(f"ViZDoom {name.replace('_', ' ')}", kind, {"scenario": name, **kwargs}, ["vizdoom"])
    recipe.given = ["scenario"]
    made = Singles(recipe, count, host)
    env = made.envs[0]
    made.spec.update(
        horizon=env.horizon,
        frames_per_step=env.frame_skip,
        repeats=name in SCENARIOS,  # the behaviour of bots does not depend only on the seed
        sentence="",
        upstream=f"ViZDoom {vizdoom.__version__}, as in Sample Factory 2",
    )
    for leaf, group in zip(made.spec["spaces"]["actions"], groups):
        leaf["labels"] = labels(group)
    return made
