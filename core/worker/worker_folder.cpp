// SPDX-License-Identifier: Apache-2.0
#include "core/worker/worker_folder.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace seedbed {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrefix = "seedbed-worker-";
constexpr std::int64_t kRemovalMs = 5000;

Descriptor openFolder(const fs::path& folder) {
    return Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool isOwn(const Descriptor& folder) {
    struct stat status {};
    return ::fstat(folder.get(), &status) == 0 && status.st_uid == ::geteuid();
}

std::vector<std::string> namesIn(int folder) {
    std::vector<std::string> names;
    DIR* const list = ::fdopendir(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (list == nullptr) return names;
    while (const dirent* entry = ::readdir(list)) {
        const std::string name = entry->d_name;
        if (name != "." && name != "..") names.push_back(name);
    }
    ::closedir(list);
    return names;
}

// Gives this user access to its folder. Returns false if it is not a folder; does not follow links.
bool makeAccessible(int parent, const char* name) {
    const Descriptor folder(::openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder) return false;
    if (isOwn(folder)) (void)::chmod(("/proc/self/fd/" + std::to_string(folder.get())).c_str(), S_IRWXU);
    return true;
}

// A folder that is being emptied: its identity, and its folders that are not removed yet.
struct Level {
    struct stat identity {};
    std::vector<std::string> folders;
};

Level levelOf(int folder) {
    Level level;
    (void)::fstat(folder, &level.identity);
    for (std::string& name : namesIn(folder)) {
        if (::unlinkat(folder, name.c_str(), 0) == 0 || ::unlinkat(folder, name.c_str(), AT_REMOVEDIR) == 0)
            continue;
        if (makeAccessible(folder, name.c_str())) level.folders.push_back(std::move(name));
    }
    return level;
}

// Opens only one folder at a time, since a worker may nest folders deeply. Stops after kRemovalMs, or if a
// folder was moved in the meantime; a later process removes the rest.
void removeTree(const fs::path& path) {
    const Deadline deadline = deadlineIn(kRemovalMs);
    (void)makeAccessible(AT_FDCWD, path.c_str());
    Descriptor folder = openFolder(path);
    if (!folder) return;
    std::vector<Level> levels;
    levels.push_back(levelOf(folder.get()));
    while (deadlineIn(0) < deadline) {
        if (!levels.back().folders.empty()) {
            folder = Descriptor(::openat(folder.get(), levels.back().folders.back().c_str(),
                                         O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
            if (!folder) return;
            levels.push_back(levelOf(folder.get()));
            continue;
        }
        levels.pop_back();
        if (levels.empty()) {
            (void)::rmdir(path.c_str());
            return;
        }
        Level& parent = levels.back();
        folder = Descriptor(::openat(folder.get(), "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        struct stat identity {};
        if (!folder || ::fstat(folder.get(), &identity) != 0 || identity.st_ino != parent.identity.st_ino ||
            identity.st_dev != parent.identity.st_dev)
            return;
        (void)::unlinkat(folder.get(), parent.folders.back().c_str(), AT_REMOVEDIR);
        parent.folders.pop_back();
    }
}

// Removes the folders of this user that no process has locked. If a new folder is removed before its owner
// has locked it, the owner detects this and creates another one.
void removeAbandoned(const fs::path& parent) {
    std::error_code error;
    for (fs::directory_iterator entry(parent, error), end; !error && entry != end; entry.increment(error)) {
        if (!entry->path().filename().string().starts_with(kPrefix)) continue;
        const Descriptor folder = openFolder(entry->path());
        if (folder && isOwn(folder) && ::flock(folder.get(), LOCK_EX | LOCK_NB) == 0)
            removeTree(entry->path());
    }
}

}  // namespace

Result<WorkerFolder> WorkerFolder::create() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);
    if (error) return fail("the folder for temporary files cannot be found: " + error.message());
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
    return fail("cannot create a folder for a worker's temporary files in '" + parent.string() + "'");
}

WorkerFolder::WorkerFolder(WorkerFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}

WorkerFolder& WorkerFolder::operator=(WorkerFolder&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(lock_, other.lock_);
    return *this;
}

WorkerFolder::~WorkerFolder() {
    if (!path_.empty()) removeTree(path_);
}

}  // namespace seedbed
