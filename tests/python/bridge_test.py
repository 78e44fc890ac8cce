# SPDX-License-Identifier: Apache-2.0
"""MiniGrid and POPGym through the bridge behave like the native environments: bridge_test.py SEEDBED

Episodes that the bridge plays are replayed by the native environment with the same actions (`seedbed env
check`), from the states of the original with the same seeds. Needs MiniGrid or POPGym.
"""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import gymnasium
    import numpy as np
    from fake_host import FIRST, RESET, STEP, TERMINATED, TRUNCATED
    from worker_test import WorkerCase
except ImportError as error:
    print(f"[  SKIPPED ] {error}")
    sys.exit()

SEEDBED = sys.argv.pop(1) if len(sys.argv) > 1 else "seedbed"
PACKAGES = [name for name in ("minigrid", "popgym") if importlib.util.find_spec(name)]
if not PACKAGES:
    print("[  SKIPPED ] neither MiniGrid nor POPGym is installed")
    sys.exit()
MINIGRID = {
    "Empty-8x8-v0": "minigrid_empty_8x8",
    "DoorKey-8x8-v0": "minigrid_door_key_8x8",
    "FourRooms-v0": "minigrid_four_rooms",
    "MemoryS11-v0": "minigrid_memory_s11",
    "LavaCrossingS9N1-v0": "minigrid_lava_crossing_s9n1",
    "Dynamic-Obstacles-6x6-v0": "minigrid_dynamic_obstacles_6x6",
}
POPGYM = {
    "RepeatPreviousEasy": "repeat_previous_easy",
    "RepeatPreviousMedium": "repeat_previous_medium",
    "RepeatPreviousHard": "repeat_previous_hard",
}
STEPS = 300


def state_of(env):
    carrying = env.carrying.encode() if env.carrying else None
    return {
        "grid": env.grid.encode().transpose(1, 0, 2).tolist(),
        "pos": [int(x) for x in env.agent_pos],
        "dir": int(env.agent_dir),
        "carry": None if carrying is None else [int(x) for x in carrying],
        "t": int(env.step_count),
    }


class Bridge(WorkerCase):
    def replay(self, native, rows):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "trace.jsonl"
            trace.write_text("".join(json.dumps(row) + "\n" for row in rows))
            command = [SEEDBED, "env", "check", native, str(trace)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, f"{native}: {done.stdout}{done.stderr}")

    @unittest.skipUnless("minigrid" in PACKAGES, "MiniGrid is not installed")
    def test_minigrid(self):
        import minigrid  # importing it registers the ids

        for name, native in MINIGRID.items():
            with self.subTest(name):
                worker = self.open(f"minigrid:{name}")
                direct = gymnasium.make(f"MiniGrid-{name}", disable_env_checker=True)
                names = [leaf["name"] for leaf in worker.spec["spaces"]["obs"]]
                image, direction = (worker.leaves[names.index(leaf)][0] for leaf in ("image", "direction"))
                draw, rows, seed = np.random.default_rng(5), [], 1
                count = direct.action_space.n
                chances = np.array([0.12, 0.12, 0.4, 0.14, 0.05, 0.14, 0.03][:count])
                chances /= chances.sum()
                worker.exchange(RESET, seeds=[seed])
                seen, _ = direct.reset(seed=seed)
                for _ in range(STEPS):
                    before, action = state_of(direct.unwrapped), int(draw.choice(count, p=chances))
                    seed += 1
                    worker.exchange(STEP, [action], [seed])
                    seen, reward, terminated, truncated, _ = direct.step(action)
                    flags = int(worker.flags[0])
                    self.assertEqual(bool(flags & TERMINATED), terminated)
                    self.assertEqual(bool(flags & TRUNCATED), truncated and not terminated)
                    after = state_of(direct.unwrapped)
                    # After a termination, the bridge has already begun the next episode.
                    last = seen["image"], seen["direction"]
                    shown = last if flags & FIRST else (image.transpose(1, 2, 0), direction[0])
                    rows.append(
                        {
                            "s": before,
                            "a": action,
                            "s2": after,
                            "image": shown[0].astype(int).tolist(),
                            "dir": int(shown[1]),
                            "r": float(worker.rewards[0]),
                            "term": bool(flags & TERMINATED),
                            "trunc": bool(flags & TRUNCATED),
                        }
                    )
                    if terminated or truncated:
                        seen, _ = direct.reset(seed=seed)
                        if not flags & FIRST:
                            worker.exchange(RESET, seeds=[seed])
                        np.testing.assert_array_equal(image.transpose(1, 2, 0), seen["image"])
                        self.assertEqual(direction[0], seen["direction"])
                self.replay(native, rows)

    @unittest.skipUnless("popgym" in PACKAGES, "POPGym is not installed")
    def test_popgym(self):
        import popgym  # importing it registers the ids

        for name, native in POPGYM.items():
            with self.subTest(name):
                worker, rows = self.open(f"popgym:{name}"), []
                previous = gymnasium.make(f"popgym-{name}-v0", disable_env_checker=True).unwrapped.k
                draw = np.random.default_rng(2)
                worker.exchange(RESET, seeds=[1])
                for episode in range(3):
                    observations, actions, rewards = [int(worker.leaves[0][0, 0])], [], []
                    while True:
                        actions.append(int(draw.integers(4)))
                        worker.exchange(STEP, actions[-1:], [episode + 2])
                        rewards.append(float(worker.rewards[0]))
                        if worker.flags[0] & (TERMINATED | TRUNCATED):
                            break
                        observations.append(int(worker.leaves[0][0, 0]))
                    self.assertEqual(worker.flags[0], TERMINATED | FIRST)
                    ends = [False] * (len(actions) - 1) + [True]
                    # The last observation of an episode is not shown; no reward depends on it.
                    observations.append(0)
                    row = {"k": previous, "obs": observations, "act": actions, "rew": rewards, "term": ends}
                    rows.append(row)
                self.replay(native, rows)


if __name__ == "__main__":
    unittest.main()
