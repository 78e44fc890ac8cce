# SPDX-License-Identifier: Apache-2.0
"""Optimiser steps per second of Stable-Baselines3's DQN and SAC while they train, with the networks, batches
and ratios of Seedbed's tasks: sb3_replay_peer.py cartpole-dqn | minatar-breakout-dqn | cheetah-sizes-sac
[THREADS]
"""
import sys
import warnings

warnings.filterwarnings("ignore")

import gymnasium  # noqa: E402
import stable_baselines3  # noqa: E402
import torch  # noqa: E402
from stable_baselines3 import DQN, SAC  # noqa: E402
from stable_baselines3.common.env_util import make_vec_env  # noqa: E402
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor  # noqa: E402

from cheetah_sizes import CheetahSizes  # noqa: E402
from common import SEED, serve  # noqa: E402

torch.set_num_threads(int(sys.argv[2]) if len(sys.argv) > 2 else 1)


class MinAtarConv(BaseFeaturesExtractor):
    def __init__(self, space):
        super().__init__(space, 1024)
        self.conv = torch.nn.Sequential(torch.nn.Conv2d(space.shape[-1], 16, 3), torch.nn.ReLU(),
                                        torch.nn.Flatten())

    def forward(self, obs):
        return self.conv(obs.float().permute(0, 3, 1, 2))


class Floats(gymnasium.ObservationWrapper):
    """Planes as numbers: this library does not accept planes of booleans with a batch dimension."""
    def __init__(self, env):
        super().__init__(env)
        self.observation_space = gymnasium.spaces.Box(0, 1, env.observation_space.shape, "float32")

    def observation(self, observation):
        return observation.astype("float32")


def minatar():
    import minatar.gym
    minatar.gym.register_envs()
    return Floats(gymnasium.make("MinAtar/Breakout-v1"))


# Eight environments, as in Seedbed's tasks; one vector step is eight decisions.
COMMON = {"seed": SEED, "device": "cpu", "buffer_size": 100_000, "learning_starts": 1000, "train_freq": 1}
task = sys.argv[1]
if task == "cartpole-dqn":
    model = DQN("MlpPolicy", make_vec_env("CartPole-v1", 8, seed=SEED), batch_size=64, gradient_steps=8,
                policy_kwargs={"net_arch": [256, 256]}, target_update_interval=1000, **COMMON)
elif task == "minatar-breakout-dqn":
    model = DQN("MlpPolicy", make_vec_env(minatar, 8, seed=SEED), batch_size=32, gradient_steps=2,
                policy_kwargs={"net_arch": [128], "features_extractor_class": MinAtarConv,
                               "normalize_images": False}, target_update_interval=1000, **COMMON)
else:
    model = SAC("MlpPolicy", make_vec_env(CheetahSizes, 8, seed=SEED), batch_size=256, gradient_steps=8,
                **COMMON)
model.learn(2000, log_interval=None)  # more than learning_starts


def step():
    before = model._n_updates
    model.learn(160, log_interval=None, reset_num_timesteps=False)
    return model._n_updates - before


serve(step, version=f"stable-baselines3 {stable_baselines3.__version__}, torch {torch.__version__}",
      figure="optimiser_steps_per_s")
