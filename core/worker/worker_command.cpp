// SPDX-License-Identifier: Apache-2.0
#include "core/worker/worker_command.hpp"

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
    plan.restricted = true;
    plan.environment = {{"PYTHONDONTWRITEBYTECODE", "1"},
                        {"OMP_NUM_THREADS", "1"},
                        {"OPENBLAS_NUM_THREADS", "1"},
                        {"MKL_NUM_THREADS", "1"}};
    return {};
}

}  // namespace seedbed
