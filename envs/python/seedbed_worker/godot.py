# SPDX-License-Identifier: Apache-2.0
"""godot:HOST:PORT and godot:FILE: games that use the plugin Godot RL Agents (protocol 0.7).

The worker listens, and the game connects. A message is a length (u32, little endian) followed by JSON. With
HOST:PORT the user starts the game; with FILE, the worker does. Every agent of a game is an environment with
its own episodes: the game starts the next one by itself, and its first observation arrives with the end of
the previous one. Optional members that the plugin does not send (yet): `truncated` for each agent, and
`terminal_observation` in its info.
"""

import errno
import json
import os
import socket
import struct
import time

import numpy as np

from seedbed_worker import launch, listening
from seedbed_worker.errors import WorkerError
from seedbed_worker.gym import parameters
from seedbed_worker.plain import Box, Dict, Discrete
from seedbed_worker.spaces import found
from seedbed_worker.vector import Vectors

MAJOR_VERSION, MINOR_VERSION = "0", "7"
MAX_MESSAGE = 256 << 20
RECONNECT_SECONDS = 8  # less than the host's time limit for a step
POLL_SECONDS = 0.2
PLUGIN = f"the plugin Godot RL Agents with protocol {MAJOR_VERSION}.{MINOR_VERSION}"


class Lost(Exception):
    """The connection to a game can no longer be used; the text gives the reason."""


class Connection:
    """Messages to and from a game."""

    def __init__(self, stream, seconds):
        self.stream = stream
        stream.settimeout(seconds)
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.seconds = seconds

    def send(self, **message):
        data = json.dumps(message).encode()
        try:
            self.stream.sendall(struct.pack("<I", len(data)) + data)
        except TimeoutError:
            raise Lost(f"the game has not read anything for {self.seconds:g} s; is it paused?") from None
        except OSError:
            raise Lost("the game has closed the connection; start it again") from None

    def bytes(self, count):
        parts = bytearray()
        while len(parts) < count:
            try:
                data = self.stream.recv(min(count - len(parts), 1 << 20))
            except TimeoutError:
                raise Lost(f"the game has not sent anything for {self.seconds:g} s; is it paused?") from None
            except OSError:
                data = b""
            if not data:
                raise Lost("the game has closed the connection; start it again")
            parts += data
        return bytes(parts)

    def receive(self, kind):
        """The next message, which must have this type."""
        (length,) = struct.unpack("<I", self.bytes(4))
        if length > MAX_MESSAGE:
            raise Lost(f"the game sends a message of {length} bytes, which is too long; it needs {PLUGIN}")
        data = self.bytes(length)
        try:
            message = json.loads(data)
        except ValueError:
            raise Lost(
                f"the game has sent {found(data)}, which is not JSON; it needs {PLUGIN}, and finite rewards "
                "and observations"
            ) from None
        sent = message.get("type") if isinstance(message, dict) else None
        if sent != kind:
            raise Lost(f"the game has sent {found(sent)} instead of '{kind}'; it needs {PLUGIN}")
        return message

    def list_of(self, message, name, count):
        """A member with one entry for each agent."""
        values = message.get(name)
        if not isinstance(values, list) or len(values) != count:
            raise Lost(f"'{name}' of the game's message is {found(values)}; expected a list of {count}")
        return values


