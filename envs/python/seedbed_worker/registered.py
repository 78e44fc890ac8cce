# SPDX-License-Identifier: Apache-2.0
"""Short ids of registered Gymnasium environments: mujoco:half_cheetah, minigrid:DoorKey-5x5-v0,
popgym:RepeatPreviousEasy, nethack:score."""

from seedbed_worker import gym
from seedbed_worker.errors import WorkerError
from seedbed_worker.single import Singles


def camel(name):
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def long_id(scheme, name, kwargs):
    """The registered id. Removes the argument `version` of MuJoCo's environments from kwargs."""
    if scheme == "mujoco":
        return f"{camel(name)}-v{int(kwargs.pop('version', 5))}"
    if scheme == "minigrid":
        return name if name.startswith(("MiniGrid-", "BabyAI-")) else f"MiniGrid-{name}"
    if scheme == "popgym":
        return f"popgym-{name}-v0"
    return f"NetHack{camel(name)}-v0"


def source(scheme, name, kwargs, count, host):
    kwargs = dict(kwargs)
    try:
        recipe = gym.recipe(long_id(scheme, name, kwargs), kwargs)
    except WorkerError as error:
        if error.kind == "import":
            raise WorkerError("import", f"{error}; install the pack '{scheme}'") from error.__cause__
        raise
    recipe.use_limit_of(host)
    made = Singles(recipe, count, host)
    if scheme == "minigrid":
        for leaf in made.spec["spaces"]["obs"]:
            if leaf["name"] == "image" and leaf["shape"][0] == 3:
                leaf.update(high=10.0, labels=["type", "colour", "state"])  # as in the native MiniGrid
    return made
