// SPDX-License-Identifier: Apache-2.0
// Writes rows of a player as a moving picture: GIF with the program's own writer, MP4 with ffmpeg.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "core/base/os/files.hpp"
#include "core/base/scene.hpp"
#include "core/base/spaces.hpp"
#include "core/control/player_frame.hpp"
#include "core/env/render.hpp"

namespace seedbed {

// One row of one environment.
struct FilmFrame {
    Scene scene;
    PlayerRecord now;  // of the agent in focus
};

struct FilmOptions {
    int size = 240;         // longer side of the game in pixels
    double rate = 30;       // frames per second
    bool thoughts = false;  // with value, probabilities and return next to the game
    std::string ffmpeg = "ffmpeg";
};

// error: config, unless `path` ends with .gif or .mp4.
Result<> checkFilmPath(const Path& path);
// The picture of a row; `values`: value estimates up to this row, oldest first.
Picture filmPicture(const FilmFrame& frame, const std::vector<float>& values, const Spaces& spaces,
                    const FilmOptions& options);
// Blocks. Replaces the file. error: config (the path, no frames, ffmpeg is missing, too many frames for a
// GIF), interrupted, or from the file system or ffmpeg; an existing file is then unchanged.
Result<> writeFilm(FileSystem& files, const Path& path, const std::vector<FilmFrame>& frames,
                   const Spaces& spaces, const FilmOptions& options, const std::stop_token& stop = {});

}  // namespace seedbed
