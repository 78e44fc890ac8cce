// SPDX-License-Identifier: Apache-2.0
// The window of convolutions and pooling over images [channels, height, width], with padding.
layout(push_constant) uniform Push {
    uint rows;
    uint channels, height, width;              // of x
    uint to_channels, to_height, to_width;     // of y
    uint kernel, stride, pad;
    uint weight, bias, activation;             // first floats of the parameters; number of the activation
    uint add;                                  // backward: 1 adds to dx
    uint part;                                 // gradients of weights: rows per part
} p;
