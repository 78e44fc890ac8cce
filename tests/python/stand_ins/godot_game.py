#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The game's side of the protocol of Godot RL Agents, as its plugin (sync.gd) implements it.

usage: godot_game.py [--port=P] [--env_seed=S] [--speedup=X] [--action_repeat=N] [--agents=N] [--mode=MODE]

Agents move on a line. Observations: place, ticks of the episode, seed, speedup, action repeat; a picture
with the place in each byte. `move` goes left, stays or goes right; the reward is the place plus the sum of
`push`.
An episode is done at place 2 or -2, and after 6 ticks.
"""

import json
import socket
import struct
import sys
import time


def options():
    values = {
        "port": "11008",
        "env_seed": "1",
        "speedup": "1",
        "action_repeat": "8",
        "agents": "2",
        "mode": "",
    }
    for argument in sys.argv[1:]:
        name, _, value = argument.lstrip("-").partition("=")
        values[name] = value
    return values


VALUES = options()
MODE, AGENTS = VALUES["mode"], int(VALUES["agents"])
SETTINGS = [float(VALUES[name]) for name in ("env_seed", "speedup", "action_repeat")]
LIMIT = 6


class Agent:
    def __init__(self):
        self.place, self.ticks, self.reward, self.done, self.cut = 0, 0, 0.0, False, None

    def observation(self):
        obs = [float(self.place), self.ticks, *SETTINGS]
        return {"obs": obs, "camera_2d": bytes([self.place + 10] * 48).hex()}

    def act(self, action):
        assert set(action) == {"move", "push"} and type(action["move"]) is int and len(action["push"]) == 2
        assert all(-1 <= value <= 1 for value in action["push"])
        self.place += action["move"] - 1
        self.ticks += 1
        self.reward = self.place + sum(action["push"])
        self.done, self.cut = abs(self.place) == 2 or self.ticks == LIMIT, None
        if MODE == "truncates" and self.ticks == LIMIT:
            self.cut = self.observation()
        if self.done:
            self.place, self.ticks = 0, 0


class Game:
    def __init__(self):
        self.agents = [Agent() for _ in range(AGENTS)]
        self.socket = connect()
        self.steps = 0

    def receive(self):
        (length,) = struct.unpack("<I", self.exactly(4))
        return json.loads(self.exactly(length))

    def exactly(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                sys.exit("server disconnected status, closing")
            data += part
        return data

    def send(self, message):
        data = json.dumps(message).encode()
        self.socket.sendall(struct.pack("<I", len(data)) + data)

    def spaces(self):
        obs = {"obs": {"size": [5], "space": "box"}, "camera_2d": {"size": [4, 4, 3], "space": "box"}}
        act = {
            "move": {"size": 3, "action_type": "discrete"},
            "push": {"size": 2, "action_type": "continuous"},
        }
        if MODE == "old":  # one space for all agents
            return {"observation_space": obs, "action_space": act}
        info = {"observation_space": [obs] * AGENTS, "action_space": [act] * AGENTS}
        info["agent_policy_names"] = ["shared_policy"] * AGENTS
        if MODE == "mixed":
            info["action_space"] = [{"jump": {"size": 2, "action_type": "discrete"}}, *[act] * (AGENTS - 1)]
            info["agent_policy_names"] = ["jumper", *["walker"] * (AGENTS - 1)]
        if MODE == "unknown_space":
            info["action_space"] = [{"move": {"size": 3, "action_type": "quantum"}}] * AGENTS
        return info

    def play(self):
        handshake = self.receive()
        assert handshake == {"type": "handshake", "major_version": "0", "minor_version": "7"}, handshake
        assert self.receive() == {"type": "env_info"}
        if MODE == "silent":
            time.sleep(60)
        if MODE == "garbage":
            self.socket.sendall(struct.pack("<I", 5) + b"hello")
        elif MODE == "http":
            self.socket.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        elif MODE == "wrong_version":
            self.send({"type": "env_info", "version": "2.0", "agents": {}})
        else:
            self.send({"type": "env_info", "n_agents": AGENTS, **self.spaces()})
        while True:
            self.answer(self.receive())

    def answer(self, message):
        if message["type"] == "close":
            sys.exit()
        if message["type"] == "reset":
            self.agents = [Agent() for _ in self.agents]
            self.send({"type": "reset", "obs": self.observations(), "info": [{}] * AGENTS})
            return
        assert message["type"] == "action" and len(message["action"]) == AGENTS
        for number, (agent, action) in enumerate(zip(self.agents, message["action"])):
            if MODE == "mixed" and number == 0:
                assert action == {"jump": 0}, action
            else:
                agent.act(action)
        self.steps += 1
        if MODE == "disconnect" and self.steps == 3:
            self.socket.sendall(b"\x10\0\0\0{")  # stops in the middle of a message
            sys.exit(1)
        reply = {
            "type": "step",
            "obs": self.observations(),
            "reward": [agent.reward for agent in self.agents],
            "done": [agent.done for agent in self.agents],
            "info": [{"terminal_observation": agent.cut} if agent.cut else {} for agent in self.agents],
        }
        if MODE == "truncates":
            reply["truncated"] = [agent.cut is not None for agent in self.agents]
        if MODE == "short":
            reply["reward"] = reply["reward"][1:]
        self.send(reply)

    def observations(self):
        return [agent.observation() for agent in self.agents]


def connect():
    """Connects to the worker. The plugin tries only once, after a second."""
    for _ in range(200):
        try:
            return socket.create_connection(("127.0.0.1", int(VALUES["port"])))
        except ConnectionRefusedError:
            time.sleep(0.05)
    sys.exit("Couldn't connect to Python server")


if __name__ == "__main__":
    if MODE == "exits":
        sys.exit(3)
    Game().play()
