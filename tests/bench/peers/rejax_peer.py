# SPDX-License-Identifier: Apache-2.0
"""Jitted PPO in JAX (rejax on gymnax), on both cores. Chunks of updates are compiled; compilation is
excluded from rates but included in the time to solve.

    rejax_peer.py cartpole-8env | cartpole-64env | cartpole-512env
    rejax_peer.py minatar-breakout-mlp | minatar-space_invaders-mlp
"""
import sys

import jax
import rejax

from common import SEED, UNTIL_SOLVED, serve, until_solved

# environments, steps, minibatches, learning rate, updates per compiled chunk
CARTPOLE = {
    "cartpole-8env": (8, 128, 4, 1e-3, 20), "cartpole-64env": (64, 32, 4, 2e-3, 20),
    "cartpole-512env": (512, 32, 4, 3e-3, 8)
}
MINATAR = {"minatar-breakout-mlp": "Breakout-MinAtar", "minatar-space_invaders-mlp": "SpaceInvaders-MinAtar"}

task = sys.argv[1]
if task in CARTPOLE:
    envs, length, minibatches, rate, chunk = CARTPOLE[task]
    env = "CartPole-v1"
else:
    envs, length, minibatches, rate, chunk = 64, 128, 8, 5e-4, 2
    env = MINATAR[task]
algorithm = rejax.PPO.create(env=env,
                             num_envs=envs,
                             num_steps=length,
                             num_minibatches=minibatches,
                             num_epochs=4,
                             learning_rate=rate,
                             gamma=0.99,
                             gae_lambda=0.95,
                             clip_eps=0.2,
                             ent_coef=0.01,
                             vf_coef=0.5,
                             max_grad_norm=0.5,
                             total_timesteps=100_000_000,
                             agent_kwargs={"activation": "tanh"})
train = jax.jit(lambda state: jax.lax.fori_loop(0, chunk, lambda _, s: algorithm.train_iteration(s), state))
evaluate = jax.jit(lambda state, key: algorithm.eval_callback(algorithm, state, key)[1].mean())
state = jax.jit(algorithm.init_state)(jax.random.PRNGKey(SEED))
train = train.lower(state).compile()
if UNTIL_SOLVED:
    evaluate = evaluate.lower(state, jax.random.PRNGKey(0)).compile()



def step():
    global state
    state = train(state)
    jax.block_until_ready(state.actor_ts.step)
    return envs * length * chunk


def score():  # the sampling policy over 128 episodes, as rejax evaluates
    return float(evaluate(state, jax.random.PRNGKey(1)))


if UNTIL_SOLVED:
    until_solved(step, score, 475)
else:
    serve(step, version=f"rejax 0.1.3, jax {jax.__version__}")
