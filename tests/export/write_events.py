# SPDX-License-Identifier: Apache-2.0
"""Writes event files with TensorBoard's own writer: one point per episode as CleanRL does, and a tensor as
TensorFlow 2 does.

usage: write_events.py FOLDER
"""
import sys

import numpy
from tensorboard.compat.proto import event_pb2, summary_pb2
from tensorboard.summary.writer.event_file_writer import EventFileWriter
from tensorboard.util import tensor_util

writer = EventFileWriter(sys.argv[1])
for i in range(200):
    values = [
        summary_pb2.Summary.Value(tag="charts/episodic_return", simple_value=float(i)),
        summary_pb2.Summary.Value(tag="charts/episodic_length", simple_value=10.0 + i),
        summary_pb2.Summary.Value(tag="losses/entropy",
                                  tensor=tensor_util.make_tensor_proto(numpy.float64(0.25 * i))),
    ]
    summary = summary_pb2.Summary(value=values)
    writer.add_event(event_pb2.Event(wall_time=1.7e9 + i, step=100 * (i + 1), summary=summary))
writer.close()
