// SPDX-License-Identifier: Apache-2.0
// Reads the event files of a run, which may have been written by any program.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/os/files.hpp"

namespace seedbed::tensorboard {

// The points of one tag; all lists have the same length, and steps never decrease.
struct ScalarCurve {
    std::string tag;
    std::vector<std::int64_t> steps;
    std::vector<double> times;  // wall-clock seconds since 1970 UTC
    std::vector<double> values;
};

// Limits for files from others.
struct EventLimits {
    std::uint64_t file_bytes = std::uint64_t{1} << 30;
    std::size_t files = 1000;  // per folder
    std::size_t curves = 5000;
    std::size_t points = 20'000'000;
    int depth = 5;  // of folders below the source
};

// Whether a file's name is that of an event file.
bool isEventFile(const Path& name);

// The folders at and below `source` that contain event files, sorted; `source` itself if it is such a file.
// Does not follow links. error: a folder cannot be read.
Result<std::vector<Path>> findEventFolders(FileSystem& files, const Path& source,
                                           const EventLimits& limits = {});

// The curves of a folder's event files (or of one event file), sorted by tag. Points that a resume made
// obsolete are omitted, as in TensorBoard. The files are not trusted. error: config, with the file and the
// position of the record, if a file is damaged or exceeds a limit; from the file system.
Result<std::vector<ScalarCurve>> readCurves(FileSystem& files, const Path& source,
                                            const EventLimits& limits = {});

// As above, from the contents of one file.
Result<std::vector<ScalarCurve>> curvesOf(std::span<const std::uint8_t> file, const EventLimits& limits = {});

}  // namespace seedbed::tensorboard
