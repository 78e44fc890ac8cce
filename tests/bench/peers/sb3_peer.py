# SPDX-License-Identifier: Apache-2.0
"""Stable-Baselines3's PPO on CartPole: sb3_peer.py cartpole-ppo4 | cartpole-zoo (the zoo's preset, until its
end or until solved).
"""
import sys
import time
import warnings

warnings.filterwarnings("ignore")

import stable_baselines3  # noqa: E402
import torch  # noqa: E402
from stable_baselines3 import PPO  # noqa: E402
from stable_baselines3.common.callbacks import BaseCallback  # noqa: E402
from stable_baselines3.common.env_util import make_vec_env  # noqa: E402

from common import BEGAN, SEED, UNTIL_SOLVED, Solved, say, serve  # noqa: E402

torch.set_num_threads(1)  # more threads do not help networks of 64 x 64
track, solved_at = Solved(), None


class Watch(BaseCallback):
    def _on_step(self):
        global solved_at
        for info in self.locals["infos"]:
            if "episode" in info:
                track.add(info["episode"]["r"])
        if solved_at is None and len(track.returns) == 100 and track.mean >= 475:
            solved_at = time.time() - BEGAN
        return not (UNTIL_SOLVED and solved_at)


env = make_vec_env("CartPole-v1", 8, seed=SEED)
if sys.argv[1] == "cartpole-zoo":
    model = PPO("MlpPolicy",
                env,
                n_steps=32,
                batch_size=256,
                gae_lambda=0.8,
                gamma=0.98,
                n_epochs=20,
                ent_coef=0.0,
                learning_rate=lambda f: 1e-3 * f,
                clip_range=lambda f: 0.2 * f,
                seed=SEED,
                device="cpu")
    model.learn(100_000, callback=Watch(), log_interval=None)
    say(solve_s=solved_at, steps=model.num_timesteps, score=track.mean)
else:
    model = PPO("MlpPolicy",
                env,
                n_steps=128,
                batch_size=256,
                n_epochs=4,
                ent_coef=0.01,
                learning_rate=2.5e-4,
                seed=SEED,
                device="cpu")

    def step():
        model.learn(1024, callback=Watch(), log_interval=None, reset_num_timesteps=False)
        return 1024

    serve(step, lambda: track.mean,
          f"stable-baselines3 {stable_baselines3.__version__}, torch {torch.__version__}")
