#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records golden traces from the original environments: JSON lines, one transition each (format:
core/env/trace_check.hpp).

usage: make_traces.py FOLDER [SEED_OFFSET [MULTIPLE]]

tests/oracle/traces contains the gzipped output for offset 0: Pendulum-v1 was made with NumPy 2, which keeps
its torque in float32, simple_tag_v3 too, where it makes no difference, and the others with NumPy 1.24.2. Needs gymnasium, minatar, minigrid, popgym and mpe2.
"""
import json, copy, logging, sys

logging.disable(logging.CRITICAL)
import numpy as np, gymnasium as gym

out = sys.argv[1].rstrip('/') + '/'
off = int(sys.argv[2]) if len(sys.argv) > 2 else 0  # seed offset: 0 for the traces in tests/oracle/traces
mul = int(sys.argv[3]) if len(sys.argv) > 3 else 1  # factor of the number of transitions


def tolist(v):
    if isinstance(v, np.ndarray):
        whole = v.dtype != np.float32 and v.dtype != np.float64 or v.ndim == 2
        return v.astype(int).tolist() if whole else v.tolist()
    if isinstance(v, (np.integer, )): return int(v)
    if isinstance(v, (np.bool_, )): return bool(v)
    if isinstance(v, (np.floating, )): return float(v)
    if isinstance(v, (list, tuple)): return [tolist(x) for x in v]
    return v


# classic control
for eid in ["CartPole-v1", "MountainCar-v0", "MountainCarContinuous-v0", "Acrobot-v1", "Pendulum-v1"]:
    if eid == ("Pendulum-v1" if np.__version__.startswith("1.") else "MountainCarContinuous-v0"):
        continue  # the native environment reproduces the other NumPy version
    env = gym.make(eid, disable_env_checker=True)
    u = env.unwrapped
    env.action_space.seed(7 + off)
    with open(out + eid + '.jsonl', 'w') as f:
        ep = 0
        n = 0
        while n < 1500 * mul:
            env.reset(seed=1000 + ep + off)
            ep += 1
            done = False
            a_hold = None
            k = 0
            while not done and n < 1500 * mul:
                if eid.startswith("MountainCar-"): a = 2 if u.state[1] >= 0 else 0
                elif eid.startswith("MountainCarC"):
                    a = np.array([1.0 if u.state[1] >= 0 else -1.0],
                                 dtype=np.float32) * np.float32(0.3 + 0.9 * ((n * 37) % 11) / 10)
                elif eid.startswith("Acrobot"):
                    a = 2 if u.state[3] > 0 else 0
                else:
                    a = env.action_space.sample()
                s0 = [float(x) for x in u.state]
                o, r, te, tr, _ = env.step(a)
                f.write(
                    json.dumps({
                        "s": s0, "a": tolist(a), "s2": [float(x) for x in u.state],
                        "o": [float(x) for x in o], "r": float(r), "term": bool(te), "trunc": bool(tr)
                    }) + "\n")
                n += 1
                done = te or tr
# MinAtar
from minatar import Environment
for g in ["breakout", "asterix", "freeway", "seaquest", "space_invaders"]:
    e = Environment(g, sticky_action_prob=0.0)
    e.seed(3 + off)
    e.reset()
    rng = np.random.RandomState(11 + off)

    def dump(env):
        return {
            k: tolist(v) for k, v in env.__dict__.items()
            if k not in ('random', 'channels', 'action_map', 'ramping')
        }

    with open(out + 'minatar_' + g + '.jsonl', 'w') as f:
        n = 0
        while n < 1500 * mul:
            acts = list(rng.permutation(6))
            if g == 'freeway': acts = [2] + acts
            if g == 'breakout' and rng.rand() < .9:
                s = e.env
                t = s.ball_x
                acts = ([1] if t < s.pos else [3] if t > s.pos else [0]) + acts
            for a in acts:
                c = copy.deepcopy(e.env)
                _, d = c.act(int(a))
                if not d: break
            if rng.rand() < 0.01: a = int(rng.randint(6))
            s0 = dump(e.env)
            r, d = e.env.act(int(a))
            st = e.env.state()
            f.write(
                json.dumps({
                    "s": s0, "a": int(a), "s2": dump(e.env), "r": float(r), "term": bool(d),
                    "obs_on": [[int(x) for x in i] for i in np.argwhere(st)]
                }) + "\n")
            n += 1
            if d: e.env.reset()
# MiniGrid
import minigrid
for eid in [
        "MiniGrid-Empty-8x8-v0", "MiniGrid-DoorKey-8x8-v0", "MiniGrid-FourRooms-v0", "MiniGrid-MemoryS11-v0",
        "MiniGrid-LavaCrossingS9N1-v0", "MiniGrid-Dynamic-Obstacles-6x6-v0"
]:
    env = gym.make(eid, disable_env_checker=True)
    u = env.unwrapped
    rng = np.random.RandomState(5 + off)
    env.reset(seed=1 + off)

    def dump():
        return {
            "grid": u.grid.encode().transpose(1, 0, 2).tolist(), "pos": [int(x) for x in u.agent_pos],
            "dir": int(u.agent_dir), "carry": list(map(int, u.carrying.encode())) if u.carrying else None,
            "t": int(u.step_count)
        }

    with open(out + eid + '.jsonl', 'w') as f:
        n = 0
        ep = 0
        while n < 600 * mul:
            p = [.12, .12, .4, .14, .05, .14, .03]
            p = p[:env.action_space.n]
            p = np.array(p) / sum(p)
            a = int(rng.choice(env.action_space.n, p=p))
            s0 = dump()
            o, r, te, tr, _ = env.step(a)
            n += 1
            f.write(
                json.dumps({
                    "s": s0, "a": a, "s2": dump(), "image": o["image"].tolist(), "dir": int(o["direction"]),
                    "r": float(r), "term": bool(te), "trunc": bool(tr)
                }) + "\n")
            if te or tr:
                ep += 1
                env.reset(seed=100 + ep + off)
from popgym.envs.repeat_previous import RepeatPrevious, RepeatPreviousMedium
for c in (RepeatPrevious, RepeatPreviousMedium):
    env = c()
    rng = np.random.RandomState(2)
    with open(out + 'popgym_' + c.__name__ + '.jsonl', 'w') as f:
        for ep in range(5):
            o, _ = env.reset(seed=ep)
            O = [int(o)]
            A = []
            R = []
            T = []
            while True:
                a = int(rng.randint(4))
                o, r, te, tr, _ = env.step(a)
                O.append(int(o))
                A.append(a)
                R.append(float(r))
                T.append(bool(te))
                if te or tr: break
            f.write(json.dumps({"k": env.k, "obs": O, "act": A, "rew": R, "term": T}) + "\n")
# MPE2
from mpe2 import simple_tag_v3
env = simple_tag_v3.parallel_env()
env.reset(seed=1 + off)
world = env.unwrapped.world
rng = np.random.RandomState(13 + off)


def dump_world():
    return {
        "p_pos": [a.state.p_pos.tolist() for a in world.agents],
        "p_vel": [a.state.p_vel.tolist() for a in world.agents],
        "landmarks": [l.state.p_pos.tolist() for l in world.landmarks]
    }


def tag_action(index):
    """Mostly along the way to the prey, so that bodies touch each other."""
    if rng.rand() < .3: return int(rng.randint(5))
    if index == 3 and rng.rand() < .6: return 0
    way = world.agents[3].state.p_pos - world.agents[index].state.p_pos
    axis = int(abs(way[1]) > abs(way[0])) if index < 3 else int(rng.randint(2))
    return 1 + 2 * axis + int(way[axis] > 0)


with open(out + 'simple_tag_v3.jsonl', 'w') as f:
    for n in range(400 * mul):
        s0 = dump_world()
        a = [tag_action(i) for i in range(4)]
        o, r, te, tr, _ = env.step(dict(zip(env.possible_agents, a)))
        # The observation of the prey is padded to the size of the others.
        observed = [[float(x) for x in o[name]] for name in env.possible_agents]
        f.write(
            json.dumps({
                "s": s0, "a": a, "s2": dump_world(), "o": [list(x) + [0.0] * (16 - len(x)) for x in observed],
                "r": [float(r[name]) for name in env.possible_agents], "term": any(te.values()),
                "trunc": any(tr.values())
            }) + "\n")
        if any(tr.values()):
            env.reset(seed=100 + n + off)
