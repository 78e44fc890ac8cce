// SPDX-License-Identifier: Apache-2.0
#include "core/worker/pack_python.hpp"

#include <algorithm>

#include "core/base/json.hpp"
#include "core/base/os/paths.hpp"
#include "core/base/strict_json.hpp"
#include "core/base/text.hpp"
#include "core/worker/run_program.hpp"

namespace seedbed {

namespace {

constexpr std::int64_t kProbeMs = 20'000;

// Prints the fields of PythonInterpreter.
constexpr const char* kProbe =
    "import json, os, platform, sys\n"
    "print(json.dumps([sys.implementation.name, '%d.%d' % sys.version_info[:2], platform.machine(), "
    "os.path.realpath(sys.executable), os.path.abspath(sys.executable)]))";

// Adds the pack's packages, then runs the script as Python runs its first argument.
constexpr const char* kStart =
    "import os, runpy, site, sys\n"
    "site.addsitedir(sys.argv[1])\n"
    "sys.argv = sys.argv[2:]\n"
    "sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))\n"
    "runpy.run_path(sys.argv[0], run_name='__main__')";

constexpr const char* kInstallPython = "install Python (Debian: apt install python3 python3-venv)";

std::vector<std::string> pythonCandidates(const PackDocument& pack, const std::string& chosen) {
    if (!chosen.empty()) return {chosen};
    if (const auto python = processEnvironment()("SEEDBED_PYTHON")) return {*python};
    std::vector<std::string> names{"python3"};
    for (const auto& [machine, versions] : pack.platforms)
        for (const std::string& version : versions) {
            const std::string name = "python" + version;
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        }
    return names;
}

// Examines the interpreter with this name or path. error: it does not run or is not CPython.
Result<PythonInterpreter> probePython(const std::string& name, const std::stop_token& stop) {
    SEEDBED_ASSIGN(const ProgramEnd end,
                   runProgram({.arguments = {name, "-I", "-c", kProbe}, .timeout_ms = kProbeMs}, stop));
    const std::string_view output = trimmed(end.output);  // warnings may precede the answer
    const Json json = parseStrictJson(output.substr(output.rfind('\n') + 1));
    const bool is_good = end.status.ok() && json.is_array() && json.size() == 5 &&
                         std::all_of(json.begin(), json.end(), [](const Json& j) { return j.is_string(); });
    if (!is_good) return fail("it is not a working Python 3");
    if (json[0] != "cpython") return fail("it is " + json[0].get<std::string>() + ", not CPython");
    return PythonInterpreter{json[3].get<std::string>(), json[4].get<std::string>(),
                             json[1].get<std::string>(), json[2].get<std::string>()};
}

// "" if the pack can be installed for this Python.
std::string reasonAgainst(const PackDocument& pack, const PythonInterpreter& python) {
    if (pack.isInstalledByUser()) return "";
    const auto found = pack.platforms.find(python.machine);
    if (found == pack.platforms.end())
        return "its packages are not made for machines of type " + python.machine;
    const auto& versions = found->second;
    if (std::find(versions.begin(), versions.end(), python.version) != versions.end()) return "";
    return "it is Python " + python.version + ", but the packages are made for " + join(versions, ", ");
}

// The module of "gym:module:Id", or "" for "gym:Id" and "gym:./file.py:Class".
std::string moduleOf(const std::string& gymnasium_id) {
    const std::size_t colon = gymnasium_id.find(':');
    const std::string module = colon == std::string::npos ? "" : gymnasium_id.substr(0, colon);
    return module.find('/') != std::string::npos || module.ends_with(".py") ? "" : module;
}

// Whether the user's Python finds the module, which is not in the current folder.
bool isInstalledForPython(const std::string& module) {
    constexpr const char* probe =
        "import importlib.util, sys; sys.path.pop(0); "
        "sys.exit(importlib.util.find_spec(sys.argv[1]) is None)";
    const auto end = runProgram({.arguments = {"python3", "-c", probe, module}, .timeout_ms = kProbeMs}, {});
    return end && end->status.ok();
}

bool startsWithAny(const std::string& text, const std::vector<std::string>& beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](const std::string& beginning) { return text.starts_with(beginning); });
}

}  // namespace

