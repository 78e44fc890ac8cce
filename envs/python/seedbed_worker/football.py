# SPDX-License-Identifier: Apache-2.0
"""football:SCENARIO: Google Research Football through EnvPool, set up as in SEED RL.

Observations are the four planes of the minimap; Seedbed stacks four of them. EnvPool does not report the
positions of the ball and the controlled player, so the checkpoint rewards use those in the planes, where a
pixel is 2.1 % of the length of the field. The original additionally requires that this player has the
ball.
"""

import numpy as np

from seedbed_worker.errors import WorkerError
from seedbed_worker.pool import Pool, describe
from seedbed_worker.vector import Vectors

ACTIONS = [
    "idle",
    "left",
    "top left",
    "top",
    "top right",
    "right",
    "bottom right",
    "bottom",
    "bottom left",
    "long pass",
    "high pass",
    "short pass",
    "shot",
    "sprint",
    "release direction",
    "release sprint",
    "sliding",
    "dribble",
    "release dribble",
]
PLANES = ["own team", "other team", "ball", "controlled player"]
CHECKPOINTS, CHECKPOINT_REWARD = 10, 0.1
LIMIT_Y = 1 / 2.25  # the minimap shows x in [-1, 1] and y in [-1/2.25, 1/2.25]
NEAR = 2  # pixels between the ball and the player that has it


def position(plane):
    """(row, column) of the only pixel of a plane, or None."""
    index = int(plane.argmax())
    return divmod(index, plane.shape[1]) if plane.flat[index] else None


def distance_to_goal(pixel, shape):
    """The distance from a pixel's centre to the centre of the right goal; half the field's length is 1."""
    y = (pixel[0] + 0.5) / shape[0] * 2 * LIMIT_Y - LIMIT_Y
    x = (pixel[1] + 0.5) / shape[1] * 2 - 1
    return float(np.hypot(x - 1, y))


def checkpoints_reached(distance, collected):
    """Number of checkpoints collected once a player has had the ball at this distance."""
    while collected < CHECKPOINTS and distance <= 0.99 - 0.8 / (CHECKPOINTS - 1) * collected:
        collected += 1
    return collected


class Football(Pool):
    def __init__(self, name, count, config, checkpoints):
        super().__init__(f"gfootball/{name}-v1", count, config, "football")
        self.checkpoints = checkpoints
        self.collected = np.zeros(count, int)

    def reset(self, seeds):
        self.collected[:] = 0
        return super().reset(seeds)

    def reset_some(self, numbers, seeds):
        self.collected[numbers] = 0
        return super().reset_some(numbers, seeds)

    def step(self, actions, active):
        obs, rewards, *rest = super().step(actions, active)
        if self.checkpoints:
            for number, team in zip(self.info["env_id"], self.info["ball_owned_team"]):
                before = self.collected[number]
                self.collected[number] = self.reached(obs[number], rewards[number], team, before)
                rewards[number] += CHECKPOINT_REWARD * (self.collected[number] - before)
        return obs, rewards, *rest

    @staticmethod
    def reached(frame, reward, team, collected):
        if reward >= 1:  # a goal also earns the remaining checkpoints
            return CHECKPOINTS
        ball, player = position(frame[..., 2]), position(frame[..., 3])
        if team != 0 or ball is None or player is None:
            return collected
        if max(abs(ball[0] - player[0]), abs(ball[1] - player[1])) > NEAR:
            return collected
        return checkpoints_reached(distance_to_goal(ball, frame.shape), collected)

    def picture(self, number):
        """The minimap: own team green, the others red, the controlled player yellow, the ball white."""
        own, other, ball, player = (self.obs[number, ..., plane] > 0 for plane in range(4))
        picture = np.full((*own.shape, 3), (20, 60, 20), np.uint8)
        for plane, colour in (
            (own, (60, 220, 60)),
            (other, (230, 60, 60)),
            (player, (240, 220, 60)),
            (ball, (255, 255, 255)),
        ):
            picture[plane] = colour
        return picture.repeat(6, 0).repeat(6, 1)


def source(name, kwargs, count, host):
    config = dict(kwargs)
    rewards = config.pop("rewards", "scoring,checkpoints")
    stack = config.pop("stack", 4)
    if rewards not in ("scoring", "scoring,checkpoints"):
        raise WorkerError(
            "constructor", f"rewards must be 'scoring' or 'scoring,checkpoints', not '{rewards}'"
        )
    config.setdefault("num_threads", config.pop("threads", 0))

    def make():
        return Football(name, count, config, rewards != "scoring")

    def spec(engine):
        found = describe(engine, name.replace("_", " "))
        ours = [
            {"name": "rewards", "type": "str", "default": "scoring,checkpoints"},
            {"name": "stack", "type": "int", "default": 4},
        ]
        return {**found, "parameters": ours + found["parameters"]}

    def name_parts(spaces):
        spaces["obs"][0].update(stack=stack, labels=PLANES)
        spaces["actions"][0]["labels"] = ACTIONS

    return Vectors(make, spec, count, host, ["envpool"], name_parts)
