# SPDX-License-Identifier: Apache-2.0
"""unity:FILE and unity:editor: games that use Unity ML-Agents, through mlagents_envs 0.28.

Every agent of a scene is an environment with its own episodes. Agents have an id per episode; when an episode
ends, the next new agent replaces the old one. A step lasts until all agents have requested a decision; an
agent that requests several repeats its action. Group rewards are added to the rewards.
"""

import os
import socket
import sys

import numpy as np

from seedbed_worker import launch, listening
from seedbed_worker.errors import WorkerError, describe
from seedbed_worker.gym import parameters
from seedbed_worker.plain import Box, Dict, Discrete
from seedbed_worker.vector import Vectors

EDITOR_PORT = 5004  # port to which the Unity editor connects
MAX_TICKS = 1000  # steps of the simulation in which an agent requests no decision


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def connect(options, number):
    """(environment, process) of a game; the process is None for the editor."""
    from mlagents_envs.environment import UnityEnvironment
    from mlagents_envs.side_channel.engine_configuration_channel import EngineConfigurationChannel

    port = EDITOR_PORT if options.file is None else free_port()
    process = None
    if options.file is not None:
        arguments = ["-nographics", "-batchmode", "-logFile", "-", "--mlagents-port", str(port)]
        process = launch.start(options.file, arguments if not options.graphics else arguments[1:])

    # mlagents_envs would start the game in a separate session, in which it survives the worker.
    class Started(UnityEnvironment):
        def _poll_process(self):
            if process is not None and process.poll() is not None:
                sentence = f"the game exited with code {process.returncode}; see its last output"
                raise WorkerError("constructor", sentence)

    if options.server is not None:
        listening.relay(options.server, port, options.wait_seconds)
    channel = EngineConfigurationChannel()
    channel.set_configuration_parameters(time_scale=options.time_scale)
    try:
        env = Started(
            file_name=None,
            base_port=port,
            seed=options.seed + number,
            timeout_wait=options.wait_seconds,
            side_channels=[channel],
        )
        env.reset()
    except WorkerError:
        launch.stop(process)
        raise
    except Exception as error:
        launch.stop(process)
        what = "the Unity editor (press Play)" if process is None else options.file
        raise WorkerError(
            "constructor", f"no connection to {what}: {describe(error, '')['error']}"
        ) from error
    return env, process


def observation_spaces(spec):
    """Name -> space. Observations with three dimensions are images, whose values Unity sends as 0 to 1."""
    spaces = {}
    for number, sensor in enumerate(spec.observation_specs):
        shape = tuple(int(side) for side in sensor.shape)
        name = getattr(sensor, "name", "") or f"observation {number}"
        name = f"{name} {number}" if name in spaces else name
        image = len(shape) == 3
        spaces[name] = Box(0, 255, shape, np.uint8) if image else Box(-np.inf, np.inf, shape, np.float32)
    return spaces


def action_spaces(spec):
    spaces = {}
    if spec.action_spec.continuous_size > 0:
        spaces["continuous"] = Box(-1, 1, (int(spec.action_spec.continuous_size),))
    for number, size in enumerate(spec.action_spec.discrete_branches):
        spaces[f"branch {number}"] = Discrete(int(size))
    return spaces


def same(first, second):
    shapes = [[tuple(sensor.shape) for sensor in spec.observation_specs] for spec in (first, second)]
    return shapes[0] == shapes[1] and first.action_spec == second.action_spec


def chosen_behaviours(specs, name):
    """The behaviours that the policy plays."""
    known = ", ".join(specs)
    if not specs:
        raise WorkerError("no_such_env", "the scene has no agents whose Behavior Type is 'Default'")
    if name:
        if name not in specs:
            raise WorkerError("no_such_env", f"the scene has no behaviour '{name}'; it has {known}")
        return [name]
    first, *others = specs
    for other in others:
        if not same(specs[first], specs[other]):
            sentence = (
                f"the behaviours {first} and {other} have different observations or actions, but one policy"
            )
            raise WorkerError("space", f"{sentence} plays all; choose one with --env.behaviour: {known}")
    return list(specs)


