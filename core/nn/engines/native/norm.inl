// SPDX-License-Identifier: Apache-2.0
// Layer normalisation row by row (Ba, Kiros & Hinton, arXiv:1607.06450, equation 4). Included by kernels.inl
// in its namespace.

// The sum of all lanes, in a fixed order.
SEEDBED_INLINE float sumOf(V v) {
    float lanes[kLanes];
    store(lanes, v);
    for (int width = kLanes / 2; width > 0; width /= 2)
        for (int i = 0; i < width; ++i) lanes[i] += lanes[i + width];
    return lanes[0];
}

void normForward(const NormRows& n) {
    const auto size = static_cast<float>(n.size);
    for (std::ptrdiff_t row = 0; row < n.rows; ++row) {
        const float* x = n.x + row * n.size;
        float *y = n.y + row * n.size, *saved = n.saved + row * (n.size + 1);
        V sum{}, squares{};
        overFloats(n.size, [&](std::ptrdiff_t i, int part) { sum += loadAny(x + i, part); });
        const float mean = sumOf(sum) / size;
        overFloats(n.size, [&](std::ptrdiff_t i, int part) {
            const V d = loadAny(x + i, part) - all(mean);
            // Lanes beyond the end contain -mean; partial loads and stores exclude them.
            float kept[kLanes] = {};
            storeAny(kept, d, part);
            const V counted = load(kept);
            squares = fma(counted, counted, squares);
        });
        const float inverse = 1.0f / __builtin_sqrtf(sumOf(squares) / size + 1e-5f);
        saved[n.size] = inverse;
        overFloats(n.size, [&](std::ptrdiff_t i, int part) {
            const V normal = (loadAny(x + i, part) - all(mean)) * all(inverse);
            storeAny(saved + i, normal, part);
            storeAny(
                y + i,
                activated(n.activation, fma(normal, loadAny(n.gain + i, part), loadAny(n.bias + i, part))),
                part);
        });
    }
}

// With n = normalised features and g = dy * gain: dx = (g - mean(g) - n * mean(g n)) / deviation.
void normBackward(const NormRows& n) {
    const auto size = static_cast<float>(n.size);
    for (std::ptrdiff_t row = 0; row < n.rows; ++row) {
        const float *dy = n.dy + row * n.size, *saved = n.saved + row * (n.size + 1);
        V sum{}, dot{};
        overFloats(n.size, [&](std::ptrdiff_t i, int part) {
            const V d = loadAny(dy + i, part), normal = loadAny(saved + i, part),
                    g = d * loadAny(n.gain + i, part);
            storeAny(n.d_gain + i, fma(d, normal, loadAny(n.d_gain + i, part)), part);
            storeAny(n.d_bias + i, loadAny(n.d_bias + i, part) + d, part);
            sum += g;
            dot = fma(g, normal, dot);
        });
        if (n.dx == nullptr) continue;
        const V mean = all(sumOf(sum) / size), slope = all(sumOf(dot) / size), inverse = all(saved[n.size]);
        float* dx = n.dx + row * n.size;
        overFloats(n.size, [&](std::ptrdiff_t i, int part) {
            const V g = loadAny(dy + i, part) * loadAny(n.gain + i, part);
            const V d = (g - mean - loadAny(saved + i, part) * slope) * inverse;
            storeAny(dx + i, n.add ? loadAny(dx + i, part) + d : d, part);
        });
    }
}
