# SPDX-License-Identifier: Apache-2.0
"""Vector environments with Gymnasium's interface. They need no package."""

import numpy as np
from corridor import Corridor


class Together:
    """`num_envs` corridors. With next-step, the step after the end of an episode resets the environment.
    masks: whether single environments can be reset. fail: number of the step that fails. said: the mode as a
    string in the metadata; "none": no mode."""

    def __init__(
        self,
        num_envs: int = 1,
        mode: str = "NextStep",
        length: int = 5,
        limit: int = 9,
        fail: int = 0,
        masks: bool = False,
        said: str = "",
    ):
        self.metadata = {"autoreset_mode": type("Mode", (), {"value": mode}), "reset_mask": masks}
        if said:
            self.metadata["autoreset_mode"] = said
        if said == "none":
            del self.metadata["autoreset_mode"]
        self.envs = [Corridor(length=length, limit=limit) for _ in range(num_envs)]
        self.single_observation_space = self.envs[0].observation_space
        self.single_action_space = self.envs[0].action_space
        self.mode, self.fail, self.count, self.over = mode, fail, 0, None

    def reset(self, seed=None, options=None):
        if options is not None:
            assert self.over is not None, "the first reset must reset every environment"
            for number in np.flatnonzero(options["reset_mask"]):
                self.envs[number].reset(seed=seed[number])
                self.over[number] = False
            return np.stack([env.observe() for env in self.envs]), {}
        self.seeds, self.over = list(seed), [False] * len(seed)
        return np.stack([env.reset(seed=s)[0] for env, s in zip(self.envs, seed)]), {}

    def again(self, number):
        self.seeds[number] += 1
        return self.envs[number].reset(seed=self.seeds[number])[0]

    def step(self, actions):
        self.count += 1
        if self.count == self.fail:
            raise RuntimeError("the pool is broken")
        rows, final = [], [None] * len(self.envs)
        for number, env in enumerate(self.envs):
            if self.over[number]:
                row = (self.again(number), 0.0, False, False)
            else:
                row = env.step(int(actions[number]))[:4]
            over = row[2] or row[3]
            self.over[number] = over and self.mode == "NextStep"
            if over and self.mode == "SameStep":
                final[number] = row[0]
                row = (self.again(number), *row[1:])
            rows.append(row)
        obs, rewards, terminated, truncated = (np.array(column) for column in zip(*rows))
        return obs, rewards, terminated, truncated, {"final_obs": np.array(final, dtype=object)}

    def close(self):
        if self.fail:
            raise OSError("closed already")
