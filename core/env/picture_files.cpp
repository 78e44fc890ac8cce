// SPDX-License-Identifier: Apache-2.0
// Palettes, and calls to libpng's simplified interface and giflib.
#include "core/env/picture_files.hpp"

#include <gif_lib.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <unordered_map>

namespace seedbed {
namespace {

constexpr std::size_t kMaxColours = 256;

std::uint32_t packed(const std::uint8_t* rgb) {
    return static_cast<std::uint32_t>(rgb[0] << 16 | rgb[1] << 8 | rgb[2]);
}

// The colours of pictures, most frequent first.
class Palette {
public:
    explicit Palette(const std::vector<Picture>& pictures) {
        std::unordered_map<std::uint32_t, std::size_t> counts;
        for (const Picture& picture : pictures)
            for (std::size_t i = 0; i < picture.rgb.size(); i += 3) ++counts[packed(&picture.rgb[i])];
        std::vector<std::pair<std::size_t, std::uint32_t>> order;
        order.reserve(counts.size());
        for (const auto& [colour, count] : counts) order.emplace_back(count, colour);
        // Break ties by colour, so that the file does not depend on the order of the hash table.
        std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first > b.first : a.second < b.second;
        });
        exact_ = order.size() <= kMaxColours;
        for (std::size_t i = 0; i < std::min(order.size(), kMaxColours); ++i) {
            index_[order[i].second] = static_cast<std::uint8_t>(i);
            colours_.push_back(order[i].second);
        }
    }

    bool exact() const { return exact_; }
    std::size_t size() const { return colours_.size(); }
    std::array<std::uint8_t, 3> colour(std::size_t i) const {
        return {static_cast<std::uint8_t>(colours_[i] >> 16), static_cast<std::uint8_t>(colours_[i] >> 8),
                static_cast<std::uint8_t>(colours_[i])};
    }
    std::vector<std::uint8_t> indices(const Picture& picture) {
        std::vector<std::uint8_t> result;
        result.reserve(picture.rgb.size() / 3);
        for (std::size_t i = 0; i < picture.rgb.size(); i += 3) result.push_back(nearest(&picture.rgb[i]));
        return result;
    }

private:
    std::uint8_t nearest(const std::uint8_t* rgb) {
        const auto [entry, added] = index_.try_emplace(packed(rgb), std::uint8_t{0});
        if (added) {
            int best = 1 << 30;
            for (std::size_t i = 0; i < colours_.size(); ++i) {
                const auto c = colour(i);
                int distance = 0;
                for (std::size_t k = 0; k < 3; ++k) distance += (rgb[k] - c[k]) * (rgb[k] - c[k]);
                if (distance < best) {
                    best = distance;
                    entry->second = static_cast<std::uint8_t>(i);
                }
            }
        }
        return entry->second;
    }

    std::vector<std::uint32_t> colours_;
    std::unordered_map<std::uint32_t, std::uint8_t> index_;
    bool exact_ = true;
};

int appendBytes(GifFileType* file, const GifByteType* data, int count) {
    auto& bytes = *static_cast<std::vector<std::uint8_t>*>(file->UserData);
    bytes.insert(bytes.end(), data, data + count);
    return count;
}

struct GifCloser {
    void operator()(GifFileType* file) const { EGifCloseFile(file, nullptr); }
};

struct ColorMapFree {
    void operator()(ColorMapObject* map) const { GifFreeMapObject(map); }
};

// Writes the Netscape 2.0 looping extension, for which giflib has no function.
bool putRepeat(GifFileType* file) {
    const std::uint8_t count[] = {1, 0, 0};
    return EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(file, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(file, sizeof(count), count) == GIF_OK &&
           EGifPutExtensionTrailer(file) == GIF_OK;
}

bool putFrame(GifFileType* file, const Picture& picture, std::vector<std::uint8_t> indices, int delay_ms) {
    const GraphicsControlBlock control{.DisposalMode = DISPOSE_DO_NOT,
                                       .UserInputFlag = false,
                                       .DelayTime = std::max(1, (delay_ms + 5) / 10),
                                       .TransparentColor = NO_TRANSPARENT_COLOR};
    GifByteType block[4];
    const auto length = EGifGCBToExtension(&control, block);
    if (EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(length), block) != GIF_OK)
        return false;
    if (EGifPutImageDesc(file, 0, 0, picture.width, picture.height, false, nullptr) != GIF_OK) return false;
    for (int y = 0; y < picture.height; ++y)
        if (EGifPutLine(
                file, indices.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width),
                picture.width) != GIF_OK)
            return false;
    return true;
}

