// SPDX-License-Identifier: Apache-2.0
#include "gpu/operations/shared/product.hpp"

#include <algorithm>

namespace seedbed::gpu {

namespace {

// Rows and columns of the result per invocation, as in product.comp.
constexpr std::uint32_t kTileRows = 4, kTileColumns = 8;
// Terms of a partial sum: short enough that many invocations share the work, and that rounding errors stay
// small.
constexpr std::uint32_t kTermsPerPart = 256;
// Floats of all parts of a sum.
constexpr std::uint64_t kMostPartFloats = std::uint64_t{1} << 23;

std::uint32_t ceilDivide(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

// `part`: elements of k per part.
void dispatchProduct(Pass& pass, const Product& q, std::uint32_t part) {
    struct Push {
        std::uint32_t m, n, k, a_begin, a_row, a_column, b_begin, b_row, b_column, c_row, c_part, part,
            bias_count, bias0, bias1, add, activation;
    };
    const std::uint64_t threads =
        std::uint64_t{ceilDivide(q.m, kTileRows)} * ceilDivide(q.n, kTileColumns) * ceilDivide(q.k, part);
    pass.dispatch(
        "product", {q.a.slice, q.b.slice, q.c, pass.blob},
        Push{q.m, q.n, q.k, q.a.begin, q.a.row, q.a.column, q.b.begin, q.b.row, q.b.column, q.n, q.m * q.n,
             part, q.bias_count, q.bias0, q.bias1, q.add, static_cast<std::uint32_t>(q.activation)},
        threads, static_cast<double>(q.m) * q.n * q.k);
}

}  // namespace

void product(Pass& pass, const Product& product) { dispatchProduct(pass, product, product.k); }

void project(Pass& pass, const PlanOp& op, const Slice& x, std::uint32_t in, const Slice& y,
             std::uint32_t out, int weight, int bias, int bias2, Activation activation) {
    product(pass, {.m = pass.rows,
                   .n = out,
                   .k = in,
                   .a = {x, 0, in, 1},
                   .b = {pass.blob, pass.weight(op, weight), 1, in},
                   .c = y,
                   .bias_count = bias2 < 0 ? 1u : 2u,
                   .bias0 = pass.weight(op, bias),
                   .bias1 = bias2 < 0 ? 0 : pass.weight(op, bias2),
                   .activation = activation});
}

void projectBackward(Pass& pass, const PlanOp& op, const Slice& d, const RowsAt& x, std::uint32_t in,
                     std::uint32_t out, int weight, int bias, const Slice& dx, std::uint32_t add) {
    if (pass.grades(op, weight)) {
        const std::uint32_t part = rowsPerPart(pass.rows, 1, std::uint64_t{in} * out);
        const std::uint32_t parts = ceilDivide(pass.rows, part);
        const Slice sums = pass.scratch(std::uint64_t{parts} * in * out);
        dispatchProduct(pass,
                        {.m = out,
                         .n = in,
                         .k = pass.rows,
                         .a = {d, 0, 1, out},
                         .b = {x.slice, x.begin, in, 1},
                         .c = sums},
                        part);
        partSums(pass, sums, parts, in * out, pass.weight(op, weight));
    }
    if (pass.grades(op, bias)) columnSums(pass, d, out, 1, pass.weight(op, bias));
    if (!dx) return;
    product(pass, {.m = pass.rows,
                   .n = in,
                   .k = out,
                   .a = {d, 0, out, 1},
                   .b = {pass.blob, pass.weight(op, weight), in, 1},
                   .c = dx,
                   .add = add});
}

std::uint32_t rowsPerPart(std::uint32_t rows, std::uint32_t inner, std::uint64_t count) {
    const std::uint64_t parts = std::clamp<std::uint64_t>(
        std::uint64_t{rows} * inner / kTermsPerPart, 1,
        std::max<std::uint64_t>(1, std::min<std::uint64_t>(rows, kMostPartFloats / count)));
    return ceilDivide(rows, static_cast<std::uint32_t>(parts));
}

void columnSums(Pass& pass, const Slice& x, std::uint32_t columns, std::uint32_t inner, std::uint32_t begin) {
    const std::uint32_t part = rowsPerPart(pass.rows, inner, columns), parts = ceilDivide(pass.rows, part);
    const Slice sums = pass.scratch(std::uint64_t{parts} * columns);
    struct Push {
        std::uint32_t rows, columns, inner, part;
    };
    pass.dispatch("column_sums", {x, sums}, Push{pass.rows, columns, inner, part},
                  std::uint64_t{parts} * columns, static_cast<double>(pass.rows) * columns * inner);
    partSums(pass, sums, parts, columns, begin);
}

void partSums(Pass& pass, const Slice& matrices, std::uint32_t parts, std::uint32_t count,
              std::uint32_t begin) {
    struct Push {
        std::uint32_t parts, count, begin;
    };
    pass.dispatch("part_sums", {matrices, pass.panel.lane}, Push{parts, count, begin}, count,
                  static_cast<double>(parts) * count);
}

void deactivate(Pass& pass, const PlanOp& op) {
    if (op.activation == Activation::none) return;
    struct Push {
        std::uint32_t count, activation, add;
    };
    const Slice dy = pass.gradient(op.output);
    pass.dispatch("activation_backward", {pass.value(op.output), dy, dy},
                  Push{pass.count(op.output), static_cast<std::uint32_t>(op.activation), 0},
                  pass.count(op.output));
}

}  // namespace seedbed::gpu
