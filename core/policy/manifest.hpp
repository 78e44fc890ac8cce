// SPDX-License-Identifier: Apache-2.0
// A folder of files that is complete or not there: written with sizes and hashes in manifest.json last, read
// with every byte checked.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/json.hpp"
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
    Json header = Json::object();  // what the folder is, its version and small values
    std::vector<ManifestFile> files;

    const ManifestFile* find(std::string_view name) const;
    std::uint64_t bytes() const;  // of all files
};

// Letters of a file name inside such a folder: [A-Za-z0-9_.-]+, at most 100, not beginning with a dot.
bool isPlainFileName(std::string_view name);

// Makes a folder beside its place, file by file, and moves it there with finish(). Destroyed without
// finish(), it removes what it made, folders above the place included. What a killed process was making for
// the same place goes when the next one begins.
class FolderWriter {
public:
    static Result<FolderWriter> create(FileSystem& files, const Path& place);
    FolderWriter(FolderWriter&& other) noexcept;
    FolderWriter& operator=(FolderWriter&&) = delete;
    ~FolderWriter();

    // A new file with what `fill` gives to the sink; synced before it returns.
    Result<> add(const std::string& name, const std::function<Result<>(const ByteSink&)>& fill);
    Result<> add(const std::string& name, std::span<const std::byte> bytes);
    // Writes the manifest, syncs the folder, renames it to its place and syncs the parent. After a success
    // everything survives a power cut; a failure of the very last step leaves the complete folder in its
    // place.
    Result<> finish(const Json& header);

    std::uint64_t bytes() const { return manifest_.bytes(); }
    // Where the files are until finish().
    const Path& folder() const { return temporary_; }

private:
    FolderWriter(FileSystem& files, Path place, Path temporary)
        : files_(&files), place_(std::move(place)), temporary_(std::move(temporary)) {}
    Result<std::string> addFile(const std::string& name, const std::function<Result<>(const ByteSink&)>& fill,
                                std::uint64_t& bytes);

    FileSystem* files_;
    Path place_, temporary_;
    std::vector<Path> made_;  // folders above the place that were missing, the highest first
    Manifest manifest_;
};

// Checks the manifest itself (own hash, names) and that all files have their sizes. error: names file and
// reason; `damaged` says whether the contents are the reason, and not a failure to read them.
Result<Manifest> readManifest(FileSystem& files, const Path& folder, bool* damaged = nullptr);

// Takes the file `name` out of a complete folder, which is complete before and after: first the manifest
// stops naming it, then it goes. Finishes what a crash in between has left. Returns whether the manifest
// named it.
Result<bool> dropFile(FileSystem& files, const Path& folder, const std::string& name);

// A file of a manifest, read from the beginning; what was read counts only after finish() has compared the
// hash.
class CheckedFile {
public:
    static Result<CheckedFile> open(FileSystem& files, const Path& folder, const ManifestFile& expected);
    Result<> read(std::span<std::byte> into);
    Result<> skip(std::uint64_t bytes);
    Result<> finish();  // reads what is left

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

// All bytes to `to`, part by part. error: also when the hash differs in the end, so that what was passed on
// must not be used.
Result<> copyChecked(FileSystem& files, const Path& folder, const ManifestFile& expected, const ByteSink& to);
// All bytes, checked.
Result<std::vector<std::uint8_t>> readChecked(FileSystem& files, const Path& folder,
                                              const ManifestFile& expected);

}  // namespace seedbed
