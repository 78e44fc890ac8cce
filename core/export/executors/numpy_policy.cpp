// SPDX-License-Identifier: Apache-2.0
#include "core/export/executors/numpy_policy.hpp"

namespace seedbed {

const char* const kNumpyPolicy = R"py(# SPDX-License-Identifier: Apache-2.0
"""Runs the policy of this folder with numpy and safetensors: Policy(folder).act(observation).

The network is the list of operations in spec.json, the numbers are model.safetensors. Written by Seedbed; change it as you like.
"""
import json
import pathlib

import numpy as np
from safetensors.numpy import load_file

ACTIVATIONS = {
    "none": lambda x: x,
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0),
    "elu": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
}


def sigmoid(x):
    return 0.5 * (1 + np.tanh(0.5 * x))


def one_hot(x, choices):
    return (x[..., None] == np.arange(choices)).reshape(len(x), -1).astype(np.float64)


def windows(x, op, fill):
    """[batch, channels, height, width] -> [batch, channels, out height, out width, kernel, kernel]"""
    p = op["pad"]
    x = np.pad(x, ((0, 0), (0, 0), (p, p), (p, p)), constant_values=fill)
    view = np.lib.stride_tricks.sliding_window_view(x, (op["kernel"], op["kernel"]), axis=(2, 3))
    return view[:, :, :: op["stride"], :: op["stride"]]


