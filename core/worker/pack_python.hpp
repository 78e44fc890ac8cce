// SPDX-License-Identifier: Apache-2.0
// The Python interpreters of packs: how to find one for an installation, and how to start it with a pack's
// packages.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/os/files.hpp"
#include "core/worker/pack_document.hpp"
#include "core/worker/pack_state.hpp"

namespace seedbed {

// An interpreter on this computer.
struct PythonInterpreter {
    std::string program;  // absolute path; for a virtual environment, that of its base Python
    std::string chosen;   // absolute path as found
    std::string version;  // "3.11"
    std::string machine;  // "x86_64"
};

// Finds a Python that the pack supports: `chosen` if it is not empty, else SEEDBED_PYTHON if it is set, else
// python3 and python3.N in PATH. error: config with the reason for each candidate; interrupted.
Result<PythonInterpreter> findPython(const PackDocument& pack, const std::string& chosen,
                                     const std::stop_token& stop = {});

// How to start a Python script with the packages of a pack. The command is `program`, `arguments`, the
// script's path, and the arguments of the script. As usual, sys.argv[0] is the script and sys.path[0] its
// folder. With a pack, other packages on this computer are invisible.
struct PackPython {
    std::string pack;  // "": the user's Python and its packages
    std::string program;
    std::vector<std::string> arguments;
};

// error: config, with the command that installs the pack, if it is not installed or is damaged.
Result<PackPython> packPython(FileSystem& files, const Path& data_folder, const std::string& pack);

PackPython pythonOf(const InstalledPack& installed);

// The pack of an environment id: that of its scheme ("atari:pong"). For "gym:ID": the pack that registers the
// id or, unless SEEDBED_PYTHON is set, the first installed pack with the id's module ("gym:module:Id") or, if
// python3 lacks the module, too, Gymnasium. For schemes without a pack ("godot:HOST:PORT"): a pack with
// NumPy. nullopt: the user's Python.
std::optional<std::string> packOfEnv(FileSystem& files, const Path& data_folder, const PackLibrary& packs,
                                     const std::string& env);

// The Python for an environment id: packPython() for packOfEnv(), else the user's Python: SEEDBED_PYTHON or
// python3. error: as for packPython().
Result<PackPython> pythonForEnv(FileSystem& files, const Path& data_folder, const PackLibrary& packs,
                                const std::string& env);

}  // namespace seedbed
