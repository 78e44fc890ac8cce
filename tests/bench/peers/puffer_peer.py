# SPDX-License-Identifier: Apache-2.0
"""PufferLib 3's trainer on its C CartPole, CPU: episodes of at most 200 steps, one epoch, Muon.

    puffer_peer.py ENVIRONMENTS HORIZON MINIBATCH RNN

Rows use 1024 64 16384 0, and 4096 64 32768 1 with its default LSTM policy.
"""
import os
import sys

from common import SEED, UNTIL_SOLVED, serve, until_solved

envs, horizon, minibatch, rnn = (int(word) for word in sys.argv[1:5])
sys.argv = sys.argv[:1]  # PufferLib's configuration reads the command line

import torch  # noqa: E402
from pufferlib import pufferl  # noqa: E402

torch.set_num_threads(2)
config = pufferl.load_config("puffer_cartpole")
config["train"].update(device="cpu",
                       minibatch_size=minibatch,
                       bptt_horizon=horizon,
                       total_timesteps=1_000_000_000,
                       seed=SEED,
                       torch_deterministic=False,
                       checkpoint_interval=10**9,
                       compile=False,
                       use_rnn=bool(rnn),
                       env="puffer_cartpole")
config["env"]["num_envs"] = envs
config["vec"].update(num_envs=1, backend="Serial")
for name in ("num_workers", "batch_size", "zero_copy"):
    config["vec"].pop(name, None)
if not rnn:
    config["rnn_name"] = None
vector = pufferl.load_env("puffer_cartpole", config)
policy = pufferl.load_policy(config, vector)
trainer = pufferl.PuffeRL(config["train"], vector, policy)
trainer.print_dashboard = lambda *args, **kwargs: None

last = None


def step():
    global last
    before = trainer.global_step
    trainer.evaluate()
    lengths = trainer.stats.get("episode_length") or trainer.stats.get("episode_return") or []
    if len(lengths):
        last = float(sum(lengths) / len(lengths))
    trainer.train()
    return trainer.global_step - before


if UNTIL_SOLVED:
    until_solved(step, lambda: last, 190)
else:
    parameters = sum(p.numel() for p in policy.parameters())
    serve(step, lambda: last, f"pufferlib 3.0.0, torch {torch.__version__}, {parameters} parameters")
os._exit(0)  # PufferLib's threads do not exit by themselves