def whole(value, what):
    """Godot may write whole numbers with a decimal point."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value) or value < 1:
        raise Lost(f"{what} is {found(value)}; expected a whole number of at least 1")
    return int(value)


def members(spaces, what):
    if not isinstance(spaces, dict) or not all(isinstance(space, dict) for space in spaces.values()):
        raise Lost(f"{what} is {found(spaces)}; expected an object of objects")
    return spaces.items()


def observation_space(spaces):
    """Values may exceed the bounds that a game declares (by default -1 and 1), so vectors are unbounded."""
    made = {}
    for name, space in members(spaces, "the observation space"):
        kind, size = space.get("space"), space.get("size")
        if kind == "box":
            size = size if isinstance(size, list) else [size]
            sides = [whole(side, f"the size of '{name}'") for side in size]
            image = "2d" in name  # the plugin's rule: such observations are hexadecimal text
            made[name] = Box(0, 255, sides, np.uint8) if image else Box(-np.inf, np.inf, sides)
        elif kind == "discrete":
            made[name] = Discrete(whole(size, f"the size of '{name}'"))
        else:
            raise Lost(f"the observation '{name}' is of kind {found(kind)}; known: box, discrete")
    return made


def action_space(spaces):
    made = {}
    for name, space in members(spaces, "the action space"):
        kind, size = space.get("action_type"), whole(space.get("size"), f"the size of the action '{name}'")
        if kind == "discrete":
            made[name] = Discrete(size)
        elif kind == "continuous":
            made[name] = Box(-1, 1, (size,))
        else:
            raise Lost(f"the action '{name}' is of kind {found(kind)}; known: discrete, continuous")
    return made


class Game:
    """A connected game. `numbers`: the agents that the policy plays; the others do nothing."""

    def __init__(self, connection, policy):
        self.connection = connection
        connection.send(type="handshake", major_version=MAJOR_VERSION, minor_version=MINOR_VERSION)
        connection.send(type="env_info")
        info = connection.receive("env_info")
        for name in ("n_agents", "observation_space", "action_space"):
            if name not in info:
                sentence = f"the game uses another version of the protocol ('{name}' is missing)"
                raise Lost(f"{sentence}; it needs {PLUGIN}")
        self.agents = whole(info["n_agents"], "n_agents")
        # Older versions of the plugin send one space for all agents.
        self.observations, self.actions = (
            (
                [info[name]] * self.agents
                if isinstance(info[name], dict)
                else connection.list_of(info, name, self.agents)
            )
            for name in ("observation_space", "action_space")
        )
        self.idle = [idle_action(space) for space in self.actions]
        names = info.get("agent_policy_names") or ["shared_policy"] * self.agents
        self.numbers = [number for number, name in enumerate(names) if policy in ("", name)]
        if not self.numbers:
            raise WorkerError("no_such_env", f"the game has no policy '{policy}'; it has {listed(names)}")
        for number in self.numbers:
            first = self.numbers[0]
            for what, spaces in (("observations", self.observations), ("actions", self.actions)):
                if spaces[number] != spaces[first]:
                    sentence = f"the {what} of agents {first} and {number} differ, but one policy plays all"
                    raise WorkerError("space", f"{sentence}; choose one with --env.policy: {listed(names)}")

    def observe(self, message):
        """The observation of each played agent."""
        rows = self.connection.list_of(message, "obs", self.agents)
        return [decode(rows[number], self.shapes) for number in self.numbers]

    def reset(self):
        self.connection.send(type="reset")
        return self.observe(self.connection.receive("reset"))

    def send(self, actions):
        """actions: one per played agent."""
        every = list(self.idle)
        for number, action in zip(self.numbers, actions):
            every[number] = action
        self.connection.send(type="action", action=every)

    def receive(self):
        """(observations, rewards, done, truncated, information) of the played agents."""
        message, agents = self.connection.receive("step"), self.agents
        obs = self.observe(message)
        rows = [
            self.connection.list_of(message, name, agents) if name in message else [absent] * agents
            for name, absent in (("reward", None), ("done", None), ("truncated", False), ("info", {}))
        ]
        rewards, done, truncated, info = ([row[number] for number in self.numbers] for row in rows)
        for reward, ended in zip(rewards, done):
            if not isinstance(reward, (int, float)) or not isinstance(ended, (bool, int)):
                sent = f"the reward {found(reward)} and done {found(ended)}"
                raise Lost(f"the game has sent {sent}; it needs {PLUGIN}")
        return obs, rewards, done, truncated, info


def listed(names):
    return ", ".join(map(str, dict.fromkeys(names)))


def idle_action(spaces):
    made = action_space(spaces).items()
    return {name: 0 if isinstance(space, Discrete) else [0.0] * space.shape[0] for name, space in made}


def decode(obs, shapes):
    """Converts hexadecimal texts to images. shapes: those of the images."""
    if not isinstance(obs, dict):
        raise Lost(f"the game has sent the observation {found(obs)}; expected an object")
    for name, shape in shapes.items():
        try:
            obs[name] = np.frombuffer(bytes.fromhex(obs[name]), np.uint8).reshape(shape)
        except (KeyError, TypeError, ValueError):
            raise Lost(f"'{name}' is {found(obs.get(name))}; expected {shape} bytes in hexadecimal") from None
    return obs


class Games:
    """An engine of vector.Vectors: as many games as are needed for `count` agents."""

    can_reset_some, same_step = False, True
    batch_actions = staticmethod(list)

    def __init__(self, options, count, seconds, server):
        self.options, self.games, self.processes = options, [], []
        server = server or listening.Server(*options.address)
        try:
            self.connect(listen(server, seconds), count, seconds)
        except Lost as error:
            self.close()
            raise WorkerError("constructor", str(error)) from None
        except BaseException:
            self.close()
            raise
        finally:
            server.close()

    def connect(self, server, count, seconds):
        agents, end = 0, time.monotonic() + seconds
        while agents < count:
            if self.options.file:
                self.start(server.getsockname()[1])
            stream = self.accept(server, end, agents, count)
            game = Game(Connection(stream, self.options.step_seconds), self.options.policy)
            self.games.append(game)
            self.check(game)
            agents += len(game.numbers)
        self.count = count
        first = self.games[0]
        observations = observation_space(first.observations[first.numbers[0]])
        shapes = {name: space.shape for name, space in observations.items() if "2d" in name}
        for game in self.games:
            game.shapes = shapes
        self.observation_space = Dict(observations)
        self.action_space = Dict(action_space(first.actions[first.numbers[0]]))

    def check(self, game):
        first = self.games[0]
        for name in ("observations", "actions"):
            if getattr(game, name)[game.numbers[0]] != getattr(first, name)[first.numbers[0]]:
                raise Lost(f"the {name} of the games differ; start the same game several times")

    def start(self, port):
        options, number = self.options, len(self.processes)
        arguments = [f"--port={port}", f"--env_seed={options.seed + number}"]
        arguments += ["--headless", "--disable-render-loop"]
        arguments += [f"--speedup={options.speedup:g}"] if options.speedup > 0 else []
        arguments += [f"--action_repeat={options.action_repeat}"] if options.action_repeat > 0 else []
        self.processes.append(launch.start(options.file, arguments))

    def accept(self, server, end, agents, count):
        host, port = server.getsockname()[:2]
        while True:
            server.settimeout(POLL_SECONDS)
            try:
                return server.accept()[0]
            except TimeoutError:
                pass
            if self.processes and self.processes[-1].poll() is not None:
                code = self.processes[-1].returncode
                raise Lost(
                    f"the game exited with code {code} before it connected; see its last output"
                )
            if time.monotonic() > end:
                needs = f"it needs {PLUGIN}, a Sync node and agents in training mode"
                if self.processes:
                    raise Lost(f"the game has not connected; {needs}")
                if agents:
                    sentence = f"{agents} agents have connected to {host}:{port}, but {count} are needed"
                    hint = f"set --actor.num_envs {agents} --actor.groups 1, or start the game several times"
                    raise Lost(f"{sentence}; {hint}")
                raise Lost(
                    f"no game has connected to {host}:{port}; start it (option --port={port}); {needs}"
                )

    def reset(self, seeds):
        """The protocol has no seeds."""
        self.rows = [row for game in self.games for row in self.guard(game.reset)]
        return self.rows

    def step(self, actions, active):
        idle = self.games[0].idle[self.games[0].numbers[0]]
        actions = [plain(action) if acts else idle for action, acts in zip(actions, active)]
        for game in self.games:
            self.guard(game.send, actions[: len(game.numbers)])
            actions = actions[len(game.numbers) :]
        obs, rewards, done, truncated, info = ([] for _ in range(5))
        for game in self.games:
            for whole_list, part in zip((obs, rewards, done, truncated, info), self.guard(game.receive)):
                whole_list += part
        count = self.count
        cut = np.array(truncated[:count], bool)
        terminated = np.array(done[:count], bool) & ~cut
        for number in np.flatnonzero(cut & active):
            final = (info[number] or {}).get("terminal_observation")
            if final is not None:
                obs[number] = self.guard(decode, final, self.games[0].shapes)
        self.rows = obs
        return obs, np.array(rewards[:count], np.float32), terminated, cut, cut & active

    @staticmethod
    def guard(function, *arguments):
        try:
            return function(*arguments)
        except Lost as error:
            raise WorkerError("step", str(error)) from None

    def picture(self, number):
        """The first coloured image among the observations."""
        for name, shape in self.games[0].shapes.items():
            if len(shape) == 3 and shape[2] == 3:
                return self.rows[number][name].repeat(4, 0).repeat(4, 1)
        raise WorkerError("render", "the game shows its own window, and its observations have no image")

    def close(self):
        for game in self.games:
            try:
                game.connection.send(type="close")
            except Lost:
                pass
            game.connection.stream.close()
        for process in self.processes:
            launch.stop(process)
        self.games, self.processes = [], []


def plain(action):
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in action.items()
    }


def parse_address(text):
    """(host, port) of HOST:PORT, or None."""
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        return None
    return host.strip("[]"), int(port)


def listen(server, seconds):
    """May take a while, since other workers listen on the same address for their games."""
    host, port = server.host, server.port
    try:
        return server.open(seconds)
    except socket.gaierror as error:
        raise Lost(f"'{host}' is not an address: {error.strerror}; use 127.0.0.1") from None
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            sentence = f"{host} is not an address of this computer. The game connects to Seedbed: name the "
            hint = "address to listen on, 127.0.0.1, or 0.0.0.0 for other computers"
            raise Lost(sentence + hint) from None
        if error.errno != errno.EADDRINUSE:
            raise Lost(f"listening on {host}:{port} failed: {error.strerror}") from None
        sentence = f"port {port} is used by another program, or by another process that waits for its game"
        raise Lost(sentence) from None


class Options:
    """The arguments of an id."""

    def __init__(
        self,
        name,
        policy: str = "",
        seed: int = 0,
        speedup: float = 0.0,
        action_repeat: int = 0,
        wait_s: float = 55.0,
        step_s: float = 9.0,
    ):
        self.address, self.file = parse_address(name), ""
        if self.address is None:
            self.address, self.file = ("127.0.0.1", 0), os.path.abspath(name)
            if not os.path.isfile(self.file):
                sentence = f"'{name}' is neither HOST:PORT nor a file; for example godot:127.0.0.1:11008"
                raise WorkerError("no_such_env", sentence)
        elif seed or speedup or action_repeat:
            sentence = "seed, speedup and action_repeat are arguments of the game, which you start yourself"
            hint = "; use its options --env_seed, --speedup and --action_repeat, or the id godot:FILE"
            raise WorkerError("constructor", sentence + hint)
        self.policy, self.seed, self.speedup, self.action_repeat = policy, seed, speedup, action_repeat
        self.wait_seconds, self.step_seconds = wait_s, step_s


def source(name, kwargs, count, host):
    try:
        options = Options(name, **kwargs)
    except TypeError as error:
        raise WorkerError("constructor", str(error).replace("Options.__init__()", "a Godot game")) from None
    waits = iter([options.wait_seconds])
    spec = {
        "title": os.path.splitext(os.path.basename(options.file))[0] or "Godot game",
        "sentence": "",
        "upstream": f"Godot RL Agents, protocol {MAJOR_VERSION}.{MINOR_VERSION}",
        "horizon": 0,
        "frames_per_step": 1,
        "reward_low": None,
        "reward_high": None,
        "can_save": False,
        "repeats": False,
        "parameters": parameters(Options, {}, ["name"]),
    }
    return Vectors(
        lambda: Games(options, count, next(waits, min(RECONNECT_SECONDS, options.wait_seconds)), host.server),
        lambda engine: spec,
        count,
        host,
        [],
    )
