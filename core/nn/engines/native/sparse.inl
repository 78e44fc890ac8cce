// SPDX-License-Identifier: Apache-2.0
// Products with rows of few ones: sums of the weights' rows that belong to them. Included by kernels.inl in its namespace.

template <int kVectors>
SEEDBED_INLINE void sparsePanel(const SparseRows& s, int j, int last) {
    const float* b = s.b + static_cast<std::ptrdiff_t>(j) * s.k;
    constexpr std::ptrdiff_t kWidth = kVectors * kLanes;
    for (int row = 0; row < s.rows; ++row) {
        V sum[kVectors];
        for (int v = 0; v < kVectors; ++v) sum[v] = loadAny(s.bias + j + v * kLanes, v + 1 == kVectors ? last : kLanes);
        for (std::int32_t i = s.begin[row]; i < s.begin[row + 1]; ++i) {
            const float* weight = b + s.index[i] * kWidth;
            for (int v = 0; v < kVectors; ++v) sum[v] += load(weight + v * kLanes);
        }
        float* c = s.c + row * s.c_row + j;
        for (int v = 0; v < kVectors; ++v) storeAny(c + v * kLanes, activated(s.activation, sum[v]), v + 1 == kVectors ? last : kLanes);
    }
}

void sparseForward(const SparseRows& s) {
    for (int j = 0; j < s.n; j += kPanel) {
        const int columns = s.n - j < kPanel ? s.n - j : kPanel, vectors = (columns + kLanes - 1) / kLanes;
        const int last = columns - (vectors - 1) * kLanes;
        switch (vectors) {
            case 1: sparsePanel<1>(s, j, last); break;
            case 2: sparsePanel<2>(s, j, last); break;
#if defined(SEEDBED_NATIVE_AVX512)
            case 3: sparsePanel<3>(s, j, last); break;
            default: sparsePanel<4>(s, j, last); break;
#else
            default: break;
#endif
        }
    }
}

void sparseBackward(const SparseRows& s) {
    for (int row = 0; row < s.rows; ++row) {
        const float* dy = s.dy + row * s.dy_row;
        for (std::int32_t i = s.begin[row]; i < s.begin[row + 1]; ++i) {
            float* to = s.d + static_cast<std::ptrdiff_t>(s.index[i]) * s.n;
            overFloats(s.n, [&](std::ptrdiff_t j, int part) { storeAny(to + j, loadAny(to + j, part) + loadAny(dy + j, part), part); });
        }
    }
}
