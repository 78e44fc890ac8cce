# SPDX-License-Identifier: Apache-2.0
"""Compares the stepping speed of environments with other implementations, alternating in one run; medians,
ranges and ratios as JSON.

    python3 tests/bench/env_peers.py SEEDBED --python venv/bin/python [--python other/bin/python]

Each Python is queried for its packages: minatar (the originals), gymnasium (NumPy vector), gymnax (jitted,
all cores). `pip install minatar gymnasium` and `pip install gymnax==0.0.9 'jax[cpu]'` create such
environments. PufferLib's C CartPole is compiled from its unpacked source package (--puffer-source) with a
small loop around it, without Python. Seedbed runs on one core, writes observations into its ring and keeps
episode statistics.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

RESULTS = pathlib.Path(__file__).resolve().parent / "results"

# Each measures for about one second after a warm-up and prints steps per second; random actions are drawn
# beforehand.
PEERS = {
    ("minatar", "minatar_breakout"): "MINATAR('breakout')",
    ("minatar", "minatar_space_invaders"): "MINATAR('space_invaders')",
    ("gymnasium", "cartpole"): "GYMNASIUM()",
    ("gymnax", "cartpole"): "GYMNAX('CartPole-v1')",
    ("gymnax", "minatar_breakout"): "GYMNAX('Breakout-MinAtar')",
    ("gymnax", "minatar_space_invaders"): "GYMNAX('SpaceInvaders-MinAtar')",
}
SCRIPT = r"""
import sys, time
import numpy as np
rng = np.random.default_rng(1)
def rate(step, seconds=1.0):
    end = time.perf_counter() + 0.5
    while time.perf_counter() < end: step()
    begin, steps = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds: steps += step()
    return steps / (time.perf_counter() - begin)
def MINATAR(game):
    from minatar import Environment
    env = Environment(game); actions = [int(a) for a in rng.integers(0, 6, 4096)]; i = [0]
    def step():
        for _ in range(64):
            i[0] += 1; _, done = env.act(actions[i[0] & 4095]); env.state()
            if done: env.reset()
        return 64
    return rate(step)
def GYMNASIUM():
    import gymnasium
    env = gymnasium.make_vec('CartPole-v1', 1024, vectorization_mode='vector_entry_point'); env.reset()
    actions = [rng.integers(0, 2, 1024) for _ in range(64)]; i = [0]
    def step(): i[0] += 1; env.step(actions[i[0] & 63]); return 1024
    return rate(step)
def GYMNAX(name):
    import jax, gymnax
    env, params = gymnax.make(name); n, length = 512, 128
    @jax.jit
    def run(key, obs, state):
        def one(current, _):
            key, obs, state = current; key, ka, ks = jax.random.split(key, 3)
            action = jax.random.randint(ka, (n,), 0, env.action_space(params).n)
            out = jax.vmap(env.step, in_axes=(0, 0, 0, None))(jax.random.split(ks, n), state, action, params)
            return (key, out[0], out[1]), out[2].sum()
        (key, obs, state), reward = jax.lax.scan(one, (key, obs, state), None, length)
        return key, obs, state, reward.sum()
    key = jax.random.PRNGKey(1)
    obs, state = jax.vmap(env.reset, in_axes=(0, None))(jax.random.split(key, n), params)
    now = [(key, obs, state)]
    def step():
        out = run(*now[0])
        jax.block_until_ready(out[3])
        now[0] = out[:3]
        return n * length
    return rate(step)
