// SPDX-License-Identifier: Apache-2.0
// Writes an event file that TensorBoard can read while it grows.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/os/files.hpp"
#include "core/tensorboard/events.hpp"

namespace seedbed::tensorboard {

// Thread: one owner at a time.
class EventFile {
public:
    // Creates the folder and a new file in it, whose name contains `time`, the host and this process; the
    // name of a later file in the same folder sorts after it.
    static Result<EventFile> create(FileSystem& files, const Path& folder, double time);

    const Path& path() const { return path_; }
    // Bytes that have not been written yet.
    std::size_t buffered() const { return buffer_.size(); }

    void addRestart(double time, std::int64_t step);
    void addScalars(double time, std::int64_t step, std::span<const NamedValue> values);
    // Writes the buffer. After an error the file may end with an incomplete record; do not use it again.
    Result<> flush();
    Result<> close();

private:
    EventFile(std::unique_ptr<File> file, Path path) : file_(std::move(file)), path_(std::move(path)) {}

    std::unique_ptr<File> file_;
    Path path_;
    std::vector<std::uint8_t> buffer_;
};

}  // namespace seedbed::tensorboard
