// SPDX-License-Identifier: Apache-2.0
// Kernels in which each group of invocations processes one block of the parameter blob (gpu/blocks.hpp).
#include "common.glsl"

// Per block: its first float, the number of floats, its range, unused.
layout(binding = 0) readonly buffer Blocks { uvec4 blocks[]; };

uint groupIndex() { return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x; }
