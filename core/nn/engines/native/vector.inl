// SPDX-License-Identifier: Apache-2.0
// Vectors of one instruction set: arithmetic uses the compiler's vector types; the other operations are
// defined here. Included by kernels.inl in its namespace.

#if defined(SEEDBED_NATIVE_AVX512)
constexpr int kLanes = 16;
using V [[gnu::vector_size(64)]] = float;
using I [[gnu::vector_size(64)]] = std::int32_t;
SEEDBED_INLINE V fma(V a, V b, V c) {
    return reinterpret_cast<V>(_mm512_fmadd_ps(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b),
                                               reinterpret_cast<__m512>(c)));
}
SEEDBED_INLINE __mmask16 firstLanes(int count) { return static_cast<__mmask16>((1u << count) - 1u); }
SEEDBED_INLINE V loadPart(const float* from, int count) {
    return reinterpret_cast<V>(_mm512_maskz_loadu_ps(firstLanes(count), from));
}
SEEDBED_INLINE void storePart(float* to, V v, int count) {
    _mm512_mask_storeu_ps(to, firstLanes(count), reinterpret_cast<__m512>(v));
}
#elif defined(SEEDBED_NATIVE_AVX2)
constexpr int kLanes = 8;
using V [[gnu::vector_size(32)]] = float;
using I [[gnu::vector_size(32)]] = std::int32_t;
SEEDBED_INLINE V fma(V a, V b, V c) {
    return reinterpret_cast<V>(_mm256_fmadd_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b),
                                               reinterpret_cast<__m256>(c)));
}
#else
constexpr int kLanes = 4;
using V [[gnu::vector_size(16)]] = float;
using I [[gnu::vector_size(16)]] = std::int32_t;
#if defined(__aarch64__)
SEEDBED_INLINE V fma(V a, V b, V c) {
    return reinterpret_cast<V>(vfmaq_f32(reinterpret_cast<float32x4_t>(c), reinterpret_cast<float32x4_t>(a),
                                         reinterpret_cast<float32x4_t>(b)));
}
#else
SEEDBED_INLINE V fma(V a, V b, V c) { return a * b + c; }
#endif
#endif

#if !defined(SEEDBED_NATIVE_AVX512)
// Copies through memory, since masked stores are slower on the processors that support them.
SEEDBED_INLINE V loadPart(const float* from, int count) {
    float lanes[kLanes] = {};
    for (int i = 0; i < count; ++i) lanes[i] = from[i];
    V v;
    __builtin_memcpy(&v, lanes, sizeof v);
    return v;
}
SEEDBED_INLINE void storePart(float* to, V v, int count) {
    float lanes[kLanes];
    __builtin_memcpy(lanes, &v, sizeof v);
    for (int i = 0; i < count; ++i) to[i] = lanes[i];
}
#endif

SEEDBED_INLINE V load(const float* from) {
    V v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}
SEEDBED_INLINE void store(float* to, V v) { __builtin_memcpy(to, &v, sizeof v); }
#if defined(SEEDBED_NATIVE_AVX512)
SEEDBED_INLINE V all(float x) { return reinterpret_cast<V>(_mm512_set1_ps(x)); }
#elif defined(SEEDBED_NATIVE_AVX2)
SEEDBED_INLINE V all(float x) { return reinterpret_cast<V>(_mm256_set1_ps(x)); }
#else
SEEDBED_INLINE V all(float x) { return V{x, x, x, x}; }
#endif
// NaN stays NaN.
SEEDBED_INLINE V clampTo(V x, float low, float high) {
    x = x < all(low) ? all(low) : x;
    return x > all(high) ? all(high) : x;
}

// Calls body(offset, count) for `count` floats, whole vectors first; the body uses loadAny and storeAny.
template <class Body>
SEEDBED_INLINE void overFloats(std::ptrdiff_t count, const Body& body) {
    std::ptrdiff_t i = 0;
    for (; i + kLanes <= count; i += kLanes) body(i, kLanes);
    if (i < count) body(i, static_cast<int>(count - i));
}
// Whether loads of part of a vector are as fast as others. Then tiles need no second version of their loop.
#if defined(SEEDBED_NATIVE_AVX512)
constexpr bool kMaskedLoads = true;
#else
constexpr bool kMaskedLoads = false;
#endif
// Reads `count` floats from 1 to kLanes; the other lanes are 0.
SEEDBED_INLINE V loadAny(const float* from, int count) {
    return !kMaskedLoads && count == kLanes ? load(from) : loadPart(from, count);
}
SEEDBED_INLINE void storeAny(float* to, V v, int count) {
    if (count == kLanes) store(to, v);
    else storePart(to, v, count);
}