class Policy:
    def __init__(self, folder="."):
        folder = pathlib.Path(folder)
        self.spec = json.loads((folder / "spec.json").read_text())
        net = self.spec["network"]
        tensors = load_file(folder / "model.safetensors")
        self.tensors = {name: tensors[net["tensor_prefix"] + name].astype(np.float64) for name in net["tensors"]}
        self.reset()

    def reset(self):
        """At the start of every episode."""
        words = self.spec["inputs"]["state_words"]
        self.state = np.zeros((1, words)) if words else None
        self.feedback = self.start_action(1)

    def act(self, observation, mask=None, previous_reward=0.0):
        """The most probable action for one observation (an array, or a list of arrays when there are several), as a flat array; self.result
        also holds the distribution's parameters and the value estimate."""
        leaves = self.spec["inputs"]["observations"]
        obs = observation if len(leaves) > 1 else [observation]
        rest = {"mask": None if mask is None else np.asarray(mask).reshape(1, -1), "previous_reward": np.array([[previous_reward]])}
        self.result = result = self.run([np.asarray(o).reshape(1, -1) for o in obs], state=self.state, previous_action=self.feedback, **rest)
        self.state, self.feedback = result["state"], result["feedback"]
        return result["action"][0]

    def start_action(self, rows):
        words = []
        for leaf in self.spec["spaces"]["actions"]:
            words += [-1.0] if leaf["kind"] == "discrete" else [0.0] * len(leaf["low"])
        return np.tile(np.array(words), (rows, 1))

    def run(self, obs, mask=None, previous_action=None, previous_reward=None, state=None):
        """Arrays [rows, n] in and out: policy, value, action, state, feedback (what to give as previous_action next)."""
        self.rows = len(obs[0])
        if state is not None and state.shape[1]:
            state = np.asarray(state, np.float64)
            state_out = state.copy()
        else:
            state_out = None
        values = {}
        for op in self.spec["network"]["operations"]:
            x = [values[i] for i in op["inputs"]]
            values[op["output"]] = self.step(op, x, obs, previous_action, previous_reward, state, state_out)
        net = self.spec["network"]
        policy = values[net["policy_value"]].copy()
        value = values[net["critic_value"]] if net["critic_value"] >= 0 else np.zeros((self.rows, 0))
        action, feedback = self.choose(policy, mask)
        return {"policy": policy, "value": value, "action": action, "state": state_out, "feedback": feedback}

    def step(self, op, x, obs, previous_action, previous_reward, state, state_out):
        kind, spaces = op["op"], self.spec["spaces"]
        w = [self.tensors[name] for name in op.get("params", [])]
        shape = [self.rows] + [n for n in self.spec["network"]["values"][op["output"]]]
        act = ACTIVATIONS[op.get("activation", "none")]
        flat = [v.reshape(self.rows, -1) for v in x]
        if kind == "input":
            leaf, raw = spaces["obs"][op["leaf"]], np.asarray(obs[op["leaf"]], np.float64).reshape(self.rows, -1)
            if leaf["kind"] == "discrete":
                return one_hot(raw, leaf["cardinality"])
            return (raw / leaf["high"] if leaf["kind"] == "image" else raw).reshape(shape)
        if kind == "normalise":
            return np.clip((flat[0] - w[0]) / np.sqrt(w[1] + 1e-8), -op["clip"], op["clip"])
        if kind == "previous_action":
            parts, at = [], 0
            for leaf in spaces["actions"]:
                words = 1 if leaf["kind"] == "discrete" else len(leaf["low"])
                column = np.asarray(previous_action)[:, at : at + words]
                parts.append(one_hot(column, leaf["n"]) if leaf["kind"] == "discrete" else column)
                at += words
            return np.concatenate(parts, 1)
        if kind == "previous_reward":
            reward, view = np.asarray(previous_reward, np.float64).reshape(self.rows, 1), self.spec["reward"]
            return (np.clip(reward, -view["clip"], view["clip"]) if view["clip"] > 0 else reward) * view["scale"]
        if kind == "linear":
            return act(flat[0] @ w[0].T + w[1])
        if kind == "conv2d":
            y = np.einsum("bcyxij,ocij->boyx", windows(x[0].reshape(x[0].shape[0], w[0].shape[1], *self.plane(op)), op, 0), w[0], optimize=True)
            return act(y + w[1][:, None, None])
        if kind == "max_pool":
            return windows(x[0], op, -np.inf).max((4, 5))
        if kind == "layer_norm":
            mean, var = flat[0].mean(1, keepdims=True), flat[0].var(1, keepdims=True)
            return act((flat[0] - mean) / np.sqrt(var + 1e-5) * w[0] + w[1]).reshape(x[0].shape)
        if kind == "activation":
            return act(x[0])
        if kind == "add":
            return (flat[0] + flat[1]).reshape(x[0].shape)
        if kind == "concat":
            return np.concatenate(flat, 1)
        if kind in ("lstm", "gru"):
            return self.recurrent(op, flat[0], w, state, state_out)
        if kind == "parameter_rows":
            return np.tile(w[0], (self.rows, 1))
        if kind == "dueling":
            a = flat[1].reshape(self.rows, -1, flat[0].shape[1])
            return (flat[0][:, None] + a - a.mean(1, keepdims=True)).reshape(flat[1].shape)
        if kind == "group_mean":
            return flat[0].reshape(self.rows, self.spec["network"]["values"][op["output"]][0], -1).mean(2)
        if kind == "rescale":
            return flat[0] * w[1] + w[0]
        raise ValueError("this program does not know the operation " + kind)

    def plane(self, op):
        return self.spec["network"]["values"][op["inputs"][0]][1:]

    def recurrent(self, op, x, w, state, state_out):
        n, at = w[1].shape[1], op["state_offset"]
        h = state[:, at : at + n]
        from_x, from_h = x @ w[0].T + w[2], h @ w[1].T + w[3]
        if op["op"] == "lstm":
            i, f, g, o = np.split(from_x + from_h, 4, 1)
            c = sigmoid(f) * state[:, at + n : at + 2 * n] + sigmoid(i) * np.tanh(g)
            h = sigmoid(o) * np.tanh(c)
            state_out[:, at + n : at + 2 * n] = c
        else:
            (xr, xz, xn), (hr, hz, hn) = np.split(from_x, 3, 1), np.split(from_h, 3, 1)
            r, z = sigmoid(xr + hr), sigmoid(xz + hz)
            h = (1 - z) * np.tanh(xn + r * hn) + z * h
        state_out[:, at : at + n] = h
        return h

    def choose(self, policy, mask):
        """The most probable action; writes the value of forbidden choices into `policy`."""
        actions, feedback, at, mask_at = [], [], 0, 0
        for leaf in self.spec["spaces"]["actions"]:
            if leaf["kind"] == "discrete":
                logits = policy[:, at : at + leaf["n"]]
                if mask is not None and self.spec["inputs"]["mask_words"]:
                    allowed = np.asarray(mask)[:, mask_at : mask_at + leaf["n"]] > 0
                    allowed |= ~allowed.any(1, keepdims=True)
                    logits[~allowed] = self.spec["outputs"]["forbidden_logit"]
                    mask_at += leaf["n"]
                best = logits.argmax(1)[:, None].astype(np.float64)
                actions.append(best)
                feedback.append(best)
                at += leaf["n"]
                continue
            low = np.array([-np.inf if b is None else b for b in map(bound, leaf["low"])])
            high = np.array([np.inf if b is None else b for b in map(bound, leaf["high"])])
            x = policy[:, at : at + len(low)]
            if self.spec["squash"] or leaf.get("scaled"):
                bounded = (np.abs(low) <= 1e30) & (np.abs(high) <= 1e30)
                half = np.where(bounded & (low < high), (np.where(bounded, high, 1) - np.where(bounded, low, 0)) / 2, 1)
                centre = np.where(bounded, (np.where(bounded, low, 0) + np.where(bounded, high, 0)) / 2, 0)
                x = centre + half * (np.tanh(x) if self.spec["squash"] else x)
            feedback.append(x)
            actions.append(np.clip(x, low, high))
            at += 2 * len(low)
        return np.concatenate(actions, 1), np.concatenate(feedback, 1)


def bound(value):
    """Infinite bounds are written as null or as text, because JSON has no number for them."""
    return value if isinstance(value, (int, float)) else None
)py";

}  // namespace seedbed
