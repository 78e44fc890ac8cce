// SPDX-License-Identifier: Apache-2.0
// A file system that records whether any operation failed, to distinguish damaged contents from failures to
// read them. Internal to the core.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/base/os/files.hpp"

namespace seedbed {

// Forwards all calls. Contents are damaged if they are invalid although no operation failed. Thread: one
// owner at a time.
class ObservedFiles final : public FileSystem {
public:
    // `inner` must outlive this object, which must outlive the files that it opens.
    explicit ObservedFiles(FileSystem& inner) : inner_(inner) {}
    bool failed() const { return failed_; }

    Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override {
        auto file = note(inner_.open(path, mode));
        if (!file) return file;
        return std::unique_ptr<File>(std::make_unique<ObservedFile>(*this, std::move(*file)));
    }
    Result<std::optional<FileInfo>> info(const Path& path) override { return note(inner_.info(path)); }
    Result<std::vector<FileInfo>> list(const Path& folder) override { return note(inner_.list(folder)); }
    Result<> rename(const Path& from, const Path& to) override { return note(inner_.rename(from, to)); }
    Result<> remove(const Path& path) override { return note(inner_.remove(path)); }
    Result<> makeFolder(const Path& path) override { return note(inner_.makeFolder(path)); }
    Result<> syncFolder(const Path& folder) override { return note(inner_.syncFolder(folder)); }
    Result<std::uint64_t> freeBytes(const Path& path) override { return note(inner_.freeBytes(path)); }

private:
    class ObservedFile final : public File {
    public:
        ObservedFile(ObservedFiles& files, std::unique_ptr<File> inner)
            : files_(files), inner_(std::move(inner)) {}
        Result<std::size_t> read(std::span<std::byte> into) override {
            return files_.note(inner_->read(into));
        }
        Result<std::size_t> write(std::span<const std::byte> from) override {
            return files_.note(inner_->write(from));
        }
        Result<> sync() override { return files_.note(inner_->sync()); }
        Result<> close() override { return files_.note(inner_->close()); }

    private:
        ObservedFiles& files_;
        std::unique_ptr<File> inner_;
    };

    template <class T>
    Result<T> note(Result<T> result) {
        failed_ = failed_ || !result;
        return result;
    }

    FileSystem& inner_;
    bool failed_ = false;
};

}  // namespace seedbed
