// SPDX-License-Identifier: Apache-2.0
// Transposition in vector-sized square blocks; elements at the edges are moved one by one. Included by
// kernels.inl in its namespace.

template <int kDistance, std::size_t... kLane>
SEEDBED_INLINE void exchange(V& a, V& b, std::index_sequence<kLane...>) {
    // Swaps the lanes of a whose bit kDistance is set with the lanes of b whose bit is not set.
    const I low = {((kLane & kDistance) != 0 ? static_cast<int>(kLane) + kLanes - kDistance
                                             : static_cast<int>(kLane))...};
    const I high = {((kLane & kDistance) != 0 ? static_cast<int>(kLane) + kLanes
                                              : static_cast<int>(kLane) + kDistance)...};
    const V first = __builtin_shuffle(a, b, low), second = __builtin_shuffle(a, b, high);
    a = first;
    b = second;
}

template <int kDistance>
SEEDBED_INLINE void exchangeAll(V* v) {
    for (int i = 0; i < kLanes; ++i)
        if ((i & kDistance) == 0)
            exchange<kDistance>(v[i], v[i + kDistance], std::make_index_sequence<kLanes>{});
    if constexpr (kDistance > 1) exchangeAll<kDistance / 2>(v);
}

SEEDBED_INLINE void turnSquare(const float* from, std::ptrdiff_t from_row, float* to, std::ptrdiff_t to_row,
                               bool add) {
    V v[kLanes];
    for (int i = 0; i < kLanes; ++i) v[i] = load(from + i * from_row);
    exchangeAll<kLanes / 2>(v);
    for (int i = 0; i < kLanes; ++i) store(to + i * to_row, add ? load(to + i * to_row) + v[i] : v[i]);
}

// to [columns, rows] = or += transpose of from [rows, columns].
void transpose(int rows, int columns, const float* from, std::ptrdiff_t from_row, float* to,
               std::ptrdiff_t to_row, bool add) {
    const auto edge = [&](int r, int c) {
        float& target = to[c * to_row + r];
        target = add ? target + from[r * from_row + c] : from[r * from_row + c];
    };
    int r = 0;
    for (; r + kLanes <= rows; r += kLanes) {
        int c = 0;
        for (; c + kLanes <= columns; c += kLanes) {
            if (add) turnSquare(from + r * from_row + c, from_row, to + c * to_row + r, to_row, true);
            else turnSquare(from + r * from_row + c, from_row, to + c * to_row + r, to_row, false);
        }
        for (; c < columns; ++c)
            for (int i = 0; i < kLanes; ++i) edge(r + i, c);
    }
    for (; r < rows; ++r)
        for (int c = 0; c < columns; ++c) edge(r, c);
}
