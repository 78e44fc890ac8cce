// SPDX-License-Identifier: Apache-2.0
// The folder that a worker may write to.
#pragma once

#include <filesystem>

#include "core/base/error.hpp"
#include "core/ipc/descriptor.hpp"

namespace seedbed {

// A new folder for temporary files, which is removed with this object. create() also removes the folders of
// killed processes: a folder is locked as long as its owner is running. Removal takes at most 5 s; a later
// process removes anything left over.
class WorkerFolder {
public:
    // An empty object, without a folder.
    WorkerFolder() = default;
    // error: the folder for temporary files does not exist or is not writable.
    static Result<WorkerFolder> create();
    WorkerFolder(WorkerFolder&& other) noexcept;
    WorkerFolder& operator=(WorkerFolder&& other) noexcept;
    ~WorkerFolder();

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    Descriptor lock_;
};

}  // namespace seedbed
