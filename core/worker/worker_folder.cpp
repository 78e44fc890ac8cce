// SPDX-License-Identifier: Apache-2.0
#include "core/worker/worker_folder.hpp"

#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace seedbed {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "seedbed-worker-";

Descriptor openFolder(const fs::path& folder) {
    return Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// Removes the folders that no process has locked. A new folder is not locked yet: its owner sees that it no
// longer exists and makes another.
void removeAbandoned(const fs::path& parent) {
    std::error_code error;
    for (fs::directory_iterator entry(parent, error), end; !error && entry != end; entry.increment(error)) {
        if (!entry->path().filename().string().starts_with(kPrefix)) continue;
        const Descriptor folder = openFolder(entry->path());
        std::error_code ignored;
        if (folder && ::flock(folder.get(), LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry->path(), ignored);
    }
}

}  // namespace

Result<WorkerFolder> WorkerFolder::create() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    if (error) return fail("there is no folder for temporary files: " + error.message());
    static std::once_flag swept;
    std::call_once(swept, removeAbandoned, parent);
    for (int attempt = 0; attempt < 10; ++attempt) {
        std::string name = (parent / (std::string(kPrefix) + "XXXXXX")).string();
        if (::mkdtemp(name.data()) == nullptr) return systemFailure("creating '" + name + "'");
        WorkerFolder folder;
        folder.lock_ = openFolder(name);
        const bool locked = folder.lock_ && ::flock(folder.lock_.get(), LOCK_SH | LOCK_NB) == 0;
        folder.path_ = name;
        if (locked && fs::exists(folder.path_, error)) return folder;
    }
    return fail("no folder for temporary files of a worker could be made in '" + parent.string() + "'");
}

WorkerFolder::WorkerFolder(WorkerFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

WorkerFolder& WorkerFolder::operator=(WorkerFolder&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(lock_, other.lock_);
    return *this;
}

WorkerFolder::~WorkerFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
}

}  // namespace seedbed
