// SPDX-License-Identifier: Apache-2.0
#include "core/run/env_file.hpp"

#include "core/base/sha256.hpp"

namespace seedbed {

std::optional<EnvFile> envFileOf(FileSystem& files, const std::string& env,
                                 const std::vector<EnvFile>& known) {
    const std::size_t begin = env.find(':'), end = env.rfind(':');
    if (begin == std::string::npos || begin == end) return std::nullopt;
    const std::string path = env.substr(begin + 1, end - begin - 1);
    if (!path.ends_with(".py")) return std::nullopt;
    const auto text = readFile(files, path);
    if (!text) return std::nullopt;
    std::string hash = sha256Hex(*text), imported;
    for (const EnvFile& file : known)
        if (file.path != path) imported += "\n" + file.path + " " + file.sha256;
    return EnvFile{path, imported.empty() ? hash : sha256Hex(hash + imported)};
}

Result<std::optional<RunId>> runWithOtherFile(StoreReader& store, const std::string& env, RunId run,
                                              const EnvFile& file) {
    SEEDBED_ASSIGN(const std::vector<RunRecord> runs, store.runs());
    for (auto each = runs.rbegin(); each != runs.rend(); ++each) {
        if (each->id >= run || each->env != env) continue;
        SEEDBED_ASSIGN(const auto stored, store.configOf(each->id));
        const Json then = stored.second.value(kEnvFileFact, Json());
        if (!then.is_object()) continue;  // the run has not begun
        if (then.value("sha256", "") == file.sha256) return std::nullopt;
        return each->id;
    }
    return std::nullopt;
}

}  // namespace seedbed
