# SPDX-License-Identifier: Apache-2.0
"""Forward passes and optimiser steps of fixed networks: microseconds of one call, median.

    infer_peer.py onnxruntime|torch|torch-channels-last forward|train mlp64|nature BATCH THREADS
"""
import io
import sys
import time
import warnings

warnings.filterwarnings("ignore")

import torch  # noqa: E402
from torch import nn  # noqa: E402

from common import BEGAN, say  # noqa: E402

library, work, name, batch, threads = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(
    sys.argv[5])
torch.set_num_threads(threads)
if name == "mlp64":
    net, shape = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64,
                                                                                                    3)), (4, )
else:
    net = nn.Sequential(nn.Conv2d(4, 32, 8, 4), nn.ReLU(), nn.Conv2d(32, 64, 4, 2), nn.ReLU(),
                        nn.Conv2d(64, 64, 3), nn.ReLU(), nn.Flatten(), nn.Linear(3136, 512), nn.ReLU(),
                        nn.Linear(512, 7))
    shape = (4, 84, 84)
x = torch.randn(batch, *shape)
version = f"torch {torch.__version__}"
if library == "torch-channels-last":
    net, x = net.to(memory_format=torch.channels_last), x.to(memory_format=torch.channels_last)
optimiser = torch.optim.Adam(net.parameters(), 1e-3)


def forward():
    with torch.inference_mode():
        net(x)


def train():
    optimiser.zero_grad()
    net(x).pow(2).mean().backward()
    optimiser.step()


call = train if work == "train" else forward
if library == "onnxruntime":
    import onnxruntime
    file = io.BytesIO()
    torch.onnx.export(net.eval(),
                      torch.zeros(2, *shape),
                      file,
                      input_names=["x"],
                      output_names=["y"],
                      dynamic_axes={"x": {0: "b"}, "y": {0: "b"}},
                      dynamo=False)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = onnxruntime.InferenceSession(file.getvalue(), options, providers=["CPUExecutionProvider"])
    values, version = x.numpy(), f"onnxruntime {onnxruntime.__version__}"
    call = lambda: session.run(None, {"x": values})  # noqa: E731

for _ in range(5):
    call()
say(ready=time.time() - BEGAN, version=version)
for line in sys.stdin:
    times, begin = [], time.time()
    while time.time() - begin < float(line) or len(times) < 5:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    times.sort()
    median = times[len(times) // 2]
    say(median_us=median * 1e6, sps=batch / median)
