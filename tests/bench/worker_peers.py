# SPDX-License-Identifier: Apache-2.0
"""Compares environments in worker processes with the programs that are commonly used for them: stepping
alone, and training with PPO. Seedbed and the peer alternate in one run; medians, ranges and ratios as JSON.

    python3 tests/bench/worker_peers.py SEEDBED --python PEERS/bin/python \
        [--sample-factory SF/bin/python] [ROW...]

The first Python needs gymnasium[mujoco], ale-py[vector], stable-baselines3 and opencv-python-headless; the
second needs sample-factory==2.1.1, 'vizdoom<2', 'gymnasium<1' and 'numpy<2' (without it, its row is omitted).
SEEDBED_DATA names the data folder with the packs gymnasium, mujoco, atari and vizdoom. Seedbed uses two
processes; of the peers, SyncVectorEnv and PPO of Stable-Baselines3 step in one process, the others in two or
more. The numbers of environments differ; each row states them. Rows measured earlier stay in the file.
"""
import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import tempfile
import time

RESULTS = pathlib.Path(__file__).resolve().parent / "results"

# The loop of every peer: a warm-up, then `seconds` of steps; prints decisions per second.
SCRIPT = r"""
import sys, time, warnings
warnings.filterwarnings("ignore")
import numpy as np
rng = np.random.default_rng(1)
def rate(step, seconds, warm_up=1.0):
    end = time.perf_counter() + warm_up
    while time.perf_counter() < end: step()
    begin, steps = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds: steps += step()
    return steps / (time.perf_counter() - begin)
def vector(env, actions, seconds):
    # A row that only resets is not a decision.
    env.reset(); i = [0]; before = np.zeros(env.num_envs, bool)
    def step():
        nonlocal before
        i[0] += 1; _, _, terminated, truncated, _ = env.step(actions[i[0] & 63])
        real = env.num_envs - int(before.sum()); before = terminated | truncated
        return real
    return rate(step, seconds)
def gymnasium_vector(kind, name, envs, seconds):
    import gymnasium
    env = getattr(gymnasium.vector, kind)([lambda: gymnasium.make(name)] * envs)
    space = env.single_action_space
    actions = [rng.integers(0, space.n, envs) if hasattr(space, "n")
               else rng.uniform(-1, 1, (envs,) + space.shape).astype(np.float32) for _ in range(64)]
    return vector(env, actions, seconds)
def ale(game, envs, seconds):
    from ale_py.vector_env import AtariVectorEnv
    env = AtariVectorEnv(game, num_envs=envs, num_threads=2)
    return vector(env, [rng.integers(0, env.single_action_space.n, envs) for _ in range(64)], seconds)
def sb3(model, rollout, seconds):
    def step(): model.learn(rollout, log_interval=None, reset_num_timesteps=False); return rollout
    return rate(step, seconds, warm_up=0.0)
def sb3_half_cheetah(seconds):
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_util import make_vec_env
    from stable_baselines3.common.vec_env import VecNormalize
    torch.set_num_threads(1)  # more threads do not help networks of this size
    return sb3(PPO("MlpPolicy", VecNormalize(make_vec_env("HalfCheetah-v5", 1)), n_steps=512, batch_size=64,
                   n_epochs=20, gamma=0.98, gae_lambda=0.92, learning_rate=2.0633e-05, ent_coef=0.000401762,
                   clip_range=0.1, max_grad_norm=0.8, vf_coef=0.58096, device="cpu",
                   policy_kwargs=dict(log_std_init=-2, ortho_init=False, activation_fn=torch.nn.ReLU,
                                      net_arch=dict(pi=[256, 256], vf=[256, 256]))), 512, seconds)
def sb3_pong(seconds):
    import ale_py, gymnasium, torch
    gymnasium.register_envs(ale_py)
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_util import make_atari_env
    from stable_baselines3.common.vec_env import VecFrameStack
    torch.set_num_threads(2)
    return sb3(PPO("CnnPolicy", VecFrameStack(make_atari_env("PongNoFrameskip-v4", n_envs=8), 4), n_steps=128,
                   batch_size=256, n_epochs=4, ent_coef=0.01, vf_coef=0.5, learning_rate=2.5e-4,
                   clip_range=0.1, device="cpu"), 1024, seconds)
def sample_factory_doom(seconds):
    import functools, os, signal, tempfile, torch
    torch.set_num_threads(1)
    import sample_factory.algo.runners.runner as runner
    from sample_factory.train import run_rl
    from sf_examples.vizdoom.train_vizdoom import parse_vizdoom_cfg, register_vizdoom_components
    register_vizdoom_components()
    process, begin = runner.Runner._process_msg, []
    @functools.wraps(process)  # slots are found by their names
    def processed(self, messages):
        process(self, messages)
        now, steps = time.perf_counter(), sum(self.env_steps.values()) / 4  # 4 frames per decision
        if steps and not begin: begin.extend((now, steps))
        if not begin or now - begin[0] < seconds: return
        print((steps - begin[1]) / (now - begin[0]), flush=True)
        os.killpg(0, signal.SIGKILL)  # its own limits do not end its processes
    runner.Runner._process_msg = processed
    folder = tempfile.mkdtemp()
    run_rl(parse_vizdoom_cfg([
        "--experiment=doom", "--train_dir=" + folder, "--device=cpu", "--num_workers=2", "--env=doom_basic",
        "--num_envs_per_worker=8", "--worker_num_splits=2", "--policy_workers_per_policy=1", "--num_epochs=1",
        "--rollout=32", "--recurrence=32", "--use_rnn=True", "--batch_size=1024", "--wide_aspect_ratio=False",
        "--train_for_seconds=600", "--save_every_sec=3600", "--with_wandb=False"]))
print(eval(sys.argv[1]))
"""

