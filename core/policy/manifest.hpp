// SPDX-License-Identifier: Apache-2.0
// Folders that are complete or do not exist: manifest.json, with sizes and hashes of all files, is written
// last, and every byte is checked on reading.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/os/files.hpp"
#include "core/base/sha256.hpp"
#include "core/policy/tensor_file.hpp"

namespace seedbed {

inline constexpr const char* kManifestName = "manifest.json";

struct ManifestFile {
    std::string name;
    std::uint64_t bytes = 0;
    std::string sha256;
};

struct Manifest {
    Json header = Json::object();  // format, version and small values
    std::vector<ManifestFile> files;

    const ManifestFile* find(std::string_view name) const;
    std::uint64_t bytes() const;  // total size of all files
};

// Whether the name is allowed in such a folder: [A-Za-z0-9_.-]+, at most 100 characters, no dot at the
// beginning.
bool isPlainFileName(std::string_view name);

// Writes a folder under a temporary name; finish() renames it. Without finish(), the destructor removes
// everything that was created, including parent folders. The next writer of the same folder removes files
// that a killed process left behind.
class FolderWriter {
public:
    static Result<FolderWriter> create(FileSystem& files, const Path& place);
    FolderWriter(FolderWriter&& other) noexcept;
    FolderWriter& operator=(FolderWriter&&) = delete;
    ~FolderWriter();

    // Writes and syncs a new file with the bytes that `fill` passes to the sink.
    Result<> add(const std::string& name, const std::function<Result<>(const ByteSink&)>& fill);
    Result<> add(const std::string& name, std::span<const std::byte> bytes);
    // Writes the manifest and renames the folder durably: after success the folder survives a power failure.
    // If only the last sync fails, the complete folder exists.
    Result<> finish(const Json& header);

    std::uint64_t bytes() const { return manifest_.bytes(); }
    // The temporary folder, until finish().
    const Path& folder() const { return temporary_; }

private:
    FolderWriter(FileSystem& files, Path place, Path temporary)
        : files_(&files), place_(std::move(place)), temporary_(std::move(temporary)) {}
    Result<std::string> addFile(const std::string& name, const std::function<Result<>(const ByteSink&)>& fill,
                                std::uint64_t& bytes);

    FileSystem* files_;
    Path place_, temporary_;
    std::vector<Path> made_;  // parent folders that were created, outermost first
    Manifest manifest_;
};

// Selects files by name.
using FileFilter = bool (*)(std::string_view file);

// Reads a manifest and checks its hash and names, and that all files (or those that `wanted` accepts, if set)
// are regular files of the recorded sizes. error: names the file and the reason; `damaged` is true if the
// contents are wrong, false if they could not be read.
Result<Manifest> readManifest(FileSystem& files, const Path& folder, bool* damaged = nullptr,
                              FileFilter wanted = nullptr);

// Reads a file of a manifest sequentially. The bytes must not be used before finish() has compared the hash.
class CheckedFile {
public:
    static Result<CheckedFile> open(FileSystem& files, const Path& folder, const ManifestFile& expected);
    Result<> read(std::span<std::byte> into);
    Result<> skip(std::uint64_t bytes);
    Result<> finish();  // reads the remaining bytes

private:
    CheckedFile(std::unique_ptr<File> file, Path path, ManifestFile expected)
        : file_(std::move(file)),
          path_(std::move(path)),
          expected_(std::move(expected)),
          left_(expected_.bytes) {}

    std::unique_ptr<File> file_;
    Path path_;
    ManifestFile expected_;
    std::uint64_t left_;
    Sha256 hash_;
};

// Passes all bytes to `to` in parts. After an error, such as a wrong hash at the end, the bytes must not be
// used.
Result<> copyChecked(FileSystem& files, const Path& folder, const ManifestFile& expected, const ByteSink& to);
// Reads and checks all bytes.
Result<std::vector<std::uint8_t>> readChecked(FileSystem& files, const Path& folder,
                                              const ManifestFile& expected);

}  // namespace seedbed
