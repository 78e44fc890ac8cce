// SPDX-License-Identifier: Apache-2.0
// PNG and GIF files contain the pictures that were written.
#include "core/env/picture_files.hpp"

#include <gif_lib.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/base/rng.hpp"

namespace seedbed {
namespace {

Picture noise(int width, int height, unsigned colours, std::uint64_t seed) {
    Rng rng(seed, RngPurpose::test);
    Picture picture{width, height, {}};
    for (int i = 0; i < width * height; ++i) {
        const std::uint32_t colour = rng.below(colours) * 7919;
        for (const int shift : {0, 8, 16}) picture.rgb.push_back(static_cast<std::uint8_t>(colour >> shift));
    }
    return picture;
}

TEST(Png, IsLosslessWithFewAndWithManyColours) {
    for (const unsigned colours : {1U, 2U, 17U, 256U, 257U, 100'000U}) {
        const Picture picture = noise(61, 47, colours, 5);
        const auto bytes = encodePng(picture);
        ASSERT_TRUE(bytes.has_value()) << bytes.error().text();
        const auto back = decodePng(*bytes);
        ASSERT_TRUE(back.has_value()) << back.error().text();
        EXPECT_TRUE(*back == picture) << colours << " colours";
    }
}

TEST(Png, IsSmallForAScene) {
    Scene scene;
    scene.clear(0, 0, 1, 1);
    for (int i = 0; i < 8; ++i)
        scene.rectangle(0.125f * static_cast<float>(i), 0.5f, 0.1f, 0.4f,
                        {200, static_cast<std::uint8_t>(30 * i), 60});
    const auto bytes = encodePng(render(scene, 240, 240));
    ASSERT_TRUE(bytes.has_value());
    EXPECT_LT(bytes->size(), 2000U);
}

TEST(Png, RejectsOtherFilesAndTruncatedOnes) {
    EXPECT_FALSE(decodePng({}).has_value());
    EXPECT_FALSE(decodePng({'G', 'I', 'F', '8', '9', 'a'}).has_value());
    auto bytes = encodePng(noise(30, 30, 9, 1));
    ASSERT_TRUE(bytes.has_value());
    bytes->resize(bytes->size() / 2);
    EXPECT_FALSE(decodePng(*bytes).has_value());
}

struct Decoded {
    std::vector<Picture> frames;
    std::vector<int> delays_ms;
    bool repeats = false;
};

struct Input {
    const std::vector<std::uint8_t>* bytes;
    std::size_t read = 0;
};

int readBytes(GifFileType* file, GifByteType* into, int count) {
    auto& input = *static_cast<Input*>(file->UserData);
    const std::size_t size = std::min(static_cast<std::size_t>(count), input.bytes->size() - input.read);
    std::memcpy(into, input.bytes->data() + input.read, size);
    input.read += size;
    return static_cast<int>(size);
}

Decoded decodeGif(const std::vector<std::uint8_t>& bytes) {
    Input input{&bytes};
    int error = 0;
    GifFileType* file = DGifOpen(&input, readBytes, &error);
    Decoded decoded;
    if (file == nullptr || DGifSlurp(file) != GIF_OK) return decoded;
    for (int i = 0; i < file->ImageCount; ++i) {
        const SavedImage& image = file->SavedImages[i];
        Picture picture{image.ImageDesc.Width, image.ImageDesc.Height, {}};
        for (int pixel = 0; pixel < picture.width * picture.height; ++pixel) {
            const GifColorType& colour = file->SColorMap->Colors[image.RasterBits[pixel]];
            for (const std::uint8_t channel : {colour.Red, colour.Green, colour.Blue})
                picture.rgb.push_back(channel);
        }
        decoded.frames.push_back(std::move(picture));
        GraphicsControlBlock control;
        if (DGifSavedExtensionToGCB(file, i, &control) == GIF_OK)
            decoded.delays_ms.push_back(control.DelayTime * 10);
        for (int k = 0; k < image.ExtensionBlockCount; ++k)
            decoded.repeats =
                decoded.repeats || (image.ExtensionBlocks[k].Function == APPLICATION_EXT_FUNC_CODE &&
                                    std::memcmp(image.ExtensionBlocks[k].Bytes, "NETSCAPE2.0", 11) == 0);
    }
    DGifCloseFile(file, &error);
    return decoded;
}

TEST(Gif, ContainsItsFramesExactlyUpTo256Colours) {
    for (const unsigned colours : {1U, 3U, 256U}) {
        const std::vector<Picture> frames = {noise(40, 30, colours, 1), noise(40, 30, colours, 2),
                                             noise(40, 30, colours, 3)};
        const auto bytes = encodeGif(frames, 120);
        ASSERT_TRUE(bytes.has_value()) << bytes.error().text();
        const Decoded decoded = decodeGif(*bytes);
        EXPECT_TRUE(decoded.frames == frames) << colours << " colours";
        EXPECT_EQ(decoded.delays_ms, (std::vector<int>{120, 120, 120}));
        EXPECT_TRUE(decoded.repeats);
    }
}

TEST(Gif, UsesTheNearestOfTheMostFrequentColoursIfThereAreMore) {
    // A grey ramp with a frequent pure red: red stays exact, and greys are almost exact.
    Picture picture{400, 4, {}};
    for (int i = 0; i < 1600; ++i) {
        const int step = i % 400;
        const auto grey = static_cast<std::uint8_t>(step * 255 / 399),
                   blue = static_cast<std::uint8_t>(grey ^ (step & 1));
        const bool red = i < 400;
        picture.rgb.insert(picture.rgb.end(), {red ? std::uint8_t{255} : grey, red ? std::uint8_t{0} : grey,
                                               red ? std::uint8_t{0} : blue});
    }
    const auto bytes = encodeGif({picture}, 50);
    ASSERT_TRUE(bytes.has_value());
    const Decoded decoded = decodeGif(*bytes);
    ASSERT_EQ(decoded.frames.size(), 1U);
    const auto& rgb = decoded.frames[0].rgb;
    ASSERT_EQ(rgb.size(), picture.rgb.size());
    int worst = 0;
    for (std::size_t i = 0; i < rgb.size(); ++i) worst = std::max(worst, std::abs(rgb[i] - picture.rgb[i]));
    EXPECT_GT(worst, 0) << "the picture must have more colours than the palette";
    EXPECT_TRUE(std::equal(rgb.begin(), rgb.begin() + 1200, picture.rgb.begin()))
        << "the most frequent colour is exact";
}

}  // namespace
}  // namespace seedbed
