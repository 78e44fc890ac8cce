# SPDX-License-Identifier: Apache-2.0
"""Prints the scalars in a folder of event files as JSON, read by TensorBoard: {tag: [[step, value], ...]}."""
import json
import sys

from tensorboard.backend.event_processing import event_accumulator
from tensorboard.util import tensor_util


def number(point):
    return [point.step, float(tensor_util.make_ndarray(point.tensor_proto))]


def main():
    everything = {event_accumulator.TENSORS: 0, event_accumulator.SCALARS: 0}
    events = event_accumulator.EventAccumulator(sys.argv[1], size_guidance=everything)
    events.Reload()
    tags = events.Tags()
    curves = {tag: [[p.step, p.value] for p in events.Scalars(tag)] for tag in tags["scalars"]}
    curves.update({tag: [number(p) for p in events.Tensors(tag)] for tag in tags["tensors"]})
    json.dump(curves, sys.stdout)


main()
