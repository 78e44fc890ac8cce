// SPDX-License-Identifier: Apache-2.0
// exp, tanh, the logistic function and activations on vectors; a test measures the stated errors over the
// whole range. Included by kernels.inl in its namespace.

// Relative error below 3e-7 for |x| <= 87; smaller x give about 1e-38, larger ones about 2e38, NaN gives NaN.
// Polynomial: Moshier, Cephes Math Library 2.2, expf.c (public domain).
SEEDBED_INLINE V expOf(V x) {
    x = clampTo(x, -87.0f, 88.0f);
    // x = n log 2 + r by adding and subtracting 1.5 * 2^23, which rounds to integers and leaves n in the low
    // bits.
    const V shifted = fma(x, all(1.44269504088896341f), all(0x1.8p23f)), n = shifted - all(0x1.8p23f);
    const V r = fma(n, all(2.12194440e-4f), fma(n, all(-0.693359375f), x));
    V p = fma(all(1.9875691500e-4f), r, all(1.3981999507e-3f));
    p = fma(p, r, all(8.3334519073e-3f));
    p = fma(p, r, all(4.1665795894e-2f));
    p = fma(p, r, all(1.6666665459e-1f));
    p = fma(p, r, all(5.0000001201e-1f));
    const V scale = reinterpret_cast<V>((reinterpret_cast<I>(shifted) << 23) + 0x3f800000);
    return (fma(p, r * r, r) + all(1.0f)) * scale;
}

// Relative error below 4e-7. Beyond +-7.9, the result is the value at +-7.9. NaN gives NaN. Rational
// approximation of degree 13 / 6 with the coefficients of Eigen's ptanh_float.
SEEDBED_INLINE V tanhOf(V x) {
    x = clampTo(x, -7.90531110763549805f, 7.90531110763549805f);
    const V s = x * x;
    V p = fma(s, all(-2.76076847742355e-16f), all(2.00018790482477e-13f));
    p = fma(p, s, all(-8.60467152213735e-11f));
    p = fma(p, s, all(5.12229709037114e-08f));
    p = fma(p, s, all(1.48572235717979e-05f));
    p = fma(p, s, all(6.37261928875436e-04f));
    p = fma(p, s, all(4.89352455891786e-03f));
    V q = fma(s, all(1.19825839466702e-06f), all(1.18534705686654e-04f));
    q = fma(q, s, all(2.26843463243900e-03f));
    q = fma(q, s, all(4.89352518554385e-03f));
    // Divides first, because x * p would be subnormal for the smallest x.
    return x * (p / q);
}

// 1 / (1 + e^-x): relative error below 4e-7 for x >= -80.
SEEDBED_INLINE V sigmoidOf(V x) { return all(1.0f) / (all(1.0f) + expOf(-x)); }

// e^x - 1 for x <= 0 as 2 t / (1 - t) with t = tanh(x / 2), which keeps the relative error small for x near
// 0.
SEEDBED_INLINE V expm1Of(V x) {
    const V t = tanhOf(x * all(0.5f));
    return (t + t) / (all(1.0f) - t);
}

SEEDBED_INLINE V activated(Activation activation, V x) {
    switch (activation) {
        case Activation::none: break;
        case Activation::tanh: return tanhOf(x);
        case Activation::relu: return x < V{} ? V{} : x;
        case Activation::elu: return x < V{} ? expm1Of(x < V{} ? x : V{}) : x;
    }
    return x;
}

// gradient * activation', where y is the activated value. ReLU at 0 has slope 0; ELU has alpha = 1.
SEEDBED_INLINE V derived(Activation activation, V y, V gradient) {
    switch (activation) {
        case Activation::none: break;
        case Activation::tanh: return gradient * fma(-y, y, all(1.0f));
        case Activation::relu: return y > V{} ? gradient : V{};
        case Activation::elu: return y > V{} ? gradient : gradient * (y + all(1.0f));
    }
    return gradient;
}

void activate(Activation activation, float* y, std::size_t count) {
    if (activation == Activation::none) return;
    overFloats(static_cast<std::ptrdiff_t>(count), [&](std::ptrdiff_t i, int part) {
        storeAny(y + i, activated(activation, loadAny(y + i, part)), part);
    });
}

void deactivate(Activation activation, const float* y, float* gradient, std::size_t count) {
    if (activation == Activation::none) return;
    overFloats(static_cast<std::ptrdiff_t>(count), [&](std::ptrdiff_t i, int part) {
        storeAny(gradient + i, derived(activation, loadAny(y + i, part), loadAny(gradient + i, part)), part);
    });
}

void exponential(float* y, std::size_t count) {
    overFloats(static_cast<std::ptrdiff_t>(count),
               [&](std::ptrdiff_t i, int part) { storeAny(y + i, expOf(loadAny(y + i, part)), part); });
}

void sigmoid(float* y, std::size_t count) {
    overFloats(static_cast<std::ptrdiff_t>(count),
               [&](std::ptrdiff_t i, int part) { storeAny(y + i, sigmoidOf(loadAny(y + i, part)), part); });
}
