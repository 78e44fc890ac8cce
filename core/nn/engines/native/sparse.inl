// SPDX-License-Identifier: Apache-2.0
// Products with rows that contain few ones: sums of the corresponding weight rows. Included by kernels.inl in
// its namespace.

template <int kVectors>
SEEDBED_INLINE void sparsePanel(const SparseRows& s, int j, int last) {
    const float* b = s.b + static_cast<std::ptrdiff_t>(j) * s.k;
    constexpr std::ptrdiff_t kWidth = kVectors * kLanes;
    for (int row = 0; row < s.rows; ++row) {
        V sum[kVectors];
        for (int v = 0; v < kVectors; ++v)
            sum[v] = loadAny(s.bias + j + v * kLanes, v + 1 == kVectors ? last : kLanes);
        for (std::int32_t i = s.begin[row]; i < s.begin[row + 1]; ++i) {
            const float* weight = b + s.index[i] * kWidth;
            for (int v = 0; v < kVectors; ++v) sum[v] += load(weight + v * kLanes);
        }
        float* c = s.c + row * s.c_row + j;
        for (int v = 0; v < kVectors; ++v)
            storeAny(c + v * kLanes, activated(s.activation, sum[v]), v + 1 == kVectors ? last : kLanes);
    }
}

template <int kVectors>
SEEDBED_INLINE void sparsePanelBack(const SparseRows& s, int j, int last) {
    for (int row = 0; row < s.rows; ++row) {
        const float* dy = s.dy + row * s.dy_row + j;
        V add[kVectors];
        for (int v = 0; v < kVectors; ++v)
            add[v] = loadAny(dy + v * kLanes, v + 1 == kVectors ? last : kLanes);
        for (std::int32_t i = s.begin[row]; i < s.begin[row + 1]; ++i) {
            float* to = s.d + static_cast<std::ptrdiff_t>(s.index[i]) * s.n + j;
            for (int v = 0; v < kVectors; ++v) {
                const int part = v + 1 == kVectors ? last : kLanes;
                storeAny(to + v * kLanes, loadAny(to + v * kLanes, part) + add[v], part);
            }
        }
    }
}

// Calls panel(number of vectors as a constant, first column, number of floats in the last vector) for each
// panel of `n` columns.
template <class Panel>
SEEDBED_INLINE void overPanels(int n, const Panel& panel) {
    for (int j = 0; j < n; j += kPanel) {
        const int columns = n - j < kPanel ? n - j : kPanel, vectors = (columns + kLanes - 1) / kLanes;
        const int last = columns - (vectors - 1) * kLanes;
        switch (vectors) {
            case 1: panel(std::integral_constant<int, 1>{}, j, last); break;
            case 2: panel(std::integral_constant<int, 2>{}, j, last); break;
#if defined(SEEDBED_NATIVE_AVX512)
            case 3: panel(std::integral_constant<int, 3>{}, j, last); break;
            default: panel(std::integral_constant<int, 4>{}, j, last); break;
#else
            default: break;
#endif
        }
    }
}

void sparseForward(const SparseRows& s) {
    overPanels(s.n, [&](auto vectors, int j, int last) {
        if (last == kLanes) sparsePanel<decltype(vectors)::value>(s, j, kLanes);
        else sparsePanel<decltype(vectors)::value>(s, j, last);
    });
}

void sparseBackward(const SparseRows& s) {
    overPanels(s.n, [&](auto vectors, int j, int last) {
        if (last == kLanes) sparsePanelBack<decltype(vectors)::value>(s, j, kLanes);
        else sparsePanelBack<decltype(vectors)::value>(s, j, last);
    });
}
