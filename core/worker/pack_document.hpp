// SPDX-License-Identifier: Apache-2.0
// Packs: documents that describe third-party environments and the Python packages they need.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/os/files.hpp"

namespace seedbed {

// A Python package with its exact version. The installer accepts only wheels with these hashes.
struct PackPackage {
    std::string name, version;
    std::uint64_t bytes = 0;           // size of the largest wheel
    std::vector<std::string> sha256s;  // one for each platform and Python version
};

struct PackLicence {
    std::string part;     // a package or a part of one: "ROMs in ale-py"
    std::string licence;  // SPDX identifier, if available
};

// The contents of resources/packs/NAME.json. packaging/pin_packs.py writes "platforms" and "packages" from
// "requirements" and "alone".
struct PackDocument {
    std::string name;      // equals the file's name
    std::string title;     // a few words
    std::string sentence;  // one sentence for users
    std::vector<PackLicence> licences;
    std::vector<std::string> schemes;             // first parts of environment ids: "atari" of "atari:pong"
    std::vector<std::string> envs;                // examples of environment ids
    std::vector<std::string> presets;             // presets that need the pack
    std::vector<std::string> gymnasium_prefixes;  // prefixes of the Gymnasium ids that it registers
    std::vector<std::string> modules;             // Python modules that can be imported afterwards
    std::vector<std::string> system_packages;     // Debian packages with the libraries below
    std::vector<std::string> libraries;           // shared libraries that its environments load: "libGL.so.1"
    std::vector<std::string> picture_libraries;   // libraries needed only for rendering pictures
    std::vector<std::string> writable_folders;    // absolute; outside the scratch folder of its workers
    // Machine ("x86_64") -> Python versions ("3.11") for which all packages have wheels.
    std::map<std::string, std::vector<std::string>> platforms;
    std::vector<PackPackage> packages;
    // Small files written next to the packages: relative path -> text.
    std::vector<std::pair<std::string, std::string>> files;
    // If not empty: how the user installs the packages. The pack then uses the user's Python.
    std::string instructions;
    std::uint64_t installed_bytes = 0;  // approximate
    // Hash of name, packages and files: an installation with a different hash is outdated.
    std::string hash;

    std::uint64_t downloadBytes() const;
    bool isInstalledByUser() const { return !instructions.empty(); }
};

// Parses a document. error: config, with the file's name and the field.
Result<PackDocument> packFromJson(const Json& json, const std::string& name);

// The packs of the program. Thread: any, once loaded.
class PackLibrary {
public:
    // Loads all *.json files of a folder; a missing folder counts as empty. Fails at the first invalid file.
    static Result<PackLibrary> load(FileSystem& files, const Path& folder);

    // error: config, with the most similar name.
    Result<const PackDocument*> get(std::string_view name) const;
    // Sorted by name.
    const std::vector<PackDocument>& all() const { return packs_; }

private:
    std::vector<PackDocument> packs_;
};

// The documents installed with the program.
Result<PackLibrary> installedPackLibrary(FileSystem& files);

}  // namespace seedbed
