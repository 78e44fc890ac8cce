# SPDX-License-Identifier: Apache-2.0
"""dm_control:DOMAIN_TASK: tasks of the DeepMind Control Suite, for example dm_control:cheetah_run.

Observations are one vector per named array; actions have the suite's bounds. An episode that reaches the time
limit is truncated; one that the task ends is terminated.
"""

import math
import sys

import numpy as np

from seedbed_worker import gym
from seedbed_worker.errors import WorkerError
from seedbed_worker.plain import Box, Dict
from seedbed_worker.single import Singles


class Task:
    """A task as a Gymnasium-like environment."""

    def __init__(self, domain: str, task: str):
        from dm_control import suite

        self.control = suite.load(domain, task)
        spec = self.control.action_spec()
        self.action_space = Box(spec.minimum, spec.maximum, spec.shape, np.float32)
        self.observation_space = Dict(
            {
                name: Box(-math.inf, math.inf, (int(np.prod(array.shape)),), np.float32)
                for name, array in self.control.observation_spec().items()
            }
        )

    def observation(self, step):
        return {name: np.ravel(value).astype(np.float32) for name, value in step.observation.items()}

    def reset(self, seed=None, options=None):
        # The task's random numbers depend only on the seed.
        self.control.task.random.seed(seed)
        return self.observation(self.control.reset()), {}

    def step(self, action):
        step = self.control.step(action)
        terminated = step.last() and step.discount == 0
        truncated = step.last() and not terminated
        return self.observation(step), float(step.reward or 0.0), terminated, truncated, {}

    def render(self):
        return self.control.physics.render(240, 320, camera_id=0)


def source(name, kwargs, count, host):
    try:
        from dm_control import suite
    except ImportError as error:
        sentence = f"this id needs dm_control, which {sys.executable} cannot import: {error}"
        raise WorkerError("import", sentence + "; install the pack 'dm_control'") from error
    tasks = {f"{domain}_{task}": (domain, task) for domain, task in suite.ALL_TASKS}
    if name not in tasks:
        raise WorkerError("no_such_env", f"there is no task '{name}'; known: {', '.join(sorted(tasks))}")
    domain, task = tasks[name]
    title = f"DeepMind Control {name.replace('_', ' ')}"
    recipe = gym.Recipe(title, Task, {"domain": domain, "task": task, **kwargs}, ["dm-control"])
    recipe.given = ["domain", "task"]
    made = Singles(recipe, count, host)
    made.spec.update(sentence="", reward_low=0, reward_high=1)
    return made