STEP = ["bench", "env"]
# Like the actors of the async schedule: two threads, each with half of the environments in a separate
# process.
TWO = ["--groups", "2"]
PPO_HALF_CHEETAH = [
    "--preset", "mujoco_half_cheetah", "--actor.num_envs", "1", "--algo.rollout_length", "512",
    "--algo.epochs", "20", "--algo.minibatches", "8"
]
# The same Nature network, 8 environments x 128 decisions, 4 epochs of 4 minibatches.
PPO_PONG = [
    "--preset", "atari_pong", "--actor.num_envs", "8", "--algo.rollout_length", "128", "--algo.epochs", "4",
    "--algo.minibatches", "4"
]

# Row: Seedbed's arguments, the peer, the target ratio.
ROWS = {
    "cartpole-sync": (STEP + ["gym:CartPole-v1", "--envs", "64"] + TWO,
                      "gymnasium_vector('SyncVectorEnv', 'CartPole-v1', 8, {})", 1.5),
    "cartpole-async": (STEP + ["gym:CartPole-v1", "--envs", "64"] + TWO,
                       "gymnasium_vector('AsyncVectorEnv', 'CartPole-v1', 8, {})", 5.0),
    "half_cheetah-sync": (STEP + ["mujoco:half_cheetah", "--envs", "16"] + TWO,
                          "gymnasium_vector('SyncVectorEnv', 'HalfCheetah-v5', 2, {})", 1.9),
    "half_cheetah-async": (STEP + ["mujoco:half_cheetah", "--envs", "16"] + TWO,
                           "gymnasium_vector('AsyncVectorEnv', 'HalfCheetah-v5', 4, {})", 5.0),
    "pong-ale": (STEP + ["atari:pong", "--envs", "16", "--env.threads", "1"] + TWO, "ale('pong', 8, {})",
                 0.97),
    "half_cheetah-ppo": (["train", "mujoco:half_cheetah"] + PPO_HALF_CHEETAH, "sb3_half_cheetah({})", 3.0),
    "pong-ppo": (["train", "atari:pong"] + PPO_PONG, "sb3_pong({})", 2.0),
    "vizdoom-appo": (["train", "vizdoom:basic", "--preset", "vizdoom_basic"], "sample_factory_doom({})", 2.5),
}


def ours(program, arguments, seconds):
    """Decisions per second."""
    if arguments[0] == "bench":
        run = subprocess.run([program, *arguments, "--seconds", str(seconds), "--json"],
                             capture_output=True, text=True, check=True)
        return json.loads(run.stdout)["sps"]
    # Measured from the first progress report to the last, so that the start does not count.
    data = pathlib.Path(os.environ["SEEDBED_DATA"])
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "packs").symlink_to((data / "packs").resolve())
        run = subprocess.Popen([program, *arguments, "--data", folder, "--json"], stdout=subprocess.PIPE,
                               text=True)
        seen = []
        for line in run.stdout:
            status = json.loads(line)
            if status.get("steps", 0) == 0 or seen and status["steps"] == seen[-1][1]:
                continue
            seen.append((time.monotonic(), status["steps"]))
            if seen[-1][0] - seen[0][0] >= seconds:
                break
        run.terminate()
        run.stdout.read()
        run.wait()
    return (seen[-1][1] - seen[0][1]) / (seen[-1][0] - seen[0][0])


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--python", required=True)
    parser.add_argument("--sample-factory")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_intermixed_args()
    path = RESULTS / "worker_peers.json"
    known = json.loads(path.read_text())["rows"] if path.exists() else {}
    for name in options.rows or ROWS:
        arguments, peer, goal = ROWS[name]
        python = options.sample_factory if peer.startswith("sample_factory") else options.python
        if not python:
            print(f"{name:20} left out: --sample-factory was not given")
            continue
        seconds = options.seconds * (5 if arguments[0] == "train" else 1)
        row = {"ours": [], "peer": []}
        for _ in range(options.repeats):
            row["ours"].append(ours(options.program, arguments, seconds))
            # MuJoCo writes a log to the current folder.
            with tempfile.TemporaryDirectory() as folder:
                peers = subprocess.run([python, "-c", SCRIPT, peer.format(seconds)], cwd=folder,
                                       capture_output=True, text=True, start_new_session=True)
            try:
                row["peer"].append(float(peers.stdout.splitlines()[-1]))
            except (IndexError, ValueError):
                raise SystemExit(peers.stderr)
        ratios = [a / b for a, b in zip(row["ours"], row["peer"])]
        known[name] = {
            "processor": processor(), "cores": os.cpu_count(), "ours_command": " ".join(arguments),
            "peer_call": peer.format(seconds), "goal": goal, "ratio_median": statistics.median(ratios),
            "ratio_range": [min(ratios), max(ratios)], **row
        }
        print(f"{name:20} ours {statistics.median(row['ours']):10,.0f} /s   peer "
              f"{statistics.median(row['peer']):10,.0f} /s   ratio {statistics.median(ratios):6.2f} "
              f"[{min(ratios):.2f} - {max(ratios):.2f}], goal {goal}", flush=True)
        path.write_text(json.dumps({
            "command": "python3 tests/bench/worker_peers.py build/release/bin/seedbed --python ...",
            "rows": known
        }, indent=1) + "\n")


if __name__ == "__main__":
    main()
