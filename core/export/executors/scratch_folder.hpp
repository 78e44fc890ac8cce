// SPDX-License-Identifier: Apache-2.0
// A private folder for programs that run exported files: it holds what it is given and nothing else, so that
// no file beside an export can be compiled or loaded.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/files.hpp"
#include "core/export/target.hpp"

namespace seedbed {

// Goes with its owner.
class ScratchFolder {
public:
    static Result<ScratchFolder> create();
    ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, Path())) {}
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder();

    const Path& path() const { return path_; }
    Result<> add(const ExportFile& file) const;
    // Those of `files` that are called so. error: names what is missing.
    Result<> add(std::span<const ExportFile> files, const std::vector<std::string>& names) const;

private:
    explicit ScratchFolder(Path path) : path_(std::move(path)) {}
    Path path_;
};

}  // namespace seedbed