Result<PythonInterpreter> findPython(const PackDocument& pack, const std::string& chosen,
                                     const std::stop_token& stop) {
    std::vector<std::string> reasons;
    for (const std::string& name : pythonCandidates(pack, chosen)) {
        auto python = probePython(name, stop);
        if (!python && python.error().code == ErrorCode::interrupted)
            return tl::unexpected<Error>(std::move(python.error()));
        std::string reason = python ? reasonAgainst(pack, *python) : python.error().message;
        if (reason.empty()) return python;
        // Gives no reasons for the other versions, most of which are not installed.
        if (python || reasons.empty()) reasons.push_back("'" + name + "': " + reason);
    }
    if (!chosen.empty())
        return fail(ErrorCode::config,
                    "the pack '" + pack.name + "' cannot be installed with --python " + reasons.front());
    return fail(ErrorCode::config, "the pack '" + pack.name +
                                       "' cannot be installed with the Python on this "
                                       "computer (" +
                                       join(reasons, "; ") + "); " + kInstallPython +
                                       ", or name one with --python or the variable SEEDBED_PYTHON");
}

PackPython pythonOf(const InstalledPack& installed) {
    if (installed.uses_python_packages) return {installed.name, installed.python, {}};
    return {installed.name, installed.python, {"-I", "-S", "-c", kStart, installed.site().string()}};
}

Result<PackPython> packPython(FileSystem& files, const Path& data_folder, const std::string& pack) {
    SEEDBED_ASSIGN(const auto installed, readInstalledPack(files, data_folder, pack));
    if (!installed)
        return fail(ErrorCode::config, "the pack '" + pack + "' is not installed; 'seedbed pack install " +
                                           pack + "' installs it");
    return pythonOf(*installed);
}

std::optional<std::string> packOfEnv(FileSystem& files, const Path& data_folder, const PackLibrary& packs,
                                     const std::string& env) {
    const std::size_t colon = env.find(':');
    if (colon == std::string::npos) return std::nullopt;
    const std::string scheme = env.substr(0, colon), id = env.substr(colon + 1);
    for (const PackDocument& pack : packs.all())
        if (scheme == "gym"
                ? startsWithAny(id, pack.gymnasium_prefixes)
                : std::find(pack.schemes.begin(), pack.schemes.end(), scheme) != pack.schemes.end())
            return pack.name;
    if (processEnvironment()("SEEDBED_PYTHON")) return std::nullopt;
    std::string module = scheme == "gym" ? moduleOf(id) : "numpy";  // other ids need only NumPy
    if (module.empty()) module = "gymnasium";
    module = module.substr(0, module.find('.'));
    const auto contains = [&](const std::string& pack) {
        const auto installed = readInstalledPack(files, data_folder, pack);
        if (!installed || !*installed || (*installed)->uses_python_packages) return false;
        for (const std::string& name : {module, module + ".py"}) {
            const auto info = files.info((*installed)->site() / name);
            if (info && *info) return true;
        }
        return false;
    };
    const auto packWithModule = [&]() -> std::optional<std::string> {
        if (contains("gymnasium")) return "gymnasium";
        for (const PackDocument& pack : packs.all())
            if (contains(pack.name)) return pack.name;
        return std::nullopt;
    };
    auto found = packWithModule();
    if (!found && scheme == "gym" && module != "gymnasium" && !isInstalledForPython(module)) {
        module = "gymnasium";  // with it, the error names the missing module
        found = packWithModule();
    }
    return found;
}

Result<PackPython> pythonForEnv(FileSystem& files, const Path& data_folder, const PackLibrary& packs,
                                const std::string& env) {
    if (const auto pack = packOfEnv(files, data_folder, packs, env))
        return packPython(files, data_folder, *pack);
    return PackPython{"", processEnvironment()("SEEDBED_PYTHON").value_or("python3"), {}};
}

}  // namespace seedbed
