// SPDX-License-Identifier: Apache-2.0
#include "core/export/executors/scratch_folder.hpp"

#include <cstdlib>

namespace seedbed {

Result<ScratchFolder> ScratchFolder::create() {
    std::error_code error;
    const Path base = std::filesystem::temp_directory_path(error);
    std::string name = ((error ? Path("/tmp") : base) / "seedbed-check-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        return tl::unexpected<Error>(
            systemError(errno, "creating the folder '" + name + "' to run the export in"));
    return ScratchFolder(name);
}

ScratchFolder::~ScratchFolder() {
    RealFileSystem files;
    if (!path_.empty()) (void)removeTree(files, path_);
}

Result<> ScratchFolder::add(const ExportFile& file) const {
    RealFileSystem files;
    SEEDBED_ASSIGN(const auto out, files.open(path_ / file.name, OpenMode::create));
    SEEDBED_TRY(writeAll(*out, std::as_bytes(std::span(file.bytes))));
    return out->close();
}

Result<> ScratchFolder::add(std::span<const ExportFile> files, const std::vector<std::string>& names) const {
    for (const std::string& name : names) {
        SEEDBED_ASSIGN(const ExportFile* file, findFile(files, name));
        SEEDBED_TRY(add(*file));
    }
    return {};
}

}  // namespace seedbed
