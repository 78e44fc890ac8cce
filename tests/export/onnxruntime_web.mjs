// SPDX-License-Identifier: Apache-2.0
// Stands in for onnxruntime-web, which neither Debian nor PyPI has: tensors are checked here, and sessions run
// in the onnxruntime of the Python in $SEEDBED_PYTHON. It shows that the code calls the interface with the
// names, types and shapes of the model; it does not test the web runtime itself.
import { execFileSync } from "node:child_process";

const PROGRAM = `
import json, sys
import numpy
import onnxruntime
path, feeds = json.load(sys.stdin)
session = onnxruntime.InferenceSession(path)
inputs = {name: numpy.asarray(data, "float32").reshape(dims) for name, (data, dims) in feeds.items()}
outputs = session.run(None, inputs)
names = [output.name for output in session.get_outputs()]
print(json.dumps({name: [value.ravel().tolist(), value.shape] for name, value in zip(names, outputs)}))
`;

class Tensor {
  constructor(type, data, dims) {
    if (type !== "float32" || !(data instanceof Float32Array)) throw new TypeError(`${type} with this data`);
    const count = dims.reduce((product, size) => product * size, 1);
    if (count !== data.length) throw new RangeError(`${data.length} numbers for the shape ${dims}`);
    Object.assign(this, { type, data, dims });
  }
}

class InferenceSession {
  static async create(path) {
    return Object.assign(new InferenceSession(), { path });
  }
  async run(feeds) {
    const values = Object.entries(feeds).map(([name, tensor]) => [name, [[...tensor.data], tensor.dims]]);
    const input = JSON.stringify([this.path, Object.fromEntries(values)]);
    const outputs = JSON.parse(execFileSync(process.env.SEEDBED_PYTHON, ["-c", PROGRAM], { input }));
    const tensors = Object.entries(outputs).map(([name, [data, dims]]) => {
      return [name, new Tensor("float32", new Float32Array(data), dims)];
    });
    return Object.fromEntries(tensors);
  }
}

globalThis.ort = { Tensor, InferenceSession };
