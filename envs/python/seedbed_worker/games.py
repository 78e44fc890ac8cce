# SPDX-License-Identifier: Apache-2.0
"""Atari games stepped one after another: for preprocessing that ale-py's vector environment lacks, and for a
single thread, where that environment is slower: its seeded reset loads the ROM again, which takes as long as
250 decisions.
"""

import random

import ale_py
import cv2
import numpy as np

from seedbed_worker.plain import Box, Discrete

RESIZE = {"area": cv2.INTER_AREA, "linear": cv2.INTER_LINEAR}
NOOP = 0


def first_draw(seed, count):
    """The first number that std::uniform_int_distribution(0, count - 1) of GNU's library draws from
    std::mt19937(seed), except for one seed in 10^8."""
    return int.from_bytes(np.random.RandomState(seed).bytes(4), "little") * count >> 32


class Game:
    """One game. Actions are indices of `actions`; frames are u8 [size, size].

    The order of the steps is that of Stable-Baselines3's AtariWrapper, which CleanRL uses, and of SEED RL's
    atari_preprocessing. Rewards between a lost life and the first decision after it are dropped, as in both.
    """

    def __init__(self, name, values):
        self.rom, self.values = ale_py.roms.get_rom_path(name), values
        ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)
        self.ale = ale = ale_py.ALEInterface()
        ale.setFloat("repeat_action_probability", values["sticky"])
        ale.setInt("max_num_frames_per_episode", values["max_frames"])
        ale.setInt("random_seed", 0)
        ale.loadROM(self.rom)
        self.loaded = ale.cloneSystemState()
        full = values["full_actions"]
        self.actions = ale.getLegalActionSet() if full else ale.getMinimalActionSet()
        self.fires = values["fire_reset"] and ale_py.Action.FIRE in self.actions
        self.screens = [self.screen(), self.screen()]

    def screen(self):
        colour = self.values["colour_max"]
        return self.ale.getScreenRGB() if colour else self.ale.getScreenGrayscale()

    def frame(self):
        """The maximum over the frames of the last step, in grey, resized."""
        values, screen = self.values, self.screens[-1]
        if values["max_pool"] and values["frame_skip"] > 1:
            screen = np.maximum(*self.screens)
        if values["colour_max"]:
            screen = cv2.cvtColor(screen, cv2.COLOR_RGB2GRAY)
        return cv2.resize(screen, (values["size"], values["size"]), interpolation=RESIZE[values["resize"]])

    def repeat(self, action):
        """Executes one decision and returns its reward."""
        ale, skip, reward = self.ale, self.values["frame_skip"], 0
        for frame in range(skip):
            reward += ale.act(self.actions[action])
            if frame >= skip - 2:
                self.screens[frame - skip] = self.screen()
            if ale.game_over():
                break
        return reward

    def restart(self, noops):
        self.ale.reset_game()
        for _ in range(noops):
            self.ale.act(ale_py.Action.NOOP)
            if self.ale.game_over():
                self.ale.reset_game()
        self.screens = [self.screen()] * 2

    def noops(self):
        return self.draw.randint(1, self.values["noop_max"]) if self.values["noop_max"] > 0 else 0

    def load(self, seed):
        """reset_game() does not clear all of the memory of the last game."""
        if self.values["sticky"] > 0:  # the seed applies when the game is loaded
            self.ale.setInt("random_seed", seed & 0x7FFFFFFF)
            self.ale.loadROM(self.rom)
        else:
            self.ale.restoreSystemState(self.loaded)

    def reset(self, seed):
        self.draw = random.Random(seed)
        self.load(seed)
        self.restart(self.noops())
        self.start()

    def start(self):
        """Begins a game or a life."""
        self.lives = self.ale.lives()
        for action in (1, 2) if self.fires else ():
            self.repeat(action)
            if self.ale.game_over():
                self.restart(self.noops())
            elif self.values["life_loss"] and 0 < self.ale.lives() < self.lives:
                self.repeat(NOOP)
            self.lives = self.ale.lives()

    def step(self, action):
        """Returns (reward, terminated, truncated, whether the game continues after the termination)."""
        reward = self.repeat(action)
        if self.ale.game_over():
            truncated = self.ale.game_truncated()
            return reward, not truncated, truncated, False
        life_lost = self.values["life_loss"] and 0 < self.ale.lives() < self.lives
        self.lives = self.ale.lives()
        if life_lost:
            self.repeat(NOOP)
            if self.ale.game_over():
                return reward, True, False, False
            self.start()
        return reward, life_lost, False, life_lost


class VectorGame(Game):
    """A game that equals ale-py's vector environment bit for bit. A lost life ends only the learner's
    episode, and the time limit counts only the frames of decisions, not the no-ops."""

    def __init__(self, name, values):
        super().__init__(name, {**values, "max_frames": 0})
        self.limit, self.lives, self.frames = values["max_frames"], 0, 0

    def frame(self):
        frame, before = self.screens
        if self.values["max_pool"]:
            np.maximum(frame, before, out=frame)
        return cv2.resize(frame, (self.values["size"],) * 2, interpolation=RESIZE["area"])

    def reset(self, seed):
        self.load(seed)
        noops = self.values["noop_max"]
        self.restart(first_draw(seed & 0x7FFFFFFF, noops) if noops > 0 else 0)
        self.screens = [self.screens[0], np.zeros_like(self.screens[0])]
        self.lives, self.frames = self.ale.lives(), 0

    def step(self, action):
        ale, action, reward = self.ale, self.actions[action], 0
        for left in reversed(range(self.values["frame_skip"])):
            reward += ale.act(action)
            self.frames += 1
            over, late = ale.game_over(), self.frames >= self.limit
            if over or late:
                break
            if left < 2:
                ale.getScreenGrayscale(self.screens[left])
        lives, before = ale.lives(), self.lives
        self.lives = lives
        life_lost = self.values["life_loss"] and 0 < lives < before and not over
        return reward, over or life_lost, late and not (over or life_lost), life_lost


class Games:
    """An engine of vector.py."""

    can_reset_some = True

    def __init__(self, name, values, count, make=Game):
        cv2.setNumThreads(1)
        self.games = [make(name, values) for _ in range(count)]
        self.counts_lives = values["life_loss"]
        size = values["size"]
        self.observation_space = Box(0, 255, (1, size, size), np.uint8)
        self.action_space = Discrete(len(self.games[0].actions))
        self.obs = np.zeros((count, 1, size, size), np.uint8)

    def reset(self, seeds):
        return self.reset_some(range(len(self.games)), seeds)

    def reset_some(self, numbers, seeds):
        for number, seed in zip(numbers, seeds):
            self.games[number].reset(int(seed))
            self.obs[number, 0] = self.games[number].frame()
        return self.obs

    def step(self, actions, active):
        count = len(self.games)
        rewards = np.zeros(count, np.float32)
        terminated, truncated, continues = (np.zeros(count, bool) for _ in range(3))
        for number in np.flatnonzero(active):
            game = self.games[number]
            result = game.step(actions[number])
            rewards[number], terminated[number], truncated[number], continues[number] = result
            self.obs[number, 0] = game.frame()
        return self.obs, rewards, terminated, truncated, (terminated & ~continues) | truncated

    def picture(self, number):
        return self.games[number].ale.getScreenRGB().repeat(2, 1).repeat(2, 0)

    def close(self):
        pass
