// SPDX-License-Identifier: Apache-2.0
// Max pooling of images with channels last: vectors of channels. Included by kernels.inl in its namespace.

// Calls body for every window: its output pixel, the pixel of its first tap (which may be outside the image),
// and the ranges of taps inside the image.
template <class Body>
SEEDBED_INLINE void overWindows(const PoolImage& p, const Body& body) {
    const auto clip = [&](int begin, int size, int& first, int& end) {
        first = begin < 0 ? -begin : 0;
        end = size - begin < p.kernel ? size - begin : p.kernel;
    };
    for (int y = 0, pixel = 0; y < p.to.height; ++y) {
        int y_first = 0, y_end = 0;
        clip(y * p.stride - p.pad, p.from.height, y_first, y_end);
        for (int x = 0; x < p.to.width; ++x, ++pixel) {
            int x_first = 0, x_end = 0;
            clip(x * p.stride - p.pad, p.from.width, x_first, x_end);
            const std::ptrdiff_t corner =
                static_cast<std::ptrdiff_t>(y * p.stride - p.pad) * p.from.width + x * p.stride - p.pad;
            body(pixel, corner, y_first, y_end, x_first, x_end);
        }
    }
}

SEEDBED_INLINE I allInt(int x) { return I{} + x; }

// Selects the first of equal maxima; NaN counts as the maximum.
void poolForward(const PoolImage& p) {
    const std::ptrdiff_t channels = p.to.channels;
    overWindows(p, [&](int pixel, std::ptrdiff_t corner, int y_first, int y_end, int x_first, int x_end) {
        overFloats(channels, [&](std::ptrdiff_t c, int part) {
            const auto at = [&](int ky, int kx) {
                return loadAny(p.x + (corner + ky * p.from.width + kx) * channels + c, part);
            };
            V best = at(y_first, x_first);
            I picked = allInt(y_first * p.kernel + x_first);
            for (int ky = y_first; ky < y_end; ++ky)
                for (int kx = x_first; kx < x_end; ++kx) {
                    const V x = at(ky, kx);
                    const I take = ~(x <= best) & (best == best);
                    best = take ? x : best;
                    picked = take ? allInt(ky * p.kernel + kx) : picked;
                }
            storeAny(p.y + pixel * channels + c, best, part);
            if (p.picked != nullptr)
                storeAny(p.picked + pixel * channels + c, reinterpret_cast<V>(picked), part);
        });
    });
}

void poolBackward(const PoolImage& p) {
    const std::ptrdiff_t channels = p.to.channels;
    overWindows(p, [&](int pixel, std::ptrdiff_t corner, int y_first, int y_end, int x_first, int x_end) {
        overFloats(channels, [&](std::ptrdiff_t c, int part) {
            const V dy = loadAny(p.dy + pixel * channels + c, part);
            const I picked = reinterpret_cast<I>(loadAny(p.picked + pixel * channels + c, part));
            for (int ky = y_first; ky < y_end; ++ky)
                for (int kx = x_first; kx < x_end; ++kx) {
                    float* dx = p.dx + (corner + ky * p.from.width + kx) * channels + c;
                    const V here = picked == allInt(ky * p.kernel + kx) ? dy : V{};
                    storeAny(dx, loadAny(dx, part) + here, part);
                }
        });
    });
}
