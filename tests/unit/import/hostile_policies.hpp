// SPDX-License-Identifier: Apache-2.0
// Files that an attacker could offer as a policy: programs, archives that load code, and invalid models,
// weights, descriptions and folders. All are generated from a valid policy; none is stored.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/json.hpp"

namespace seedbed::testing {

struct HostilePolicy {
    std::string name;
    std::map<std::string, std::string> files;                 // by path in the folder of the case
    std::map<std::string, std::filesystem::path> links = {};  // symbolic links by path
    std::string source = "model.safetensors";                 // what the user imports
    std::string reason = {};                                  // part of the error
    bool harmless = false;                                    // valid, and imported as data only
};

// The files of a valid policy: config.json, model.safetensors, and manifest.json of an export.
struct GoodPolicy {
    std::map<std::string, std::string> files;

    Json config() const { return Json::parse(files.at("config.json")); }
    Json header() const;       // header of the tensors
    std::string body() const;  // numbers of the tensors
};
GoodPolicy goodPolicy();

// A safetensors file: the length of the header, the header, and the numbers.
std::string tensorFile(const std::string& header, const std::string& body);
// The manifest with correct sizes and hashes of `files`, as an attacker would write it.
std::string manifestOf(Json manifest, const std::map<std::string, std::string>& files);

// Programs that create the file `trace` when they are loaded or run, in several formats.
std::vector<HostilePolicy> hostilePrograms(const GoodPolicy& good, const std::filesystem::path& trace);
std::vector<HostilePolicy> hostileTensors(const GoodPolicy& good);
std::vector<HostilePolicy> hostileDescriptions(const GoodPolicy& good, const std::filesystem::path& trace);
std::vector<HostilePolicy> hostileFolders(const GoodPolicy& good, const std::filesystem::path& trace);

// ONNX files, which are read only by `seedbed verify`.
struct HostileModel {
    std::string name;
    std::string bytes;
    std::string reason;
};
std::vector<HostileModel> hostileModels();

}  // namespace seedbed::testing