print(eval(sys.argv[1]))
"""

# Steps 1024 of PufferLib's CartPoles in turn, observations in one array, actions drawn beforehand; prints
# steps per second.
PUFFER_LOOP = r"""
#include "pufferlib/ocean/cartpole/cartpole.h"
enum { kEnvs = 1024, kCalls = 40000 };
static Cartpole envs[kEnvs];
static float observations[kEnvs * 4], actions[64][kEnvs], rewards[kEnvs];
static unsigned char terminals[kEnvs], truncations[kEnvs];
int main(void) {
    for (int k = 0; k < 64; ++k) for (int e = 0; e < kEnvs; ++e) actions[k][e] = (float)(rand() & 1);
    for (int e = 0; e < kEnvs; ++e) {
        init(&envs[e]);
        envs[e].observations = observations + 4 * e;
        envs[e].rewards = rewards + e;
        envs[e].terminals = terminals + e;
        envs[e].truncations = truncations + e;
        c_reset(&envs[e]);
    }
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int call = 0; call < kCalls; ++call)
        for (int e = 0; e < kEnvs; ++e) {
            envs[e].actions = &actions[call & 63][e];
            c_step(&envs[e]);
        }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    printf("%f\n", (double)kEnvs * kCalls / seconds);
    return 0;
}
"""


def build_puffer(source, folder):
    """Compiles the loop. It does not draw, so the linker drops the drawing functions and raylib is not
    needed."""
    include = next(pathlib.Path(source).glob("raylib*/include"))
    (folder / "puffer.c").write_text(PUFFER_LOOP)
    subprocess.run([
        "gcc", "-O3", "-march=native", "-w", f"-I{source}", f"-I{include}", folder / "puffer.c", "-o",
        folder / "puffer", "-lm", "-ffunction-sections", "-Wl,--gc-sections"
    ],
                   check=True)
    return str(folder / "puffer")


def has(python, module):
    return subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0


def ours(program, env):
    out = subprocess.run([program, "bench", "env", env, "--envs", "1024", "--seconds", "1", "--json"],
                         capture_output=True,
                         text=True,
                         check=True).stdout
    return json.loads(out)["sps"]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--python", action="append", default=[])
    parser.add_argument("--puffer-source", help="unpacked source package of PufferLib 3")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(options, pathlib.Path(folder))


def measure(options, folder):
    pairs = {pair: next((p for p in options.python if has(p, pair[0])), None) for pair in PEERS}
    rows = {pair: {"ours": [], "theirs": []} for pair, python in pairs.items() if python}
    commands = {pair: [pairs[pair], "-c", SCRIPT, PEERS[pair]] for pair in rows}
    if options.puffer_source:
        rows["pufferlib", "cartpole"] = {"ours": [], "theirs": []}
        commands["pufferlib", "cartpole"] = [build_puffer(options.puffer_source, folder)]
    for _ in range(options.repeats):
        for pair, row in rows.items():
            row["ours"].append(ours(options.program, pair[1]))
            out = subprocess.run(commands[pair], capture_output=True, text=True, check=True).stdout
            row["theirs"].append(float(out.splitlines()[-1]))
    alone = {
        env: [ours(options.program, env) for _ in range(options.repeats)]
        for env in ("minigrid_empty_8x8", "minigrid_door_key_8x8", "minigrid_four_rooms")
    }
    result = {
        "command": "python3 tests/bench/env_peers.py build/release/bin/seedbed --python ...",
        "not_measured": [f"{p[0]} {p[1]}" for p in PEERS if p not in rows], "pairs": [],
        "ours_alone": {env: {"sps_median": statistics.median(v), "sps": v} for env, v in alone.items()}
    }
    for (peer, env), row in rows.items():
        ratios = [a / b for a, b in zip(row["ours"], row["theirs"])]
        result["pairs"].append({
            "env": env, "peer": peer, "ratio_median": statistics.median(ratios),
            "ratio_range": [min(ratios), max(ratios)], **row
        })
        ours, theirs = (statistics.median(row[who]) / 1e6 for who in ("ours", "theirs"))
        print(f"{env:24} ours {ours:8.2f} M/s   {peer:10} {theirs:8.3f} M/s   "
              f"ratio {statistics.median(ratios):8.1f} [{min(ratios):.1f} - {max(ratios):.1f}]")
    for env, values in alone.items():
        print(f"{env:24} ours {statistics.median(values) / 1e6:8.2f} M/s")
    for name in result["not_measured"]:
        print(f"not measured: {name} (not installed in any Python given)")
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "env_peers.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
