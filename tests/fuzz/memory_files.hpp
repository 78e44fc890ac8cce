// SPDX-License-Identifier: Apache-2.0
// A file system in memory, for fuzzers that read whole folders: fast, and without traces on disk.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/os/files.hpp"

namespace seedbed {

// Paths are strings. Implements only the operations that readers and FolderWriter::add use.
class MemoryFiles final : public FileSystem {
public:
    MemoryFiles() = default;
    // Files in the folder "policy".
    explicit MemoryFiles(const std::map<std::string, std::string>& files) {
        for (const auto& [name, text] : files) contents["policy/" + name] = text;
    }
    Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override {
        if (mode == OpenMode::read && !contents.contains(path.string())) return fail("no such file");
        return std::unique_ptr<File>(std::make_unique<MemoryFile>(contents[path.string()]));
    }
    Result<std::optional<FileInfo>> info(const Path& path) override {
        const auto found = contents.find(path.string());
        if (found == contents.end()) return std::optional<FileInfo>();
        return std::optional(
            FileInfo{path.filename().string(), FileInfo::Kind::file, false, found->second.size(), 0});
    }
    Result<std::vector<FileInfo>> list(const Path&) override { return std::vector<FileInfo>(); }
    Result<> rename(const Path&, const Path&) override { return {}; }
    Result<> remove(const Path& path) override {
        contents.erase(path.string());
        return {};
    }
    Result<> makeFolder(const Path&) override { return {}; }
    Result<> syncFolder(const Path&) override { return {}; }
    Result<std::uint64_t> freeBytes(const Path&) override { return std::uint64_t{1} << 40; }

    std::map<std::string, std::string> contents;

private:
    class MemoryFile final : public File {
    public:
        explicit MemoryFile(std::string& text) : text_(text) {}
        Result<std::size_t> read(std::span<std::byte> into) override {
            const std::size_t count = std::min(into.size(), text_.size() - at_);
            if (count > 0) std::memcpy(into.data(), text_.data() + at_, count);
            at_ += count;
            return count;
        }
        Result<std::size_t> write(std::span<const std::byte> from) override {
            text_.append(reinterpret_cast<const char*>(from.data()), from.size());
            return from.size();
        }
        Result<> sync() override { return {}; }
        Result<> close() override { return {}; }

    private:
        std::string& text_;
        std::size_t at_ = 0;
    };
};

}  // namespace seedbed
