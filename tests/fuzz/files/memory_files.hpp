// SPDX-License-Identifier: Apache-2.0
// Read-only files in memory, with which fuzzers replace the file system.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/os/files.hpp"

namespace seedbed {

class MemoryFiles final : public FileSystem {
public:
    std::map<std::string, std::string> contents;  // by path

    Result<std::unique_ptr<File>> open(const Path& path, OpenMode mode) override {
        const auto found = contents.find(path.string());
        if (mode != OpenMode::read || found == contents.end()) return fail("no such file");
        return std::unique_ptr<File>(std::make_unique<Reader>(found->second));
    }
    Result<std::optional<FileInfo>> info(const Path& path) override {
        FileInfo info;
        info.name = path.filename().string();
        if (const auto found = contents.find(path.string()); found != contents.end()) {
            info.bytes = found->second.size();
            return std::optional<FileInfo>(info);
        }
        info.kind = FileInfo::Kind::folder;
        for (const auto& [name, text] : contents)
            if (name.starts_with(path.string() + "/")) return std::optional<FileInfo>(info);
        return std::optional<FileInfo>();
    }
    Result<std::vector<FileInfo>> list(const Path& folder) override {
        std::vector<FileInfo> found;
        for (const auto& [name, text] : contents)
            if (Path(name).parent_path() == folder)
                found.push_back({.name = Path(name).filename().string(), .bytes = text.size()});
        return found;
    }
    Result<> rename(const Path&, const Path&) override { return fail("read-only"); }
    Result<> remove(const Path&) override { return fail("read-only"); }
    Result<> makeFolder(const Path&) override { return fail("read-only"); }
    Result<> syncFolder(const Path&) override { return {}; }
    Result<std::uint64_t> freeBytes(const Path&) override { return std::uint64_t{0}; }

private:
    class Reader final : public File {
    public:
        explicit Reader(const std::string& text) : text_(text) {}
        Result<std::size_t> read(std::span<std::byte> into) override {
            const std::size_t count = std::min(into.size(), text_.size() - at_);
            if (count > 0) std::memcpy(into.data(), text_.data() + at_, count);
            at_ += count;
            return count;
        }
        Result<std::size_t> write(std::span<const std::byte>) override { return fail("read-only"); }
        Result<> sync() override { return {}; }
        Result<> close() override { return {}; }

    private:
        const std::string& text_;
        std::size_t at_ = 0;
    };
};

}  // namespace seedbed
