// SPDX-License-Identifier: Apache-2.0
// The element-wise computations of recurrent cells between the matrix products, one vector of units at a
// time. Included by kernels.inl in its namespace.

void lstmForward(const LstmRows& r) {
    for (std::ptrdiff_t row = 0; row < r.rows; ++row) {
        float* gates = r.gates + row * 4 * r.size;
        overFloats(r.size, [&](std::ptrdiff_t k, int part) {
            const std::ptrdiff_t at = row * r.size + k;
            const V i = sigmoidOf(loadAny(gates + k, part));
            const V f = sigmoidOf(loadAny(gates + r.size + k, part));
            const V g = tanhOf(loadAny(gates + 2 * r.size + k, part));
            const V o = sigmoidOf(loadAny(gates + 3 * r.size + k, part));
            const V cell = fma(i, g, f * loadAny(r.before + at, part));
            const V tanh_cell = tanhOf(cell);
            storeAny(gates + k, i, part);
            storeAny(gates + r.size + k, f, part);
            storeAny(gates + 2 * r.size + k, g, part);
            storeAny(gates + 3 * r.size + k, o, part);
            storeAny(r.cell + at, cell, part);
            storeAny(r.tanh_cell + at, tanh_cell, part);
            storeAny(r.y + at, o * tanh_cell, part);
        });
    }
}

void lstmBackward(const LstmRows& r) {
    const V one = all(1.0f);
    for (std::ptrdiff_t row = 0; row < r.rows; ++row) {
        const float* gates = r.gates + row * 4 * r.size;
        float* d = r.d_gates + row * 4 * r.size;
        overFloats(r.size, [&](std::ptrdiff_t k, int part) {
            const std::ptrdiff_t at = row * r.size + k;
            const V i = loadAny(gates + k, part), f = loadAny(gates + r.size + k, part);
            const V g = loadAny(gates + 2 * r.size + k, part), o = loadAny(gates + 3 * r.size + k, part);
            const V h = loadAny(r.dy + at, part) + loadAny(r.dh + at, part),
                    tanh_cell = loadAny(r.tanh_cell + at, part);
            const V c = loadAny(r.dc + at, part) + h * o * (one - tanh_cell * tanh_cell);
            storeAny(d + k, c * g * i * (one - i), part);
            storeAny(d + r.size + k, c * loadAny(r.before + at, part) * f * (one - f), part);
            storeAny(d + 2 * r.size + k, c * i * (one - g * g), part);
            storeAny(d + 3 * r.size + k, h * tanh_cell * o * (one - o), part);
            storeAny(r.dc + at, c * f, part);
        });
    }
}

void gruForward(const GruRows& g) {
    const V one = all(1.0f);
    for (std::ptrdiff_t row = 0; row < g.rows; ++row) {
        float* gates = g.gates + row * 3 * g.size;
        const float* recurrent = g.recurrent + row * 3 * g.size;
        overFloats(g.size, [&](std::ptrdiff_t k, int part) {
            const std::ptrdiff_t at = row * g.size + k;
            const V r = sigmoidOf(loadAny(gates + k, part) + loadAny(recurrent + k, part));
            const V z = sigmoidOf(loadAny(gates + g.size + k, part) + loadAny(recurrent + g.size + k, part));
            const V candidate = loadAny(recurrent + 2 * g.size + k, part);
            const V n = tanhOf(fma(r, candidate, loadAny(gates + 2 * g.size + k, part)));
            storeAny(gates + k, r, part);
            storeAny(gates + g.size + k, z, part);
            storeAny(gates + 2 * g.size + k, n, part);
            storeAny(g.candidate + at, candidate, part);
            storeAny(g.y + at, fma(z, loadAny(g.before + at, part), (one - z) * n), part);
        });
    }
}

void gruBackward(const GruRows& g) {
    const V one = all(1.0f);
    for (std::ptrdiff_t row = 0; row < g.rows; ++row) {
        const float* gates = g.gates + row * 3 * g.size;
        float *di = g.d_input + row * 3 * g.size, *dr = g.d_recurrent + row * 3 * g.size;
        overFloats(g.size, [&](std::ptrdiff_t k, int part) {
            const std::ptrdiff_t at = row * g.size + k;
            const V r = loadAny(gates + k, part), z = loadAny(gates + g.size + k, part),
                    n = loadAny(gates + 2 * g.size + k, part);
            const V h = loadAny(g.dy + at, part) + loadAny(g.dh + at, part);
            const V d_candidate = h * (one - z) * (one - n * n);
            const V d_reset = d_candidate * loadAny(g.candidate + at, part) * r * (one - r);
            const V d_update = h * (loadAny(g.before + at, part) - n) * z * (one - z);
            storeAny(di + k, d_reset, part);
            storeAny(dr + k, d_reset, part);
            storeAny(di + g.size + k, d_update, part);
            storeAny(dr + g.size + k, d_update, part);
            storeAny(di + 2 * g.size + k, d_candidate, part);
            storeAny(dr + 2 * g.size + k, d_candidate * r, part);
            storeAny(g.dh + at, h * z, part);
        });
    }
}
