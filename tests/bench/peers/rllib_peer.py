# SPDX-License-Identifier: Apache-2.0
"""IMPALA of Ray RLlib with two env runners of 16 environments: rllib_peer.py cartpole | catch_pixels

Rollouts, batches and networks are those of tests/bench/fleet_peers.py. `catch_pixels` is Seedbed's Catch in
pixels (envs/catch.cpp) in Python: the same board, pictures and rewards, the last four pictures stacked,
as float32 because RLlib's networks accept no bytes.
"""
import logging
import os
import sys
import warnings

warnings.filterwarnings("ignore")
os.environ["RAY_DEDUP_LOGS"] = "0"

import gymnasium  # noqa: E402
import numpy as np  # noqa: E402
import ray  # noqa: E402
import torch  # noqa: E402
from ray.rllib.algorithms.impala import IMPALAConfig  # noqa: E402
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig  # noqa: E402
from ray.tune.registry import register_env  # noqa: E402

from common import SEED, Solved, serve  # noqa: E402

MEMORY = 1 << 30  # bytes of the object store
SIZE, ROWS, COLUMNS, CELL, STACK = 84, 10, 5, 8, 4
LEFT, TOP = (SIZE - CELL * COLUMNS) // 2, (SIZE - CELL * ROWS) // 2


class CatchPixels(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(0, 1, (SIZE, SIZE, STACK), np.float32)
    action_space = gymnasium.spaces.Discrete(3)

    def __init__(self, _=None):
        self.board = np.zeros((SIZE, SIZE), np.float32)
        for wall in (LEFT - 2, LEFT + CELL * COLUMNS):
            self.board[:, wall:wall + 2] = 80 / 255

    def paint(self):
        picture = self.board.copy()
        left, top = LEFT + CELL * self.ball_x + 1, TOP + CELL * self.ball_y + 1
        picture[top:top + CELL - 2, left:left + CELL - 2] = 1
        left, top = LEFT + CELL * self.paddle_x, TOP + CELL * (ROWS - 1) + 2
        picture[top:top + CELL - 4, left:left + CELL] = 180 / 255
        return picture[:, :, None]

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.ball_x, self.ball_y, self.paddle_x = int(self.np_random.integers(COLUMNS)), 0, COLUMNS // 2
        self.stack = np.concatenate([np.zeros((SIZE, SIZE, STACK - 1), np.float32), self.paint()], 2)
        return self.stack, {}

    def step(self, action):
        self.paddle_x = min(max(self.paddle_x + int(action) - 1, 0), COLUMNS - 1)
        self.ball_y += 1
        done = self.ball_y == ROWS - 1
        self.stack = np.concatenate([self.stack[:, :, 1:], self.paint()], 2)
        return self.stack, (1.0 if self.paddle_x == self.ball_x else -1.0) if done else 0.0, done, False, {}


NETWORKS = {
    "cartpole": DefaultModelConfig(fcnet_hiddens=[64, 64], fcnet_activation="tanh", vf_share_layers=False),
    "catch_pixels": DefaultModelConfig(conv_filters=[[32, 8, 4], [64, 4, 2], [64, 3, 1]],
                                       conv_activation="relu", head_fcnet_hiddens=[512],
                                       head_fcnet_activation="relu", vf_share_layers=True),
}
task = sys.argv[1]
torch.set_num_threads(1 if task == "cartpole" else 2)
register_env("catch_pixels", CatchPixels)
ray.init(num_cpus=4, num_gpus=0, object_store_memory=MEMORY, include_dashboard=False, log_to_driver=False,
         logging_level=logging.ERROR, configure_logging=True)
config = (IMPALAConfig()
          .environment("CartPole-v1" if task == "cartpole" else task)
          .env_runners(num_env_runners=2, num_envs_per_env_runner=16, rollout_fragment_length=20)
          .learners(num_learners=0)
          .rl_module(model_config=NETWORKS[task])
          .training(train_batch_size_per_learner=640, lr=6e-4, gamma=0.99, entropy_coeff=0.005, grad_clip=40)
          .reporting(min_time_s_per_iteration=0.5)
          .debugging(seed=SEED, log_level="ERROR"))
algorithm = config.build_algo()
score, sampled = Solved(), 0


def step():
    """Trains until there are new rows: the first iterations have none."""
    global sampled
    before = sampled
    while sampled == before:
        results = algorithm.train()["env_runners"]
        sampled = int(results.get("num_env_steps_sampled_lifetime", sampled))
        value = results.get("episode_return_mean")
        if value is not None and np.isfinite(value):
            score.add(value)
    return sampled - before


serve(step, lambda: score.mean, f"ray {ray.__version__}, torch {torch.__version__}")
