// SPDX-License-Identifier: Apache-2.0
#include "core/play/film.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include <unistd.h>

#include "core/base/text.hpp"
#include "core/env/picture_files.hpp"
#include "core/ipc/child_process.hpp"
#include "core/play/player_action.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kMaxGifBytes = std::size_t{512} << 20;  // of its pictures in memory
constexpr std::int64_t kFfmpegTimeoutMs = 120'000;
constexpr std::size_t kCurveRows = 120;  // rows of the value curve
constexpr int kMaxBars = 8;
constexpr Colour kInk{40, 44, 52, 255}, kAccent{43, 108, 176, 255}, kTrack{226, 230, 236, 255},
    kPerson{204, 102, 0, 255};

bool isMp4(const Path& path) { return lowered(path.extension().string()) == ".mp4"; }

std::string shortText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return std::isfinite(value) ? text : "-";
}

// The letters of the built-in font are 6 dots apart and 7 dots high, and labels are centred.
void leftLabel(Scene& scene, float x, float y, float height, const std::string& text, Colour colour) {
    scene.label(x + 3.0F / 7 * height * static_cast<float>(text.size()), y, height, text, colour);
}

void addBars(Scene& scene, const FilmFrame& frame, const ActionLeaf& leaf, float top) {
    const PlayerRecord& now = frame.now;
    for (int i = 0; i < std::min(leaf.n, kMaxBars); ++i) {
        const float y = top - 0.06F * static_cast<float>(i);
        const float share = now.shown[static_cast<std::size_t>(i)];
        const bool chosen = !now.action.empty() && static_cast<int>(now.action[0]) == i;
        leftLabel(scene, 0.03F, y, 0.035F, choiceName(leaf, i).substr(0, 12), chosen ? kAccent : kInk);
        scene.rectangle(0.575F, y, 0.35F, 0.03F, kTrack);
        if (share > 0) scene.rectangle(0.4F + 0.175F * share, y, 0.35F * share, 0.03F, kAccent);
    }
}

void addCurve(Scene& scene, const std::vector<float>& values) {
    const std::size_t count = std::min(values.size(), kCurveRows);
    const auto begin = values.end() - static_cast<std::ptrdiff_t>(count);
    float low = INFINITY, high = -INFINITY;
    for (auto value = begin; value != values.end(); ++value) {
        if (!std::isfinite(*value)) continue;
        low = std::min(low, *value);
        high = std::max(high, *value);
    }
    if (!(low <= high)) return;
    const float span = std::max(high - low, 1e-6F);
    const auto point = [&](std::size_t i) {
        return 0.05F + 0.25F * (*(begin + static_cast<std::ptrdiff_t>(i)) - low) / span;
    };
    for (std::size_t i = 1; i < count; ++i) {
        const float x = 0.03F + 0.72F * static_cast<float>(i - 1) / static_cast<float>(kCurveRows);
        if (std::isfinite(point(i - 1)) && std::isfinite(point(i)))
            scene.line(x, point(i - 1), x + 0.72F / static_cast<float>(kCurveRows), point(i), 0.006F,
                       kAccent);
    }
}

// The outputs of the policy, in a view of 0.75 x 1.
Scene thoughtsScene(const FilmFrame& frame, const std::vector<float>& values, const Spaces& spaces) {
    Scene scene;
    scene.clear(0, 0, 0.78F, 1, {250, 250, 252, 255});
    const PlayerRecord& now = frame.now;
    leftLabel(scene, 0.03F, 0.95F, 0.035F, "return " + shortText(now.return_so_far), kInk);
    leftLabel(scene, 0.48F, 0.95F, 0.035F, "step " + std::to_string(now.step), kInk);
    if (std::isfinite(now.value))
        leftLabel(scene, 0.03F, 0.36F, 0.035F, "value " + shortText(now.value), kInk);
    if (now.source == DecisionSource::person) leftLabel(scene, 0.48F, 0.36F, 0.035F, "person", kPerson);
    if (!spaces.actions.empty()) {
        const ActionLeaf& leaf = spaces.actions[0];
        const bool has_bars =
            leaf.kind == ActionLeaf::Kind::discrete && now.shown.size() >= static_cast<std::size_t>(leaf.n);
        if (has_bars) addBars(scene, frame, leaf, 0.87F);
        else if (now.decided) leftLabel(scene, 0.03F, 0.87F, 0.035F, actionText(now.action, spaces), kInk);
    }
    addCurve(scene, values);
    return scene;
}

Picture beside(const Picture& left, const Picture& right) {
    Picture both{left.width + right.width, left.height, {}};
    both.rgb.resize(static_cast<std::size_t>(both.width) * static_cast<std::size_t>(both.height) * 3);
    for (int y = 0; y < left.height; ++y) {
        std::uint8_t* to = both.rgb.data() + static_cast<std::size_t>(y * both.width) * 3;
        std::copy_n(left.rgb.data() + static_cast<std::size_t>(y * left.width) * 3,
                    static_cast<std::size_t>(left.width) * 3, to);
        std::copy_n(right.rgb.data() + static_cast<std::size_t>(y * right.width) * 3,
                    static_cast<std::size_t>(right.width) * 3, to + static_cast<std::size_t>(left.width) * 3);
    }
    return both;
}