tl::unexpected<Error> gifFailure(int code) {
    const char* reason = GifErrorString(code);
    return fail(std::string("the GIF cannot be written: ") + (reason != nullptr ? reason : "unknown error"));
}

}  // namespace

Result<std::vector<std::uint8_t>> encodePng(const Picture& picture) {
    Palette palette({picture});
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width);
    image.height = static_cast<png_uint_32>(picture.height);
    const void* pixels = picture.rgb.data();
    std::vector<std::uint8_t> indices, map;
    image.format = PNG_FORMAT_RGB;
    if (palette.exact()) {
        image.format = PNG_FORMAT_RGB_COLORMAP;
        image.colormap_entries = static_cast<png_uint_32>(palette.size());
        indices = palette.indices(picture);
        for (std::size_t i = 0; i < palette.size(); ++i)
            for (const std::uint8_t channel : palette.colour(i)) map.push_back(channel);
        pixels = indices.data();
    }
    png_alloc_size_t size = 0;
    const void* colours = map.empty() ? nullptr : map.data();
    if (png_image_write_to_memory(&image, nullptr, &size, 0, pixels, 0, colours) == 0)
        return fail(std::string("the PNG cannot be written: ") + image.message);
    std::vector<std::uint8_t> bytes(size);
    if (png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels, 0, colours) == 0)
        return fail(std::string("the PNG cannot be written: ") + image.message);
    bytes.resize(size);
    return bytes;
}

Result<Picture> decodePng(const std::vector<std::uint8_t>& bytes) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0)
        return fail(std::string("not a PNG file: ") + image.message);
    image.format = PNG_FORMAT_RGB;
    Picture picture{static_cast<int>(image.width), static_cast<int>(image.height),
                    std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image))};
    const png_color background{255, 255, 255};
    if (png_image_finish_read(&image, &background, picture.rgb.data(), 0, nullptr) == 0)
        return fail(std::string("the PNG is damaged: ") + image.message);
    return picture;
}

Result<std::vector<std::uint8_t>> encodeGif(const std::vector<Picture>& frames, int delay_ms) {
    SEEDBED_CHECK(!frames.empty(), "a GIF needs at least one frame");
    for (const Picture& frame : frames)
        SEEDBED_CHECK(frame.width == frames[0].width && frame.height == frames[0].height,
                      "all frames of a GIF must have the same size");
    Palette palette(frames);
    // The format requires a power of two.
    int entries = 2;
    while (entries < static_cast<int>(palette.size())) entries *= 2;
    const std::unique_ptr<ColorMapObject, ColorMapFree> map(GifMakeMapObject(entries, nullptr));
    if (map == nullptr) return fail(ErrorCode::out_of_memory, "not enough memory for the palette of a GIF");
    for (std::size_t i = 0; i < palette.size(); ++i) {
        const auto colour = palette.colour(i);
        map->Colors[i] = {colour[0], colour[1], colour[2]};
    }

    std::vector<std::uint8_t> bytes;
    int error = 0;
    std::unique_ptr<GifFileType, GifCloser> file(EGifOpen(&bytes, appendBytes, &error));
    if (file == nullptr) return gifFailure(error);
    EGifSetGifVersion(file.get(), true);
    bool written =
        EGifPutScreenDesc(file.get(), frames[0].width, frames[0].height, 8, 0, map.get()) == GIF_OK &&
        putRepeat(file.get());
    for (std::size_t i = 0; written && i < frames.size(); ++i)
        written = putFrame(file.get(), frames[i], palette.indices(frames[i]), delay_ms);
    if (!written) return gifFailure(file->Error);
    if (EGifCloseFile(file.release(), &error) != GIF_OK) return gifFailure(error);
    return bytes;
}

}  // namespace seedbed
