# SPDX-License-Identifier: Apache-2.0
"""A PPO loop in PyTorch in the style of CleanRL: storage tensors, GAE, 4 epochs of 4 shuffled minibatches,
clipped losses.

    torch_peer.py cartpole            8 EnvPool environments x 128 steps, two networks of 64 x 64 tanh
    torch_peer.py minatar-breakout    8 Gymnasium environments x 128 steps, 16 convolutions 3x3, 128 ReLU
"""
import sys

import numpy as np
import torch
from torch import nn

from common import SEED, Solved, serve

ENVS, LENGTH, EPOCHS, MINIBATCHES, RATE, GAMMA, LAMBDA = 8, 128, 4, 4, 2.5e-4, 0.99, 0.95
game = sys.argv[1]
cartpole = game == "cartpole"
CLIP = 0.2 if cartpole else 0.1
torch.set_num_threads(1 if cartpole else 2)  # more threads do not help small networks
torch.manual_seed(SEED)


def layer(module, gain=2**0.5):
    nn.init.orthogonal_(module.weight, gain)
    nn.init.constant_(module.bias, 0)
    return module


class TwoNetworks(nn.Module):
    def __init__(self, actions):
        super().__init__()
        def network(outputs, gain):
            return nn.Sequential(layer(nn.Linear(4, 64)), nn.Tanh(), layer(nn.Linear(64, 64)), nn.Tanh(),
                                 layer(nn.Linear(64, outputs), gain))
        self.policy, self.value = network(actions, 0.01), network(1, 1.0)

    def forward(self, x):
        return self.policy(x.float()), self.value(x.float()).squeeze(-1)


class Convolution(nn.Module):
    def __init__(self, actions, channels):
        super().__init__()
        self.trunk = nn.Sequential(layer(nn.Conv2d(channels, 16, 3)), nn.ReLU(), nn.Flatten(),
                                   layer(nn.Linear(1024, 128)), nn.ReLU())
        self.policy, self.value = layer(nn.Linear(128, actions), 0.01), layer(nn.Linear(128, 1), 1.0)

    def forward(self, x):
        features = self.trunk(x.float().permute(0, 3, 1, 2))
        return self.policy(features), self.value(features).squeeze(-1)


if cartpole:
    import envpool
    env = envpool.make_gymnasium("CartPole-v1", num_envs=ENVS, num_threads=2, seed=SEED)
    shape, actions = env.observation_space.shape, int(env.action_space.n)
    net = TwoNetworks(actions)
    observation, _ = env.reset()
else:
    import gymnasium
    import minatar.gym
    if not any(name.startswith("MinAtar/") for name in gymnasium.registry):
        minatar.gym.register_envs()
    name = "".join(word.capitalize() for word in game.removeprefix("minatar-").split("_"))
    env = gymnasium.vector.SyncVectorEnv([lambda: gymnasium.make(f"MinAtar/{name}-v1")] * ENVS)
    shape, actions = env.single_observation_space.shape, int(env.single_action_space.n)
    net = Convolution(actions, shape[-1])
    observation, _ = env.reset(seed=SEED)
optimiser = torch.optim.Adam(net.parameters(), RATE, eps=1e-5)

O = torch.zeros((LENGTH, ENVS) + tuple(shape))
A = torch.zeros(LENGTH, ENVS, dtype=torch.long)
P, R, D, V, REAL = (torch.zeros(LENGTH, ENVS) for _ in range(5))
returns, done_before, done = np.zeros(ENVS), np.zeros(ENVS, bool), torch.zeros(ENVS)
track = Solved()


def step():
    global observation, done, done_before, returns
    steps = 0
    for t in range(LENGTH):
        O[t], D[t] = torch.as_tensor(np.asarray(observation)).float(), done
        with torch.no_grad():
            logits, V[t] = net(O[t])
            distribution = torch.distributions.Categorical(logits=logits)
            A[t] = distribution.sample()
            P[t] = distribution.log_prob(A[t])
        # The row after the end of an episode is only a reset: it is not counted as a step and not learned
        # from.
        REAL[t] = torch.as_tensor(~done_before).float()
        steps += ENVS - int(done_before.sum())
        action = A[t].numpy().astype(np.int32) if cartpole else A[t].numpy()
        observation, reward, terminated, truncated, _ = env.step(action)
        ended = np.asarray(terminated) | np.asarray(truncated)
        R[t], done = torch.as_tensor(np.asarray(reward, np.float32)), torch.as_tensor(ended).float()
        returns += np.where(done_before, 0, reward)
        for i in np.nonzero(ended)[0]:
            track.add(returns[i])
            returns[i] = 0
        done_before = ended.copy()
    with torch.no_grad():
        last, advantage, sum_ = net(torch.as_tensor(np.asarray(observation)).float())[1], torch.zeros(
            LENGTH, ENVS), 0
        for t in reversed(range(LENGTH)):
            going = 1 - (done if t == LENGTH - 1 else D[t + 1])
            following = last if t == LENGTH - 1 else V[t + 1]
            sum_ = R[t] + GAMMA * following * going - V[t] + GAMMA * LAMBDA * going * sum_
            advantage[t] = sum_
    flat = [x.reshape(LENGTH * ENVS, *x.shape[2:]) for x in (O, A, P, advantage, advantage + V, V)]
    rows = torch.nonzero(REAL.view(-1) > 0).view(-1)
    for _ in range(EPOCHS):
        for batch in rows[torch.randperm(len(rows))].chunk(MINIBATCHES):
            o, a, p, adv, target, old = (x[batch] for x in flat)
            logits, value = net(o)
            distribution = torch.distributions.Categorical(logits=logits)
            ratio = (distribution.log_prob(a) - p).exp()
            adv = (adv - adv.mean()) / (adv.std() + 1e-8)
            policy_loss = torch.max(-adv * ratio, -adv * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
            clipped = old + (value - old).clamp(-CLIP, CLIP)
            value_loss = 0.5 * torch.max((value - target) ** 2, (clipped - target) ** 2).mean()
            optimiser.zero_grad()
            (policy_loss - 0.01 * distribution.entropy().mean() + 0.5 * value_loss).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimiser.step()
    return steps


serve(step, lambda: track.mean, f"torch {torch.__version__}")