// Calls body(picture) for each frame until it fails.
template <class Body>
Result<> forPictures(const std::vector<FilmFrame>& frames, const Spaces& spaces, const FilmOptions& options,
                     const std::stop_token& stop, const Body& body) {
    std::vector<float> values;
    for (const FilmFrame& frame : frames) {
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "the recording was stopped");
        values.push_back(frame.now.value);
        SEEDBED_TRY(body(filmPicture(frame, values, spaces, options)));
    }
    return {};
}

Result<> writeGif(FileSystem& files, const Path& path, const std::vector<FilmFrame>& frames,
                  const Spaces& spaces, const FilmOptions& options, const std::stop_token& stop) {
    const Picture first = filmPicture(frames.front(), {}, spaces, options);
    if (first.rgb.size() > kMaxGifBytes / frames.size())
        return fail(ErrorCode::config, std::to_string(frames.size()) + " frames of " +
                                           std::to_string(first.width) + " x " +
                                           std::to_string(first.height) +
                                           " pixels are too many for a GIF; record fewer seconds, a smaller "
                                           "size, or an .mp4 file");
    std::vector<Picture> pictures;
    SEEDBED_TRY(forPictures(frames, spaces, options, stop, [&](Picture picture) -> Result<> {
        pictures.push_back(std::move(picture));
        return {};
    }));
    // GIF stores units of 10 ms, and viewers slow down delays below 20 ms.
    const int delay = std::max(20, static_cast<int>(std::lround(100 / options.rate)) * 10);
    SEEDBED_ASSIGN(const auto bytes, encodeGif(pictures, delay));
    return writeFileAtomically(files, path, std::as_bytes(std::span(bytes)));
}

Result<> writeToPipe(int descriptor, const std::vector<std::uint8_t>& bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t count = ::write(descriptor, bytes.data() + at, bytes.size() - at);
        if (count < 0 && errno != EINTR) return fail("ffmpeg stopped reading");
        if (count > 0) at += static_cast<std::size_t>(count);
    }
    return {};
}

Result<> writeMp4(FileSystem& files, const Path& path, const std::vector<FilmFrame>& frames,
                  const Spaces& spaces, const FilmOptions& options, const std::stop_token& stop) {
    const Picture first = filmPicture(frames.front(), {}, spaces, options);
    const Path part = path.string() + ".part.mp4";
    // H.264 with 4:2:0 needs even sides.
    auto started = ChildProcess::start(
        {.arguments = {options.ffmpeg, "-y",
                       "-loglevel",    "error",
                       "-f",           "rawvideo",
                       "-pix_fmt",     "rgb24",
                       "-s",           std::to_string(first.width) + "x" + std::to_string(first.height),
                       "-r",           formatNumber(options.rate),
                       "-i",           "-",
                       "-vf",          "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                       "-pix_fmt",     "yuv420p",
                       "-movflags",    "+faststart",
                       part.string()},
         .input = ChildOptions::Stream::pipe,
         .output = ChildOptions::Stream::null,
         .error = ChildOptions::Stream::pipe});
    if (!started)
        return fail(ErrorCode::config,
                    "an .mp4 file needs ffmpeg, which was not found (on Debian: apt install "
                    "ffmpeg); a .gif file needs nothing");
    ChildProcess& ffmpeg = *started;
    Result<> written = forPictures(frames, spaces, options, stop, [&](const Picture& picture) {
        return writeToPipe(ffmpeg.input().get(), picture.rgb);
    });
    ffmpeg.input() = Descriptor();
    SEEDBED_ASSIGN(const auto status, ffmpeg.wait(stop, deadlineIn(kFfmpegTimeoutMs)));
    if (written && status && status->ok()) return files.rename(part, path);
    std::string reason;
    char bytes[2048];
    if (const ssize_t count = ::read(ffmpeg.error().get(), bytes, sizeof bytes); status && count > 0)
        reason = std::string(trimmed(std::string_view(bytes, static_cast<std::size_t>(count))));
    (void)files.remove(part);
    if (!written && written.error().code == ErrorCode::interrupted) return written;
    return fail("ffmpeg could not write '" + path.string() + "': " +
                (!reason.empty() ? reason
                 : status        ? status->text()
                                 : "it did not finish"));
}

}  // namespace

Result<> checkFilmPath(const Path& path) {
    if (const std::string kind = lowered(path.extension().string()); kind == ".gif" || kind == ".mp4")
        return {};
    return fail(ErrorCode::config, "'" + path.string() + "' must end with .gif or .mp4 (which needs ffmpeg)");
}

Picture filmPicture(const FilmFrame& frame, const std::vector<float>& values, const Spaces& spaces,
                    const FilmOptions& options) {
    const PictureSize size = fittingSize(frame.scene, options.size, options.size);
    if (!options.thoughts) return render(frame.scene, size.width, size.height);
    // Flat games get a higher border, so that the text is readable.
    const int height = std::max(size.height, options.size * 3 / 4);
    const Picture game = render(frame.scene, size.width, height);
    return beside(game, render(thoughtsScene(frame, values, spaces), height * 78 / 100, height));
}

Result<> writeFilm(FileSystem& files, const Path& path, const std::vector<FilmFrame>& frames,
                   const Spaces& spaces, const FilmOptions& options, const std::stop_token& stop) {
    SEEDBED_TRY(checkFilmPath(path));
    if (frames.empty()) return fail(ErrorCode::config, "there are no rows to record");
    return isMp4(path) ? writeMp4(files, path, frames, spaces, options, stop)
                       : writeGif(files, path, frames, spaces, options, stop);
}

}  // namespace seedbed
