// SPDX-License-Identifier: Apache-2.0
// A file system whose operations can be made to fail.
#pragma once

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/base/os/files.hpp"

namespace seedbed::testing {

// How an operation fails. There is no EINTR: the real file system repeats interrupted calls
// (tests/unit/interrupts), so its callers never see one.
struct FileFault {
    bool forever;  // all later operations fail, too
    int error;
};
inline constexpr FileFault kFileFaults[] = {{false, ENOSPC}, {true, ENOSPC}, {false, EIO}, {true, EIO}};
inline std::string nameOf(const FileFault& fault) {
    return std::string(fault.error == ENOSPC ? "full disk" : "I/O error") +
           (fault.forever ? " permanently" : " once");
}

// The free space set by a test, otherwise that of the disk. Thread: any.
class FreeSpace {
public:
    FreeSpace& operator=(std::uint64_t bytes) {
        bytes_ = static_cast<std::int64_t>(bytes);
        return *this;
    }
    void reset() { bytes_ = -1; }
    std::optional<std::uint64_t> get() const {
        const std::int64_t bytes = bytes_;
        return bytes < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(bytes));
    }

private:
    std::atomic<std::int64_t> bytes_{-1};
};

// Counts the operations on the real file system and makes them fail on demand; long writes and reads are
// always cut short, and a failing write writes half of the data. Syncs are only counted, since a test cannot
// simulate a power failure. Thread: any, for example the one that saves a run's checkpoints.
class FailingFiles final : public FileSystem {
public:
    // Operation number `at` (from 1) fails, and with `forever` all later ones; 0: none. Without `error`,
    // ENOSPC and EIO alternate.
    void failAt(int at, bool forever, int error = 0) {
        const std::scoped_lock guard(mutex_);
        fail_at_ = at;
        forever_ = forever;
        error_ = error;
        count_ = 0;
        failures_ = 0;
    }
    void failAt(int at, const FileFault& fault) { failAt(at, fault.forever, fault.error); }
    int count() const {
        const std::scoped_lock guard(mutex_);
        return count_;
    }
    int failures() const {  // number of failures since failAt()
        const std::scoped_lock guard(mutex_);
        return failures_;
    }
    int renames() const {  // number of renames that succeeded
        const std::scoped_lock guard(mutex_);
        return renames_;
    }

    Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override {
        SEEDBED_TRY(step());
        SEEDBED_ASSIGN(auto file, real_.open(path, mode));
        return std::unique_ptr<File>(
            std::make_unique<FailingFile>(*this, std::move(file), path.filename().string()));
    }
    Result<std::optional<FileInfo>> info(const Path& path) override {
        return guarded([&] { return real_.info(path); });
    }
    Result<std::vector<FileInfo>> list(const Path& folder) override {
        return guarded([&] { return real_.list(folder); });
    }
    Result<> rename(const Path& from, const Path& to) override {
        note("rename to " + to.filename().string());
        auto renamed = guarded([&] { return real_.rename(from, to); });
        const std::scoped_lock guard(mutex_);
        renames_ += renamed.has_value();
        return renamed;
    }
    Result<> remove(const Path& path) override {
        return guarded([&] { return real_.remove(path); });
    }
    Result<> makeFolder(const Path& path) override {
        return guarded([&] { return real_.makeFolder(path); });
    }
    Result<> syncFolder(const Path& folder) override {
        note("sync folder " + folder.filename().string());
        return step();
    }
    Result<std::uint64_t> freeBytes(const Path& path) override {
        SEEDBED_TRY(step());
        const auto said = free_bytes.get();
        return said ? Result<std::uint64_t>(*said) : real_.freeBytes(path);
    }

    FreeSpace free_bytes;
    std::vector<std::string> log;  // syncs and renames; read it only while no other thread uses this object

private:
    class FailingFile final : public File {
    public:
        FailingFile(FailingFiles& files, std::unique_ptr<File> inner, std::string name)
            : files_(files), inner_(std::move(inner)), name_(std::move(name)) {}
        Result<std::size_t> read(std::span<std::byte> into) override {
            return files_.guarded(
                [&] { return inner_->read(into.first(std::min<std::size_t>(into.size(), 3000))); });
        }
        Result<std::size_t> write(std::span<const std::byte> from) override {
            if (auto may = files_.step(); !may) {
                (void)inner_->write(from.first(std::min<std::size_t>(from.size(), 3000) / 2));
                return tl::unexpected<Error>(std::move(may).error());
            }
            return inner_->write(from.first(std::min<std::size_t>(from.size(), 3000)));
        }
        Result<> sync() override {
            files_.note("sync " + name_);
            return files_.step();
        }
        Result<> close() override {
            return files_.guarded([&] { return inner_->close(); });
        }

    private:
        FailingFiles& files_;
        std::unique_ptr<File> inner_;
        std::string name_;
    };

    Result<> step() {
        const std::scoped_lock guard(mutex_);
        ++count_;
        if (fail_at_ == 0 || (count_ != fail_at_ && !(forever_ && count_ > fail_at_))) return {};
        ++failures_;
        const int error = error_ != 0 ? error_ : count_ % 2 == 0 ? ENOSPC : EIO;
        return tl::unexpected<Error>(systemError(error, "operation " + std::to_string(count_)));
    }
    void note(std::string what) {
        const std::scoped_lock guard(mutex_);
        log.push_back(std::move(what));
    }
    template <class Call>
    auto guarded(const Call& call) -> decltype(call()) {
        SEEDBED_TRY(step());
        return call();
    }

    RealFileSystem real_;
    mutable std::mutex mutex_;
    int fail_at_ = 0, error_ = 0;
    bool forever_ = false;
    int count_ = 0, failures_ = 0, renames_ = 0;
};

}  // namespace seedbed::testing
