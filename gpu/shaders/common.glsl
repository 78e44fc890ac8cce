// SPDX-License-Identifier: Apache-2.0
// Included by every kernel: its number of invocations per group, and the number of an invocation.
layout(local_size_x = 64) in;

uint threadIndex() {
    return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x +
           gl_LocalInvocationID.x;
}
