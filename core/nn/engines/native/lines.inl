// SPDX-License-Identifier: Apache-2.0
// The matrix product whose left operand consists of windows along the lines of an image with a border:
// convolutions with padding and their gradients. Each line is divided into tiles of nearly equal numbers of
// rows, so that lines of any width keep the registers full. Included by kernels.inl in its namespace.

// Most rows of a tile, indexed by vectors per tile.
#if defined(SEEDBED_NATIVE_AVX512)
constexpr int kLineRows[5] = {0, 16, 12, 8, 6};  // GCC keeps no more than 16 iterations in registers
#elif defined(SEEDBED_NATIVE_AVX2)
constexpr int kLineRows[5] = {0, 10, 6, 0, 0};
#else
constexpr int kLineRows[5] = {0, 8, 4, 0, 0};
#endif

struct LineTile {
    const float* a;
    std::ptrdiff_t a_step, segment, k_step;
    int segments, run;
    const float* b;
    std::ptrdiff_t b_row, b_segment;
    const float* start;  // whole vectors: the initial sums of every row
    float* to;
    std::ptrdiff_t to_row;
};

template <int kRows, int kVectors>
[[gnu::noinline]] void lineTile(const LineTile& t) {
    constexpr int kGroups = (kRows + 3) / 4;
    V sum[kRows][kVectors];
    for (int v = 0; v < kVectors; ++v)
        for (int r = 0; r < kRows; ++r) sum[r][v] = load(t.start + v * kLanes);
    const std::ptrdiff_t step = t.a_step, k_step = t.k_step, b_row = t.b_row;
    for (int s = 0; s < t.segments; ++s) {
        const float *a[kGroups], *b = t.b + s * t.b_segment;
        for (int g = 0; g < kGroups; ++g) a[g] = t.a + s * t.segment + g * 4 * step;
        for (int k = 0; k < t.run; ++k, b += b_row) {
            V row[kVectors];
            for (int v = 0; v < kVectors; ++v) row[v] = load(b + v * kLanes);
            for (int r = 0; r < kRows; ++r) {
                const V x = all(a[r / 4][r % 4 * step]);
                for (int v = 0; v < kVectors; ++v) sum[r][v] = fma(x, row[v], sum[r][v]);
            }
            for (int g = 0; g < kGroups; ++g) a[g] += k_step;
        }
    }
    for (int r = 0; r < kRows; ++r)
        for (int v = 0; v < kVectors; ++v) store(t.to + r * t.to_row + v * kLanes, sum[r][v]);
}

using LineTileFunction = void (*)(const LineTile& t);

template <int kVectors, int... kRow>
SEEDBED_INLINE LineTileFunction lineTileOf(int rows, std::integer_sequence<int, kRow...>) {
    static constexpr LineTileFunction kTiles[] = {lineTile<kRow + 1, kVectors>...};
    return kTiles[rows - 1];
}

// Moves the sums of a tile to c: columns [0, columns) of `rows` rows; `at` is their offset in c.
[[gnu::noinline]] void finishLine(const LineProduct& p, const float* sums, std::ptrdiff_t sums_row,
                                  std::ptrdiff_t at, int rows, int columns) {
    for (int r = 0; r < rows; ++r, sums += sums_row, at += p.c_row)
        overFloats(columns, [&](std::ptrdiff_t i, int part) {
            V v = load(sums + i);
            if (p.add) v += loadAny(p.c + at + i, part);
            v = activated(p.activation, v);
            if (p.derive != nullptr) v = derived(p.derive_activation, loadAny(p.derive + at + i, part), v);
            storeAny(p.c + at + i, v, part);
        });
}

template <int kVectors>
[[gnu::noinline]] void linePanel(const LineProduct& p, LineTile t, int j, int columns) {
    constexpr int kMost = kLineRows[kVectors], kWidth = kVectors * kLanes;
    alignas(64) float start[kWidth] = {};
    alignas(64) float sums[kMost * kWidth];
    for (int i = 0; p.bias != nullptr && i < columns; ++i) start[i] = p.bias[j + i];
    t.start = start;
    // Tiles without further work are written to c at once.
    const bool direct =
        columns == kWidth && !p.add && p.derive == nullptr && p.activation == Activation::none;
    t.to_row = direct ? p.c_row : kWidth;
    const int tiles = (p.width + kMost - 1) / kMost;
    for (int line = 0; line < p.lines; ++line)
        for (int i = 0; i < tiles; ++i) {
            const int begin = p.width * i / tiles, rows = p.width * (i + 1) / tiles - begin;
            const std::ptrdiff_t at = line * p.c_line + begin * p.c_row + j;
            t.a = p.a + line * p.a_line + begin * p.a_step;
            t.to = direct ? p.c + at : sums;
            lineTileOf<kVectors>(rows, std::make_integer_sequence<int, kMost>{})(t);
            if (!direct) finishLine(p, sums, kWidth, at, rows, columns);
        }
}

void lineProduct(const LineProduct& p) {
    const int k = p.segments * p.run;
    for (int j = 0; j < p.n; j += kPanel) {
        const int columns = p.n - j < kPanel ? p.n - j : kPanel, vectors = (columns + kLanes - 1) / kLanes;
        const std::ptrdiff_t b_row = p.packed ? vectors * kLanes : p.b_row;
        const LineTile t{.a = nullptr,
                         .a_step = p.a_step,
                         .segment = p.segment,
                         .k_step = p.k_step,
                         .segments = p.segments,
                         .run = p.run,
                         .b = p.packed ? p.b + static_cast<std::ptrdiff_t>(j) * k : p.b + j,
                         .b_row = b_row,
                         .b_segment = p.packed ? p.run * b_row : p.b_segment,
                         .start = nullptr,
                         .to = nullptr,
                         .to_row = 0};
        switch (vectors) {
            case 1: linePanel<1>(p, t, j, columns); break;
            case 2: linePanel<2>(p, t, j, columns); break;
#if defined(SEEDBED_NATIVE_AVX512)
            case 3: linePanel<3>(p, t, j, columns); break;
            default: linePanel<4>(p, t, j, columns); break;
#else
            default: break;
#endif
        }
    }
}
