// SPDX-License-Identifier: Apache-2.0
// The matrix product whose left operand consists of windows of an image: convolution without copying patches.
// Included by kernels.inl in its namespace.

// kRows rows in groups of kGroup, `row_step` apart inside a group; kVectors vectors of columns.
template <int kRows, int kGroup, int kVectors>
SEEDBED_INLINE void windowTile(const WindowProduct& p, int i, int j, int last, const float* b_panel,
                               std::ptrdiff_t b_row) {
    constexpr int kGroups = kRows / kGroup;
    V sum[kRows][kVectors];
    float* c = p.c + i * p.c_row + j;
    for (int v = 0; v < kVectors; ++v) {
        const int part = v + 1 == kVectors ? last : kLanes;
        const V bias = p.bias != nullptr ? loadAny(p.bias + j + v * kLanes, part) : V{};
        for (int r = 0; r < kRows; ++r)
            sum[r][v] = p.add ? loadAny(c + r * p.c_row + v * kLanes, part) : bias;
    }
    const float* b = b_panel;
    const std::ptrdiff_t step = p.row_step, k_step = p.k_step;
    const auto segment = [&](int s, int part) [[gnu::always_inline]] {
        const float* a[kGroups];
        for (int g = 0; g < kGroups; ++g) a[g] = p.a + p.row_offset[i + g * kGroup] + p.segment_offset[s];
        for (int k = 0; k < p.run; ++k, b += b_row) {
            V row[kVectors];
            for (int v = 0; v < kVectors; ++v)
                row[v] = loadAny(b + v * kLanes, v + 1 == kVectors ? part : kLanes);
            for (int g = 0; g < kGroups; ++g) {
                for (int r = 0; r < kGroup; ++r) {
                    const V x = all(a[g][r * step]);
                    for (int v = 0; v < kVectors; ++v)
                        sum[g * kGroup + r][v] = fma(x, row[v], sum[g * kGroup + r][v]);
                }
                a[g] += k_step;
            }
        }
    };
    if (!kMaskedLoads && (last == kLanes || p.packed))
        for (int s = 0; s < p.segments; ++s) segment(s, kLanes);
    else
        for (int s = 0; s < p.segments; ++s) segment(s, last);
    for (int r = 0; r < kRows; ++r)
        for (int v = 0; v < kVectors; ++v)
            storeAny(c + r * p.c_row + v * kLanes, sum[r][v], v + 1 == kVectors ? last : kLanes);
    if (p.activation != Activation::none)
        activateRows(p.activation, c, p.c_row, kRows, (kVectors - 1) * kLanes + last);
}

template <int kVectors>
[[gnu::noinline]] void windowRows(const WindowProduct& p, int j, int last, const float* b,
                                  std::ptrdiff_t b_row) {
    int i = 0;
#if defined(SEEDBED_NATIVE_AVX512)
    constexpr int kFour = kVectors == 1   ? 16
                          : kVectors == 2 ? 12
                                          : 4,
                  kThree = kVectors == 1   ? 12
                           : kVectors == 2 ? 9
                                           : 6;
    constexpr int kOne = 6;
#else
    constexpr int kFour = 4, kThree = 3, kOne = kVectors == 1 ? 6 : 4;
#endif
    if (p.group == 4)
        for (; i + kFour <= p.m; i += kFour) windowTile<kFour, 4, kVectors>(p, i, j, last, b, b_row);
    if (p.group == 3)
        for (; i + kThree <= p.m; i += kThree) windowTile<kThree, 3, kVectors>(p, i, j, last, b, b_row);
    for (; i + kOne <= p.m; i += kOne) windowTile<kOne, 1, kVectors>(p, i, j, last, b, b_row);
    for (; i + 2 <= p.m; i += 2) windowTile<2, 1, kVectors>(p, i, j, last, b, b_row);
    for (; i < p.m; ++i) windowTile<1, 1, kVectors>(p, i, j, last, b, b_row);
}

void windowProduct(const WindowProduct& p) {
    const int k = p.segments * p.run;
    for (int j = 0; j < p.n; j += kPanel) {
        const int columns = p.n - j < kPanel ? p.n - j : kPanel, vectors = (columns + kLanes - 1) / kLanes;
        const int last = columns - (vectors - 1) * kLanes;
        const std::ptrdiff_t b_row = p.packed ? vectors * kLanes : p.b_row;
        const float* b = p.packed ? p.b + static_cast<std::ptrdiff_t>(j) * k : p.b + j;
        switch (vectors) {
            case 1: windowRows<1>(p, j, last, b, b_row); break;
            case 2: windowRows<2>(p, j, last, b, b_row); break;
#if defined(SEEDBED_NATIVE_AVX512)
            case 3: windowRows<3>(p, j, last, b, b_row); break;
            default: windowRows<4>(p, j, last, b, b_row); break;
#else
            default: break;
#endif
        }
    }
}

// to [count] += from.
void addRun(const float* from, float* to, int count) {
    overFloats(count, [&](std::ptrdiff_t i, int part) {
        storeAny(to + i, loadAny(to + i, part) + loadAny(from + i, part), part);
    });
}
