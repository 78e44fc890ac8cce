// SPDX-License-Identifier: Apache-2.0
#include "core/worker/worker_command.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <unistd.h>

#include "core/base/os/files.hpp"
#include "core/base/os/memory.hpp"
#include "core/base/os/paths.hpp"
#include "core/config/resources.hpp"
#include "core/worker/pack_document.hpp"
#include "core/worker/pack_python.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not all C libraries declare it

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

constexpr const char* kUnityEditor = "unity:editor";
constexpr std::uint64_t kLeastMemory = std::uint64_t{2} << 30;
constexpr const char* kVariables[] = {"PATH",    "HOME",        "USER",         "LOGNAME",
                                      "TZ",      "TMPDIR",      "LANG",         "LANGUAGE",
                                      "ROM_DIR", "VIRTUAL_ENV", "CONDA_PREFIX", "LD_LIBRARY_PATH"};
constexpr const char* kPrefixes[] = {"LC_",   "PYTHON",  "SEEDBED_", "SDL_",      "MUJOCO_",
                                     "ALE_",  "OMP_",    "NUMBA_",   "EGL_",      "MESA_",
                                     "__GL",  "__EGL",   "LIBGL_",   "GALLIUM_",  "VK_",
                                     "CUDA_", "NVIDIA_", "XLA_",     "PYOPENGL_", "PYGAME_"};
constexpr const char* kDisplayVariables[] = {"DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"};

// Passes only those variables of this process that a worker needs; others may contain addresses of services
// and passwords.
void addVariables(WorkerPlan& plan, bool has_display) {
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos) continue;
        const std::string name = text.substr(0, equals);
        const auto is_name = [&](const char* known) { return name == known; };
        if (std::ranges::any_of(kVariables, is_name) || name.ends_with("_NUM_THREADS") ||
            std::ranges::any_of(kPrefixes, [&](const char* prefix) { return name.starts_with(prefix); }) ||
            (has_display && std::ranges::any_of(kDisplayVariables, is_name)))
            plan.environment.emplace_back(name, text.substr(equals + 1));
    }
}

}  // namespace

void usePacksOf(std::filesystem::path data_folder) { chosenDataFolder() = std::move(data_folder); }

std::string waitingAddressOf(const std::string& id) {
    if (id == kUnityEditor) return "127.0.0.1:5004";  // where the editor connects
    if (!id.starts_with("godot:")) return "";
    const std::string address = id.substr(id.find(':') + 1);
    const std::size_t colon = address.rfind(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == address.size()) return "";
    const bool is_port = std::all_of(address.begin() + static_cast<std::ptrdiff_t>(colon) + 1, address.end(),
                                     [](char letter) { return letter >= '0' && letter <= '9'; });
    return is_port ? address : "";
}

Result<std::uint64_t> defaultWorkerMemory(int processes) {
    SEEDBED_ASSIGN(const MemoryInfo machine, readMemory());
    return std::max(machine.total_bytes / 2 / static_cast<std::uint64_t>(processes), kLeastMemory);
}

Result<> addWorkerCommand(const std::string& id, WorkerPlan& plan) {
    namespace fs = std::filesystem;
    RealFileSystem files;
    SEEDBED_ASSIGN(const fs::path resources, resourcesFolder());
    fs::path script = resources / "python" / "seedbed_worker";  // path in an installation
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
    if (!python.pack.empty()) {
        SEEDBED_ASSIGN(const PackDocument* pack, packs.get(python.pack));
        for (const std::string& folder : pack->writable_folders)
            plan.command.insert(plan.command.end(), {"--write", folder});
    }
    if (id.starts_with("dmlab:")) {
        const fs::path cache = data_folder / "level_cache";
        SEEDBED_TRY(makeFolders(files, cache));
        plan.command.insert(plan.command.end(), {"--write", cache.string()});
        plan.environment.emplace_back("SEEDBED_LEVEL_CACHE", cache.string());
    }
    const std::string address = waitingAddressOf(id);
    const bool is_game = address.empty() && (id.starts_with("godot:") || id.starts_with("unity:"));
    if (!address.empty()) plan.network = (id == kUnityEditor ? "relay:" : "listen:") + address;
    else if (is_game) plan.network = "game";
    plan.restricted = true;
    SEEDBED_ASSIGN(plan.memory, defaultWorkerMemory(1));
    addVariables(plan, is_game);
    for (const char* name :
         {"PYTHONDONTWRITEBYTECODE", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"})
        plan.environment.emplace_back(name, "1");
    return {};
}

}  // namespace seedbed
