// SPDX-License-Identifier: Apache-2.0
// Activations with the same formulas as core/nn/fast_math.hpp, because drivers' exp and tanh may be
// inaccurate.

// e^r - 1 for |r| <= 0.35.
float expm1Reduced(float r) {
    float p = 1.9875691500e-4;
    p = p * r + 1.3981999507e-3;
    p = p * r + 8.3334519073e-3;
    p = p * r + 4.1665795894e-2;
    p = p * r + 1.6666665459e-1;
    p = p * r + 5.0000001201e-1;
    return p * (r * r) + r;
}

// x = n log 2 + r with |n| <= 127; returns 2^n.
float splitExponent(float x, out float r) {
    const float n = roundEven(x * 1.44269504088896341);
    r = (x - n * 0.693359375) - n * -2.12194440e-4;
    return uintBitsToFloat(uint(int(n) + 127) << 23);
}

float expOf(float x) {
    if (x != x) return x;
    float r;
    const float scale = splitExponent(clamp(x, -87.0, 88.0), r);
    return (expm1Reduced(r) + 1.0) * scale;
}

float tanhOf(float x) {
    if (x != x) return x;
    float r;
    const float a = min(abs(x), 9.1);
    const float scale = splitExponent(a + a, r);
    const float e = expm1Reduced(r) * scale + (scale - 1.0);
    const float y = e / (e + 2.0);
    return x < 0.0 ? -y : y;
}

float sigmoidOf(float x) { return 1.0 / (1.0 + expOf(-x)); }

// e^x - 1 for x <= 0, with a small relative error near 0.
float expm1Of(float x) {
    const float t = tanhOf(0.5 * x);
    return 2.0 * t / (1.0 - t);
}

// The numbers are those of seedbed::Activation.
float activate(uint activation, float x) {
    if (activation == 1) return tanhOf(x);
    if (activation == 2) return x < 0.0 ? 0.0 : x;
    if (activation == 3) return x < 0.0 ? expm1Of(x) : x;
    return x;
}

// The derivative, from the activated value.
float slope(uint activation, float y) {
    if (activation == 1) return 1.0 - y * y;
    if (activation == 2) return y > 0.0 ? 1.0 : 0.0;
    if (activation == 3) return y > 0.0 ? 1.0 : y + 1.0;
    return 1.0;
}
