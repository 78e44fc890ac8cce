// SPDX-License-Identifier: Apache-2.0
#include "core/worker/worker_command.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/os/files.hpp"
#include "core/base/os/paths.hpp"
#include "core/config/resources.hpp"
#include "core/worker/pack_document.hpp"
#include "core/worker/pack_python.hpp"

namespace seedbed {
namespace {

std::filesystem::path& chosenDataFolder() {
    static std::filesystem::path folder;
    return folder;
}

Result<std::filesystem::path> dataFolder() {
    if (!chosenDataFolder().empty()) return chosenDataFolder();
    return userFolders({}).map([](const UserFolders& folders) { return folders.data; });
}

}  // namespace

void usePacksOf(std::filesystem::path data_folder) { chosenDataFolder() = std::move(data_folder); }

std::string waitingAddressOf(const std::string& id) {
    if (id == "unity:editor") return "0.0.0.0:5004";  // where the editor connects
    if (!id.starts_with("godot:")) return "";
    const std::string address = id.substr(id.find(':') + 1);
    const std::size_t colon = address.rfind(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == address.size()) return "";
    const bool is_port = std::all_of(address.begin() + static_cast<std::ptrdiff_t>(colon) + 1, address.end(),
                                     [](char letter) { return letter >= '0' && letter <= '9'; });
    return is_port ? address : "";
}

Result<> addWorkerCommand(const std::string& id, WorkerPlan& plan) {
    namespace fs = std::filesystem;
    RealFileSystem files;
    SEEDBED_ASSIGN(const fs::path resources, resourcesFolder());
    fs::path script = resources / "python" / "seedbed_worker";  // installed
    std::error_code error;
    if (!fs::is_directory(script, error))
        script = resources.parent_path() / "envs" / "python" / "seedbed_worker";
    if (!fs::is_directory(script, error))
        return fail("the files of the worker were not found in '" + script.string() + "'");
    SEEDBED_ASSIGN(const PackLibrary packs, installedPackLibrary(files));
    SEEDBED_ASSIGN(const fs::path data_folder, dataFolder());
    SEEDBED_ASSIGN(const PackPython python, pythonForEnv(files, data_folder, packs, id));
    plan.command = {python.program};
    plan.command.insert(plan.command.end(), python.arguments.begin(), python.arguments.end());
    plan.command.push_back(script.string());
    // ViZDoom talks to its engine through message queues in shared memory.
    if (id.starts_with("vizdoom:") || id.starts_with("gym:Vizdoom"))
        plan.command.insert(plan.command.end(), {"--write", "/dev/shm"});
    if (id.starts_with("dmlab:")) {
        const fs::path cache = data_folder / "level_cache";
        SEEDBED_TRY(makeFolders(files, cache));
        plan.command.insert(plan.command.end(), {"--write", cache.string()});
        plan.environment.emplace_back("SEEDBED_LEVEL_CACHE", cache.string());
    }
    if (const std::string address = waitingAddressOf(id); !address.empty())
        plan.network = "listen:" + address;
    plan.restricted = true;
    for (const char* name :
         {"PYTHONDONTWRITEBYTECODE", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"})
        plan.environment.emplace_back(name, "1");
    return {};
}

}  // namespace seedbed
