// SPDX-License-Identifier: Apache-2.0
// The matrix product: tiles of a few rows by up to kPanel columns are kept in registers; bias, activation and
// its derivative are applied when a tile is stored. Included by kernels.inl in its namespace.

#if defined(SEEDBED_NATIVE_AVX512) || defined(__aarch64__)
constexpr int kPanelVectors = 4;
constexpr int kTileRows[5] = {0, 14, 12, 8, 6};  // indexed by vectors per tile; there are 32 registers
#elif defined(SEEDBED_NATIVE_AVX2)
constexpr int kPanelVectors = 2;
constexpr int kTileRows[5] = {0, 8, 6, 0, 0};  // indexed by vectors per tile; there are 16 registers
#else
constexpr int kPanelVectors = 2;
constexpr int kTileRows[5] = {0, 6, 4, 0, 0};
#endif
constexpr int kPanel = kPanelVectors * kLanes;
// Rows of b that stay in the L1 cache while all rows of a are processed.
constexpr int kDepth = 256;

// One panel of a product: columns [j, j + columns) of c, and `depth` rows of b starting at row `begin`.
struct Panel {
    const float* b;
    std::ptrdiff_t b_row;
    int j, begin, depth;
    int last;     // number of floats in the last vector
    bool load;    // sums start at the values in c
    bool finish;  // last part of k: apply activation and derivative
    bool whole;   // b is padded with zeros to whole vectors
};

// Applies the activation and the derivative to `rows` rows of c. Not inlined, because in every
// tile they would take more code than the products.
[[gnu::noinline]] void activateRows(Activation activation, float* c, std::ptrdiff_t c_row, int rows,
                                    int columns) {
    for (int r = 0; r < rows; ++r, c += c_row) activate(activation, c, static_cast<std::size_t>(columns));
}
[[gnu::noinline]] void deriveRows(const Product& p, const Panel& panel, int i, int rows, int columns) {
    for (int r = i; r < i + rows; ++r)
        deactivate(p.derive_activation, p.derive + r * p.derive_row + panel.j, p.c + r * p.c_row + panel.j,
                   static_cast<std::size_t>(columns));
}

template <int kRows, int kVectors>
SEEDBED_INLINE void tile(const Product& p, const Panel& panel, int i) {
    V sum[kRows][kVectors];
    float* c = p.c + i * p.c_row + panel.j;
    if (panel.load) {
        for (int r = 0; r < kRows; ++r)
            for (int v = 0; v < kVectors; ++v)
                sum[r][v] = loadAny(c + r * p.c_row + v * kLanes, v + 1 == kVectors ? panel.last : kLanes);
    } else if (p.bias != nullptr) {
        for (int v = 0; v < kVectors; ++v) {
            const V bias = loadAny(p.bias + panel.j + v * kLanes, v + 1 == kVectors ? panel.last : kLanes);
            for (int r = 0; r < kRows; ++r) sum[r][v] = bias;
        }
    } else {
        for (int r = 0; r < kRows; ++r)
            for (int v = 0; v < kVectors; ++v) sum[r][v] = V{};
    }
    const float *a = p.a + i * p.a_row + panel.begin * p.a_column, *b = panel.b;
    const auto step = [&](int part) [[gnu::always_inline]] {
        for (int k = 0; k < panel.depth; ++k, a += p.a_column, b += panel.b_row) {
            V row[kVectors];
            for (int v = 0; v < kVectors; ++v)
                row[v] = loadAny(b + v * kLanes, v + 1 == kVectors ? part : kLanes);
            for (int r = 0; r < kRows; ++r) {
                const V x = all(a[r * p.a_row]);
                for (int v = 0; v < kVectors; ++v) sum[r][v] = fma(x, row[v], sum[r][v]);
            }
        }
    };
    // Packed panels are padded with zeros, so their last vector can be read completely.
    if (!kMaskedLoads && (panel.last == kLanes || panel.whole)) step(kLanes);
    else step(panel.last);
    for (int r = 0; r < kRows; ++r)
        for (int v = 0; v < kVectors; ++v)
            storeAny(c + r * p.c_row + v * kLanes, sum[r][v], v + 1 == kVectors ? panel.last : kLanes);
    const int columns = (kVectors - 1) * kLanes + panel.last;
    if (panel.finish && p.activation != Activation::none)
        activateRows(p.activation, c, p.c_row, kRows, columns);
    if (panel.finish && p.derive != nullptr) deriveRows(p, panel, i, kRows, columns);
}

template <int kVectors>
[[gnu::noinline]] void panelRows(const Product& p, const Panel& panel) {
    constexpr int kRows = kTileRows[kVectors];
    int i = 0;
    for (; i + kRows <= p.m; i += kRows) tile<kRows, kVectors>(p, panel, i);
    if constexpr (kRows > 8)
        for (; i + 8 <= p.m; i += 8) tile<8, kVectors>(p, panel, i);
    if constexpr (kRows > 4)
        for (; i + 4 <= p.m; i += 4) tile<4, kVectors>(p, panel, i);
    for (; i + 2 <= p.m; i += 2) tile<2, kVectors>(p, panel, i);
    for (; i < p.m; ++i) tile<1, kVectors>(p, panel, i);
}

// Rows of b that are farther apart than this map to few cache sets; with enough rows of a, copying the panel
// is faster.
constexpr std::ptrdiff_t kFar = 192;
constexpr int kManyRows = 24;

template <int kVectors>
SEEDBED_INLINE void copyPanel(const Panel& panel, float* to) {
    const float* from = panel.b;
    for (int k = 0; k < panel.depth; ++k, from += panel.b_row, to += kVectors * kLanes)
        for (int v = 0; v < kVectors; ++v)
            store(to + v * kLanes, loadAny(from + v * kLanes, v + 1 == kVectors ? panel.last : kLanes));
}