class Seat:
    """An agent that the policy plays, over several episodes."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.agent = None  # (behaviour, id) in the current episode
        self.obs = self.mask = self.final = self.action = None
        self.reward = 0.0  # reward of an episode that began in this exchange, after the previous one had
                           # ended
        self.begin()

    def begin(self):
        self.earned, self.reward = self.reward, 0.0
        self.ended = self.interrupted = self.decides = False


class Scene:
    """A running game."""

    def __init__(self, options, number):
        self.server = options.server
        self.env, self.process = connect(options, number)
        specs = self.env.behavior_specs
        self.behaviours = chosen_behaviours(specs, options.behaviour)
        self.spec = specs[self.behaviours[0]]
        self.names = list(observation_spaces(self.spec))
        self.seats = []
        self.read()

    def read(self):
        """Stores the data that the agents have sent, and assigns new agents to seats."""
        self.asking, new = {}, []
        seat_of = {seat.agent: seat for seat in self.seats if seat.agent is not None}
        for behaviour in self.behaviours:
            decisions, terminals = self.env.get_steps(behaviour)
            for row, agent in enumerate(terminals.agent_id.tolist()):
                seat = seat_of.pop((behaviour, agent), None)
                if seat is not None:
                    self.end(seat, terminals, row)
            self.asking[behaviour] = decisions
            for row, agent in enumerate(decisions.agent_id.tolist()):
                seat = seat_of.get((behaviour, agent))
                if seat is None:
                    new.append((behaviour, agent, row))
                else:
                    self.decide(seat, decisions, row, rewarded=True)
        free = [seat for seat in self.seats if seat.agent is None]
        for seat, (behaviour, agent, row) in zip(free, new):
            seat.agent = (behaviour, agent)
            self.decide(seat, self.asking[behaviour], row, rewarded=False)
        self.without_seat = len(new) - min(len(new), len(free))

    def end(self, seat, steps, row):
        seat.agent = None
        if not seat.ended:  # a second episode in the same exchange is dropped
            seat.ended, seat.interrupted = True, bool(steps.interrupted[row])
            seat.earned += float(steps.reward[row] + steps.group_reward[row])
            seat.final = self.observation(steps, row)
            seat.reward = 0.0

    def decide(self, seat, steps, row, rewarded):
        seat.decides, seat.obs = True, self.observation(steps, row)
        branches = self.spec.action_spec.discrete_branches
        masks = steps.action_mask
        seat.mask = None
        if branches and masks is not None:
            seat.mask = {f"branch {number}": ~masks[number][row] for number in range(len(branches))}
            if self.spec.action_spec.continuous_size > 0:
                seat.mask["continuous"] = None
        if rewarded:
            reward = float(steps.reward[row] + steps.group_reward[row])
            if seat.ended:
                seat.reward += reward
            else:
                seat.earned += reward

    def observation(self, steps, row):
        return {name: as_image(array[row]) for name, array in zip(self.names, steps.obs)}

    def reset(self):
        self.env.reset()
        for seat in self.seats:
            seat.clear()
        self.read()
        self.run_until(lambda: all(seat.agent is not None for seat in self.seats))

    def step(self):
        """Every seat acts, then requests its next decision, in the same episode or in a new one."""
        for seat in self.seats:
            seat.begin()
        self.tick()
        self.run_until(lambda: all(seat.decides and seat.agent is not None for seat in self.seats))

    def run_until(self, reached):
        for _ in range(MAX_TICKS):
            if reached():
                return
            self.tick()
        missing = sum(seat.agent is None or not seat.decides for seat in self.seats)
        sentence = f"{missing} of {len(self.seats)} agents have not requested a decision in {MAX_TICKS} steps"
        raise WorkerError(
            "step", f"{sentence}; each agent needs a Decision Requester, even after its episode ends"
        )

    def tick(self):
        from mlagents_envs.base_env import ActionTuple

        seat_of = {seat.agent: seat for seat in self.seats}
        action_spec = self.spec.action_spec
        for behaviour, steps in self.asking.items():
            count, agents = len(steps.agent_id), steps.agent_id.tolist()
            continuous = np.zeros((count, action_spec.continuous_size), np.float32)
            discrete = np.zeros((count, len(action_spec.discrete_branches)), np.int32)
            for row, agent in enumerate(agents):
                seat = seat_of.get((behaviour, agent))
                action = None if seat is None else seat.action
                if action is not None and action_spec.continuous_size > 0:
                    continuous[row] = action["continuous"]
                for branch in range(discrete.shape[1]):
                    choice = 0 if action is None else action[f"branch {branch}"]
                    if steps.action_mask is not None and steps.action_mask[branch][row][choice]:
                        choice = int(steps.action_mask[branch][row].argmin())  # the first allowed choice
                    discrete[row, branch] = choice
            if count > 0:
                self.env.set_actions(behaviour, ActionTuple(continuous=continuous, discrete=discrete))
        self.env.step()
        self.read()

    def take_seats(self, wanted):
        """One seat for each agent that requests a decision, at most `wanted`."""
        for _ in range(MAX_TICKS):
            if self.without_seat:
                break
            self.tick()
        for _ in range(min(wanted, self.without_seat)):
            self.seats.append(Seat())
        self.read()
        return len(self.seats)

    def close(self):
        try:
            self.env.close()
        except Exception:  # the game may have exited
            pass
        launch.stop(self.process)
        if self.server is not None:
            self.server.close()


def as_image(array):
    return (np.clip(array, 0, 1) * 255).round().astype(np.uint8) if array.ndim == 3 else array


class Engine:
    """An engine of vector.Vectors: as many games as are needed for `count` agents."""

    can_reset_some, same_step = False, True
    batch_actions = staticmethod(list)

    def __init__(self, options, count):
        self.scenes, agents = [], 0
        try:
            while agents < count:
                if self.scenes and options.file is None:
                    sentence = (
                        f"the scene in the editor has {agents} agents, but {count} environments are requested"
                    )
                    raise WorkerError(
                        "constructor", f"{sentence}: set --actor.num_envs {agents} --actor.groups 1"
                    )
                scene = Scene(options, len(self.scenes))
                self.scenes.append(scene)
                taken = scene.take_seats(count - agents)
                if taken == 0:
                    raise WorkerError("constructor", "no agent in the scene requests a decision")
                agents += taken
        except BaseException:
            self.close()
            raise
        spec = self.scenes[0].spec
        self.seats = [seat for scene in self.scenes for seat in scene.seats]
        self.observation_space = Dict(observation_spaces(spec))
        self.action_space = Dict(action_spaces(spec))
        if spec.action_spec.discrete_branches:
            self.mask = lambda number: self.seats[number].mask

    def reset(self, seeds):
        """The seed of a game is fixed when it starts."""
        for scene in self.scenes:
            scene.reset()
        return [seat.obs for seat in self.seats]

    def step(self, actions, active):
        for seat, action, acts in zip(self.seats, actions, active):
            seat.action = action if acts else None
        for scene in self.scenes:
            scene.step()
        rewards = np.array([seat.earned for seat in self.seats], np.float32)
        ended = np.array([seat.ended for seat in self.seats])
        cut = ended & np.array([seat.interrupted for seat in self.seats])
        obs = [seat.final if final else seat.obs for seat, final in zip(self.seats, cut & active)]
        return obs, rewards, ended & ~cut, cut, cut & active

    def picture(self, number):
        for value in (self.seats[number].obs or {}).values():
            if value.ndim == 3 and value.shape[2] == 3:
                return value.repeat(4, 0).repeat(4, 1)
        raise WorkerError("render", "the observations of the game have no coloured image")

    def close(self):
        for scene in self.scenes:
            scene.close()
        self.scenes = []


class Options:
    """The arguments of an id."""

    def __init__(
        self,
        name,
        behaviour: str = "",
        seed: int = 0,
        time_scale: float = 20.0,
        graphics: bool = False,
        wait_s: int = 50,
    ):
        self.file = None if name == "editor" else os.path.abspath(name)
        if self.file is not None and not os.path.isfile(self.file):
            raise WorkerError("no_such_env", f"the file {self.file} does not exist; or use unity:editor")
        self.behaviour, self.seed, self.time_scale = behaviour, seed, time_scale
        self.graphics, self.wait_seconds = graphics, wait_s
        self.server = None  # the address to which the editor connects, if this process has its own network


def source(name, kwargs, count, host):
    try:
        import mlagents_envs
    except ImportError as error:
        sentence = f"this id needs mlagents_envs, which {sys.executable} cannot import: {error}"
        raise WorkerError("import", sentence + "; install the pack 'unity'") from error
    try:
        options = Options(name, **kwargs)
    except TypeError as error:
        raise WorkerError("constructor", str(error).replace("Options.__init__()", "a Unity game")) from None
    options.server = host.server
    title = "Unity editor" if options.file is None else os.path.splitext(os.path.basename(options.file))[0]
    spec = {
        "title": title,
        "sentence": "",
        "upstream": f"mlagents-envs {mlagents_envs.__version__}",
        "horizon": 0,
        "frames_per_step": 1,
        "reward_low": None,
        "reward_high": None,
        "can_save": False,
        "repeats": False,
        "parameters": parameters(Options, {}, ["name"]),
    }
    return Vectors(
        lambda: Engine(options, count), lambda engine: spec, count, host, ["mlagents-envs"],
        has_masks=lambda engine, _: hasattr(engine, "mask"))
