// SPDX-License-Identifier: Apache-2.0
// A file system whose operations can be made to fail.
#pragma once

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/files.hpp"

namespace seedbed::testing {

// Counts the operations on the real file system and makes them fail on demand; long writes and reads are cut short all the time. Syncs are
// only counted: no test can take away the power.
class FailingFiles final : public FileSystem {
public:
    // Operation number `at` (from 1) fails, and all after it when `forever`; 0: none.
    void failAt(int at, bool forever) { fail_at_ = at, forever_ = forever, count_ = 0; }
    int count() const { return count_; }
    int renames() const { return renames_; }  // that succeeded

    Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override {
        SEEDBED_TRY(step());
        SEEDBED_ASSIGN(auto file, real_.open(path, mode));
        return std::unique_ptr<File>(std::make_unique<FailingFile>(*this, std::move(file), path.filename().string()));
    }
    Result<std::optional<FileInfo>> info(const Path& path) override {
        return guarded([&] { return real_.info(path); });
    }
    Result<std::vector<FileInfo>> list(const Path& folder) override {
        return guarded([&] { return real_.list(folder); });
    }
    Result<> rename(const Path& from, const Path& to) override {
        log.push_back("rename to " + to.filename().string());
        auto renamed = guarded([&] { return real_.rename(from, to); });
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
        log.push_back("sync folder " + folder.filename().string());
        return step();
    }
    Result<std::uint64_t> freeBytes(const Path& path) override {
        SEEDBED_TRY(step());
        return free_bytes ? Result<std::uint64_t>(*free_bytes) : real_.freeBytes(path);
    }

    std::optional<std::uint64_t> free_bytes;
    std::vector<std::string> log;  // syncs and renames

private:
    class FailingFile final : public File {
    public:
        FailingFile(FailingFiles& files, std::unique_ptr<File> inner, std::string name)
            : files_(files), inner_(std::move(inner)), name_(std::move(name)) {}
        Result<std::size_t> read(std::span<std::byte> into) override {
            return files_.guarded([&] { return inner_->read(into.first(std::min<std::size_t>(into.size(), 3000))); });
        }
        Result<std::size_t> write(std::span<const std::byte> from) override {
            return files_.guarded([&] { return inner_->write(from.first(std::min<std::size_t>(from.size(), 3000))); });
        }
        Result<> sync() override {
            files_.log.push_back("sync " + name_);
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
        ++count_;
        if (fail_at_ != 0 && (count_ == fail_at_ || (forever_ && count_ > fail_at_)))
            return tl::unexpected<Error>(systemError(count_ % 2 == 0 ? ENOSPC : EIO, "operation " + std::to_string(count_)));
        return {};
    }
    template <class Call>
    auto guarded(const Call& call) -> decltype(call()) {
        SEEDBED_TRY(step());
        return call();
    }

    RealFileSystem real_;
    int fail_at_ = 0;
    bool forever_ = false;
    int count_ = 0;
    int renames_ = 0;
};

}  // namespace seedbed::testing
