// SPDX-License-Identifier: Apache-2.0
#include "core/policy/manifest.hpp"

#include <algorithm>
#include <utility>

#include "core/base/os/memory.hpp"
#include "core/base/os/temporary_files.hpp"
#include "core/base/strict_json.hpp"
#include "core/base/text.hpp"

namespace seedbed {

namespace {

constexpr std::uint64_t kMaxManifest = 1 << 20;
constexpr std::size_t kReadStep = 1 << 16;
// The sizes of larger files are compared with the machine's memory before they are read.
constexpr std::uint64_t kLargeFile = std::uint64_t{1} << 30;

std::string quoted(const Path& path) { return "'" + path.string() + "'"; }

std::string manifestText(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<ManifestFile> fileFromJson(const Json& json) {
    const bool complete = json.is_object() && json.size() == 3 && json.contains("name") &&
                          json["name"].is_string() && json.contains("bytes") &&
                          json["bytes"].is_number_unsigned() && json.contains("sha256") &&
                          json["sha256"].is_string();
    if (!complete) return fail("a file has no name, bytes or sha256");
    ManifestFile file{json["name"].get<std::string>(), json["bytes"].get<std::uint64_t>(),
                      json["sha256"].get<std::string>()};
    if (!isPlainFileName(file.name) || file.name == kManifestName)
        return fail("the file name '" + file.name + "' is not allowed");
    return file;
}

}  // namespace

const ManifestFile* Manifest::find(std::string_view name) const {
    const auto found =
        std::find_if(files.begin(), files.end(), [&](const auto& file) { return file.name == name; });
    return found == files.end() ? nullptr : &*found;
}

std::uint64_t Manifest::bytes() const {
    std::uint64_t sum = 0;
    for (const auto& file : files) sum += file.bytes;
    return sum;
}

bool isPlainFileName(std::string_view name) {
    return !name.empty() && name.size() <= 100 && name.front() != '.' &&
           std::all_of(name.begin(), name.end(), [](char letter) {
               return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                      (letter >= '0' && letter <= '9') || letter == '_' || letter == '.' || letter == '-';
           });
}

Result<FolderWriter> FolderWriter::create(FileSystem& files, const Path& place) {
    const Path parent = place.parent_path().empty() ? Path(".") : place.parent_path();
    FolderWriter writer(files, place, {});
    for (Path above = parent; !above.empty(); above = above.parent_path()) {
        SEEDBED_ASSIGN(const auto there, files.info(above));
        if (there || above == above.parent_path()) break;
        writer.made_.insert(writer.made_.begin(), above);
    }
    SEEDBED_TRY(makeFolders(files, parent));
    removeStaleFilesFor(files, place);
    writer.temporary_ = temporaryPathFor(place);
    SEEDBED_TRY(files.makeFolder(writer.temporary_));
    return writer;
}

FolderWriter::FolderWriter(FolderWriter&& other) noexcept
    : files_(other.files_),
      place_(std::move(other.place_)),
      temporary_(std::exchange(other.temporary_, Path())),
      made_(std::exchange(other.made_, {})),
      manifest_(std::move(other.manifest_)) {}

FolderWriter::~FolderWriter() {
    // The next writer of the same folder removes anything that cannot be removed now, for example for lack of
    // memory.
    try {
        if (!temporary_.empty()) (void)removeTree(*files_, temporary_);
        // Fails for a folder in which another program has created files, which is intended.
        for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) (void)files_->remove(*folder);
    } catch (...) {
    }
}

Result<std::string> FolderWriter::addFile(const std::string& name,
                                          const std::function<Result<>(const ByteSink&)>& fill,
                                          std::uint64_t& bytes) {
    SEEDBED_ASSIGN(const auto file, files_->open(temporary_ / name, OpenMode::create));
    Sha256 hash;
    SEEDBED_TRY(fill([&](std::span<const std::byte> part) -> Result<> {
        hash.update(part);
        bytes += part.size();
        return writeAll(*file, part);
    }));
    SEEDBED_TRY(file->sync());
    SEEDBED_TRY(file->close());
    return hash.hex();
}

Result<> FolderWriter::add(const std::string& name, const std::function<Result<>(const ByteSink&)>& fill) {
    SEEDBED_CHECK(isPlainFileName(name) && name != kManifestName && !manifest_.find(name), name);
    ManifestFile file{name, 0, {}};
    SEEDBED_ASSIGN(file.sha256, addFile(name, fill, file.bytes));
    manifest_.files.push_back(std::move(file));
    return {};
}

Result<> FolderWriter::add(const std::string& name, std::span<const std::byte> bytes) {
    return add(name, [&](const ByteSink& sink) { return sink(bytes); });
}

namespace {

std::string textOf(Json json, const std::vector<ManifestFile>& files) {
    json["files"] = Json::array();
    for (const auto& file : files)
        json["files"].push_back(Json{{"name", file.name}, {"bytes", file.bytes}, {"sha256", file.sha256}});
    json["sha256"] = sha256Hex(manifestText(json));
    return manifestText(json);
}

}  // namespace

Result<> FolderWriter::finish(const Json& header) {
    const std::string text = textOf(header, manifest_.files);
    std::uint64_t bytes = 0;
    SEEDBED_TRY(addFile(
        kManifestName,
        [&](const ByteSink& sink) { return sink(std::as_bytes(std::span(text.data(), text.size()))); },
        bytes));
    SEEDBED_TRY(files_->syncFolder(temporary_));
    SEEDBED_TRY(files_->rename(temporary_, place_));
    temporary_.clear();
    made_.clear();
    return files_->syncFolder(place_.parent_path().empty() ? Path(".") : place_.parent_path());
}

namespace {

// error: the reason, without the name of the file.
Result<Manifest> parseManifest(const std::string& text) {
    Json json = parseStrictJson(text);
    if (!json.is_object() || !json.contains("sha256") || !json["sha256"].is_string())
        return fail("it is not a JSON object that contains its own hash");
    // Detects every change, including changes in formatting.
    if (manifestText(json) != text) return fail("its text was changed");
    const std::string hash = json["sha256"].get<std::string>();
    json.erase("sha256");
    if (sha256Hex(manifestText(json)) != hash) return fail("its SHA-256 does not match its text");
    if (!json.contains("files") || !json["files"].is_array()) return fail("it has no list of files");
    Manifest manifest;
    for (const auto& item : json["files"]) {
        SEEDBED_ASSIGN(auto file, fileFromJson(item));
        if (manifest.find(file.name)) return fail("it names '" + file.name + "' twice");
        manifest.files.push_back(std::move(file));
    }
    json.erase("files");
    manifest.header = std::move(json);
    return manifest;
}

}  // namespace

Result<Manifest> readManifest(FileSystem& files, const Path& folder, bool* is_damaged, FileFilter wanted) {
    bool ignored = false;
    bool& damaged = is_damaged ? *is_damaged : ignored;
    damaged = false;
    const Path path = folder / kManifestName;
    SEEDBED_ASSIGN(const auto info, files.info(path));
    std::string text;
    if (info && info->bytes <= kMaxManifest) {
        SEEDBED_ASSIGN(text, readFile(files, path, kMaxManifest));
    }
    // All later errors, except failures to query files, are errors in the contents.
    damaged = true;
    if (!info)
        return fail(quoted(folder) + " is not a checkpoint or exported policy, or is incomplete: it has no " +
                    kManifestName);
    auto manifest = parseManifest(text);
    if (!manifest) return fail(quoted(path) + " is damaged: " + manifest.error().message);
    for (const auto& file : manifest->files) {
        if (wanted != nullptr && !wanted(file.name)) continue;
        const auto found = files.info(folder / file.name);
        if (!found) {
            damaged = false;
            return tl::unexpected<Error>(found.error());
        }
        if (!*found) return fail(quoted(folder / file.name) + " is missing");
        if ((*found)->kind != FileInfo::Kind::file)
            return fail(quoted(folder / file.name) + " is not a regular file");
        if ((*found)->bytes != file.bytes)
            return fail(quoted(folder / file.name) + " is damaged: it has " +
                        std::to_string((*found)->bytes) + " bytes instead of " + std::to_string(file.bytes));
    }
    damaged = false;
    return manifest;
}

Result<CheckedFile> CheckedFile::open(FileSystem& files, const Path& folder, const ManifestFile& expected) {
    SEEDBED_ASSIGN(auto file, files.open(folder / expected.name, OpenMode::read));
    return CheckedFile(std::move(file), folder / expected.name, expected);
}

Result<> CheckedFile::read(std::span<std::byte> into) {
    if (into.size() > left_) return fail(quoted(path_) + " is damaged: it ends too early");
    while (!into.empty()) {
        SEEDBED_ASSIGN(const std::size_t count, file_->read(into));
        if (count == 0) return fail(quoted(path_) + " is damaged: it ends too early");
        hash_.update(into.first(count));
        left_ -= count;
        into = into.subspan(count);
    }
    return {};
}

Result<> CheckedFile::skip(std::uint64_t bytes) {
    std::vector<std::byte> part(std::min<std::uint64_t>(bytes, kReadStep));
    while (bytes > 0) {
        const auto step = std::min<std::uint64_t>(bytes, part.size());
        SEEDBED_TRY(read(std::span(part).first(step)));
        bytes -= step;
    }
    return {};
}

Result<> CheckedFile::finish() {
    SEEDBED_TRY(skip(left_));
    std::byte more;
    SEEDBED_ASSIGN(const std::size_t count, file_->read(std::span(&more, 1)));
    if (count != 0) return fail(quoted(path_) + " is damaged: it is longer than its manifest states");
    if (hash_.hex() != expected_.sha256)
        return fail(quoted(path_) + " is damaged: its SHA-256 differs from the one in the manifest");
    return {};
}

Result<> copyChecked(FileSystem& files, const Path& folder, const ManifestFile& expected,
                     const ByteSink& to) {
    SEEDBED_ASSIGN(CheckedFile file, CheckedFile::open(files, folder, expected));
    std::vector<std::byte> part(kReadStep);
    for (std::uint64_t left = expected.bytes; left > 0;) {
        const auto now = std::span(part).first(std::min<std::uint64_t>(left, part.size()));
        SEEDBED_TRY(file.read(now));
        SEEDBED_TRY(to(now));
        left -= now.size();
    }
    return file.finish();
}

Result<std::vector<std::uint8_t>> readChecked(FileSystem& files, const Path& folder,
                                              const ManifestFile& expected) {
    // A sparse file can be much larger than the disk space that it uses.
    if (expected.bytes > kLargeFile) {
        const auto memory = readMemory();
        if (memory && expected.bytes > memory->total_bytes)
            return fail(ErrorCode::out_of_memory,
                        quoted(folder / expected.name) + " is larger than the memory of this machine");
    }
    SEEDBED_ASSIGN(CheckedFile file, CheckedFile::open(files, folder, expected));
    std::vector<std::uint8_t> bytes(expected.bytes);
    SEEDBED_TRY(file.read(std::as_writable_bytes(std::span(bytes))));
    SEEDBED_TRY(file.finish());
    return bytes;
}

}  // namespace seedbed
