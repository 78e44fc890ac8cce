// SPDX-License-Identifier: Apache-2.0
// One step of a recurrent operation. An invocation computes one unit of kSequences sequences.
layout(push_constant) uniform Push {
    uint sequences, size, steps, step;
    uint weight, bias;         // first floats of the recurrent weights [gates * size, size] and biases
    uint state_words, offset;  // words of a state row; first word of this operation
} p;

const uint kSequences = 4;

uint sequenceGroups() { return (p.sequences + kSequences - 1) / kSequences; }
