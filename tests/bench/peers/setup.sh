#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Creates the Python environments of the peers under $PEERS (default ~/peers), from PyPI by name and version.
# Needs Python 3.11.
#   setup.sh torch | jax | puffer | ray | all
set -eu
export PEERS=${PEERS:-$HOME/peers}
python=${PYTHON:-python3.11}
mkdir -p "$PEERS"
cd "$PEERS"
case ${1:?torch, jax, puffer, ray or all} in
  torch) # Stable-Baselines3, the CleanRL-style loop, EnvPool, onnxruntime
    "$python" -m venv torch
    torch/bin/pip install torch==2.15.0 stable-baselines3==2.9.2 envpool==1.2.5 minatar==1.0.15 \
      gymnasium==1.4.0 onnxruntime==1.31.1 onnx ;;
  jax) # rejax 0.1.3 does not work with gymnax 1.0: its step() returns six values
    "$python" -m venv jax
    jax/bin/pip install rejax==0.1.3 gymnax==0.0.9 'jax[cpu]==0.10.2' ;;
  puffer) # source package only; empty folders stop its setup.py from downloading files that it includes
    "$python" -m venv puffer
    puffer/bin/pip install wheel cython ninja 'setuptools<80' 'numpy<2' torch==2.15.0 gym==0.23 \
      gymnasium==0.29.1 pettingzoo==1.24.1 'shimmy[gym-v21]' \
      psutil nvidia-ml-py pynvml rich rich_argparse imageio pyro-ppl heavyball neptune wandb
    rm -rf puffer-source puffer-unpack
    mkdir -p puffer-unpack
    TMPDIR=$PWD/puffer-unpack puffer/bin/pip wheel --no-clean --no-deps --no-build-isolation \
      pufferlib==3.0.0 -w puffer-unpack >/dev/null 2>&1 || true
    mv "$(dirname "$(find puffer-unpack -maxdepth 3 -name setup.py | head -1)")" puffer-source
    cd puffer-source
    mkdir -p raylib-5.5_webassembly box2d-web box2d-linux-amd64
    for folder in pufferlib/ocean/*/; do # only the environment that is compared
      [ "$(basename "$folder")" = cartpole ] || rm -f "$folder/binding.c"
    done
    env -u CUDA_HOME -u CUDA_PATH PATH="$PEERS/puffer/bin:/usr/bin:/bin" CUDA_HOME= MAX_JOBS=2 \
      "$PEERS/puffer/bin/pip" install --no-deps --no-build-isolation . ;;
  ray) # RLlib; 6 GB
    "$python" -m venv ray
    ray/bin/pip install 'ray[rllib]==2.60.0' torch==2.15.0 gymnasium==1.2.2 ;;
  all) for peer in torch jax puffer ray; do "$0" $peer; done ;;
  *) echo "unknown peer $1" >&2; exit 2 ;;
esac
