// SPDX-License-Identifier: Apache-2.0
// The folder that a worker may write to.
#pragma once

#include <filesystem>

#include "core/base/error.hpp"
#include "core/ipc/descriptor.hpp"

namespace seedbed {

// A new folder for temporary files, which is removed with this object. create() also removes those of
// processes that were killed: the folder is locked as long as its owner lives.
class ScratchFolder {
public:
    // An empty object, without a folder.
    ScratchFolder() = default;
    // error: the folder for temporary files does not exist or is not writable.
    static Result<ScratchFolder> create();
    ScratchFolder(ScratchFolder&& other) noexcept;
    ScratchFolder& operator=(ScratchFolder&& other) noexcept;
    ~ScratchFolder();

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    Descriptor lock_;
};

}  // namespace seedbed
