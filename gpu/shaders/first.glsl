// SPDX-License-Identifier: Apache-2.0
// Flags of the rows at which episodes begin, for kernels that declare the buffer `first`.

// Whether an episode begins at a row: byte `row` of first.
bool isFirst(uint row) { return (first[row >> 2] >> (8 * (row & 3)) & 255) != 0; }