template <int kVectors>
[[gnu::noinline]] void runPanel(const Product& p, Panel panel) {
    if (!panel.whole && panel.b_row >= kFar && p.m >= kManyRows) {
        alignas(64) thread_local float copy[kDepth * kPanel];
        if (panel.last == kLanes) {
            Panel full = panel;
            full.last = kLanes;
            copyPanel<kVectors>(full, copy);
        } else {
            copyPanel<kVectors>(panel, copy);
        }
        panel.b = copy;
        panel.b_row = kVectors * kLanes;
        panel.whole = true;
    }
    panelRows<kVectors>(p, panel);
}

void product(const Product& p) {
    for (int j = 0; j < p.n; j += kPanel) {
        const int columns = p.n - j < kPanel ? p.n - j : kPanel, vectors = (columns + kLanes - 1) / kLanes;
        const std::ptrdiff_t b_row = p.packed ? vectors * kLanes : p.b_row;
        const float* b = p.packed ? p.b + static_cast<std::ptrdiff_t>(j) * p.k : p.b + j;
        int begin = 0;
        do {
            const int left = p.k - begin, depth = left > kDepth ? kDepth : left;
            const Panel panel{.b = b + begin * b_row,
                              .b_row = b_row,
                              .j = j,
                              .begin = begin,
                              .depth = depth,
                              .last = columns - (vectors - 1) * kLanes,
                              .load = p.add || begin > 0,
                              .finish = left == depth,
                              .whole = p.packed};
            switch (vectors) {
                case 1: runPanel<1>(p, panel); break;
                case 2: runPanel<2>(p, panel); break;
#if defined(SEEDBED_NATIVE_AVX512) || defined(__aarch64__)
                case 3: runPanel<3>(p, panel); break;
                default: runPanel<4>(p, panel); break;
#else
                default: break;
#endif
            }
            begin += depth;
        } while (begin < p.k);
    }
}

void pack(int n, int k, const float* from, std::ptrdiff_t stride, float* to) {
    for (int j = 0; j < n; j += kPanel) {
        const int columns = n - j < kPanel ? n - j : kPanel, width = (columns + kLanes - 1) / kLanes * kLanes;
        transpose(columns, k, from + j * stride, stride, to, width, false);
        for (int i = 0; columns < width && i < k; ++i)
            for (int c = columns; c < width; ++c) to[static_cast<std::ptrdiff_t>(i) * width + c] = 0.0f;
        to += static_cast<std::ptrdiff_t>(width) * k;
    }
}

// The sums over the lanes of four vectors, in parallel and in a fixed order.
SEEDBED_INLINE void sumLanes(const V* v, float* result) {
    using Four [[gnu::vector_size(16)]] = float;
    Four sum[4];
    for (int s = 0; s < 4; ++s) {
        Four part[kLanes / 4];
        __builtin_memcpy(part, &v[s], sizeof(V));
        if constexpr (kLanes == 16) sum[s] = (part[0] + part[2]) + (part[1] + part[3]);
        else if constexpr (kLanes == 8) sum[s] = part[0] + part[1];
        else sum[s] = part[0];
    }
    using Pick [[gnu::vector_size(16)]] = std::int32_t;
    const Four a = __builtin_shuffle(sum[0], sum[1], Pick{0, 4, 1, 5}),
               b = __builtin_shuffle(sum[2], sum[3], Pick{0, 4, 1, 5});
    const Four d = __builtin_shuffle(sum[0], sum[1], Pick{2, 6, 3, 7}),
               e = __builtin_shuffle(sum[2], sum[3], Pick{2, 6, 3, 7});
    const Four total =
        (__builtin_shuffle(a, b, Pick{0, 1, 4, 5}) + __builtin_shuffle(a, b, Pick{2, 3, 6, 7})) +
        (__builtin_shuffle(d, e, Pick{0, 1, 4, 5}) + __builtin_shuffle(d, e, Pick{2, 3, 6, 7}));
    __builtin_memcpy(result, &total, sizeof total);
}

void dots(int m, int n, int k, const float* x, std::ptrdiff_t x_row, const float* w, const float* bias,
          float* y, std::ptrdiff_t y_row) {
    for (int i = 0; i < m; i += 4) {
        // Positions beyond the last row repeat that row.
        const int count = m - i < 4 ? m - i : 4;
        const float* row[4];
        for (int r = 0; r < 4; ++r) row[r] = x + (i + (r < count ? r : count - 1)) * x_row;
        for (int o = 0; o < n; ++o) {
            V sum[4] = {V{}, V{}, V{}, V{}};
            const float* weight = w + static_cast<std::ptrdiff_t>(o) * k;
            overFloats(k, [&](std::ptrdiff_t at, int part) {
                const V b = loadAny(weight + at, part);
                for (int r = 0; r < 4; ++r) sum[r] = fma(loadAny(row[r] + at, part), b, sum[r]);
            });
            float result[4];
            sumLanes(sum, result);
            for (int r = 0; r < count; ++r) y[(i + r) * y_row + o] = result[r] + bias[o];
        }
    }
}

void addColumnSums(int m, int n, const float* x, std::ptrdiff_t row, float* sum) {
    overFloats(n, [&](std::ptrdiff_t j, int part) {
        // Two accumulation chains hide the latency; the assignment of rows to chains is fixed.
        V even = loadAny(sum + j, part), odd{};
        int i = 0;
        for (; i + 2 <= m; i += 2) {
            even += loadAny(x + i * row + j, part);
            odd += loadAny(x + (i + 1) * row + j, part);
        }
        if (i < m) even += loadAny(x + i * row + j, part);
        storeAny(sum + j, even + odd, part);
    });
}
