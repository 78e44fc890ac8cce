// SPDX-License-Identifier: Apache-2.0
// A private temporary folder for running exported files, so that no other file of an export folder can be
// compiled or loaded.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/os/files.hpp"
#include "core/export/target.hpp"

namespace seedbed {

// The destructor removes the folder.
class ScratchFolder {
public:
    static Result<ScratchFolder> create();
    ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, Path())) {}
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder();

    const Path& path() const { return path_; }
    Result<> add(const ExportFile& file) const;
    // Adds the files with these names. error: names the missing file.
    Result<> add(std::span<const ExportFile> files, const std::vector<std::string>& names) const;

private:
    explicit ScratchFolder(Path path) : path_(std::move(path)) {}
    Path path_;
};

}  // namespace seedbed
