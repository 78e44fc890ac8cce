// SPDX-License-Identifier: Apache-2.0
#include "core/worker/pack_install.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "core/base/os/temporary_files.hpp"
#include "core/base/text.hpp"
#include "core/worker/pack_check.hpp"
#include "core/worker/pack_python.hpp"
#include "core/worker/pip_errors.hpp"
#include "core/worker/run_program.hpp"

namespace seedbed {

namespace {

constexpr std::int64_t kShortMs = 60'000;
constexpr std::int64_t kInstallMs = std::int64_t{4} * 3600 * 1000;

// Runs a Python module; exits when standard input closes, which means that this process was killed.
constexpr const char* kModule =
    "import os, runpy, sys, threading\n"
    "def watch():\n"
    "    os.read(0, 1)\n"
    "    os._exit(1)\n"
    "threading.Thread(target=watch, daemon=True).start()\n"
    "sys.argv = sys.argv[1:]\n"
    "runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)";

std::vector<std::string> moduleCommand(const std::string& python, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {python, "-I", "-c", kModule});
    return arguments;
}

std::uint64_t treeBytes(const Path& folder) {
    namespace fs = std::filesystem;
    std::uint64_t sum = 0;
    std::error_code error, ignored;
    for (auto it = fs::recursive_directory_iterator(folder, error); !error && it != fs::end(it);
         it.increment(error)) {
        if (!it->is_regular_file(ignored) || it->is_symlink(ignored)) continue;
        const auto bytes = it->file_size(ignored);
        if (!ignored) sum += bytes;
    }
    return sum;
}

// The folder in which a pack is prepared; the destructor removes it.
class Workshop {
public:
    static Result<Workshop> create(FileSystem& files, const Path& target) {
        SEEDBED_TRY(makeFolders(files, target.parent_path()));
        SEEDBED_TRY(removeStaleFilesOfOthers(files, target.parent_path()));
        Workshop workshop(files, temporaryPathFor(target));
        SEEDBED_TRY(makeFolders(files, workshop.folder_));
        for (const char* name : {"pack", "pack/site", "work"})
            SEEDBED_TRY(files.makeFolder(workshop.folder_ / name));
        return workshop;
    }
    Workshop(Workshop&& other) noexcept
        : files_(other.files_), folder_(std::exchange(other.folder_, Path())) {}
    Workshop& operator=(Workshop&&) = delete;
    ~Workshop() {
        if (!folder_.empty()) (void)removeTree(files_, folder_);
    }

    Path pack() const { return folder_ / "pack"; }  // becomes DATA/packs/NAME
    Path site() const { return folder_ / "pack" / "site"; }
    Path work() const { return folder_ / "work"; }  // downloads

private:
    Workshop(FileSystem& files, Path folder) : files_(files), folder_(std::move(folder)) {}

    FileSystem& files_;
    Path folder_;
};

// Variables for pip: keep all its files below `work`, and disable conflicting settings of the user.
std::vector<std::pair<std::string, std::string>> pipVariables(const Path& work) {
    return {{"TMPDIR", work.string()}, {"LC_ALL", "C.UTF-8"},
            {"PIP_USER", "0"},         {"PIP_REQUIRE_VIRTUALENV", "0"},
            {"PIP_NO_COLOR", "1"},     {"PIP_DISABLE_PIP_VERSION_CHECK", "1"},
            {"PIP_NO_INPUT", "1"},     {"PIP_ROOT_USER_ACTION", "ignore"}};
}

// A Python with pip: `python` itself, or else a virtual environment below `work`.
Result<std::string> pythonWithPip(const PythonInterpreter& python, const Path& work,
                                  const std::stop_token& stop) {
    const ProgramRun has_pip{.arguments = moduleCommand(python.program, {"pip", "--version"}),
                             .environment = pipVariables(work),
                             .timeout_ms = kShortMs};
    SEEDBED_ASSIGN(const ProgramEnd found, runProgram(has_pip, stop));
    if (found.status.ok()) return python.program;
    const Path folder = work / "venv";
    const ProgramRun make{.arguments = moduleCommand(python.program, {"venv", folder.string()}),
                          .environment = pipVariables(work),
                          .timeout_ms = 3 * kShortMs};
    SEEDBED_ASSIGN(const ProgramEnd made, runProgram(make, stop));
    if (made.status.ok()) return (folder / "bin" / "python").string();
    if (made.output.find("No space left on device") != std::string::npos)
        return tl::unexpected<Error>(explainPipFailure(made.output));
    return fail(ErrorCode::config,
                "'" + python.program +
                    "' has neither pip nor venv, which install packages; install them (Debian: "
                    "apt install python3-venv)");
}

// Derives the progress of an installation from pip's output.
class PipProgress {
public:
    PipProgress(const PackDocument& pack, const PackInstallOptions& options, Path work)
        : report_(options.progress), work_(std::move(work)) {
        now_.count = static_cast<int>(pack.packages.size());
        now_.total_bytes = pack.downloadBytes();
    }

    void enter(PackProgress::Phase phase) {
        now_.phase = phase;
        send();
    }
    void line(const std::string& text) {
        const auto words = split(trimmed(text), ' ');
        if (words.size() >= 2 && (words[0] == "Downloading" || words[0] == "Processing") &&
            words[1].ends_with(".whl")) {
            const std::string file = words[1].substr(words[1].rfind('/') + 1);
            if (!seen_.insert(file).second) return;
            now_.package = file;
            now_.number = static_cast<int>(seen_.size());
            enter(PackProgress::Phase::downloading);
        } else if (text.starts_with("Installing collected packages")) {
            now_.bytes = now_.total_bytes;
            enter(PackProgress::Phase::installing);
        } else if (text.empty() && now_.phase == PackProgress::Phase::downloading) {
            now_.bytes = std::min(std::max(now_.bytes, treeBytes(work_)), now_.total_bytes);
            send();
        }
    }

private:
    void send() const {
        if (report_) report_(now_);
    }

    const std::function<void(const PackProgress&)>& report_;
    Path work_;
    PackProgress now_;
    std::set<std::string> seen_;
};

std::string requirementsText(const PackDocument& pack) {
    std::string text;
    for (const PackPackage& package : pack.packages) {
        text += package.name + "==" + package.version;
        for (const std::string& hash : package.sha256s) text += " --hash=sha256:" + hash;
        text += "\n";
    }
    return text;
}

Result<> installPackages(FileSystem& files, const PackDocument& pack, const Workshop& workshop,
                         const std::string& python, PipProgress& progress, const std::stop_token& stop) {
    const Path list = workshop.work() / "requirements.txt";
    SEEDBED_TRY(writeFileAtomically(files, list, requirementsText(pack)));
    const ProgramRun pip{.arguments = moduleCommand(
                             python, {"pip", "install", "--target", workshop.site().string(), "--requirement",
                                      list.string(), "--require-hashes", "--no-deps", "--only-binary=:all:",
                                      "--no-cache-dir", "--progress-bar=off", "--retries=3"}),
                         .environment = pipVariables(workshop.work()),
                         .timeout_ms = kInstallMs,
                         .on_line = [&](const std::string& line) { progress.line(line); }};
    SEEDBED_ASSIGN(const ProgramEnd end, runProgram(pip, stop));
    if (!end.status.ok()) return tl::unexpected<Error>(explainPipFailure(end.output));
    for (const auto& [path, text] : pack.files) {
        SEEDBED_TRY(makeFolders(files, (workshop.site() / path).parent_path()));
        SEEDBED_TRY(writeFileAtomically(files, workshop.site() / path, text));
    }
    return {};
}

Result<> checkSpace(FileSystem& files, const PackDocument& pack, const Path& folder) {
    const std::uint64_t needed = pack.installed_bytes + pack.downloadBytes();
    SEEDBED_ASSIGN(const std::uint64_t available, files.freeBytes(folder));
    if (available >= needed) return {};
    return fail(ErrorCode::disk_full, "the disk of '" + folder.string() + "' has " + formatBytes(available) +
                                          " left; installing the pack needs " + formatBytes(needed) +
                                          ": free some space, or choose another disk with --data");
}

// One sentence for the problems of a pack whose packages are complete.
Error importFailure(const PackDocument& pack, const std::vector<std::string>& problems) {
    std::string text = join(problems, "; ");
    if (pack.isInstalledByUser()) text += ". " + pack.instructions;
    else if (!pack.system_packages.empty())
        text += "; it needs these system packages: apt install " + join(pack.system_packages, " ");
    return {ErrorCode::config, text, {}};
}

// Writes everything below the folder to the disk, so that a power failure after the rename does not leave a
// pack with empty files.
Result<> syncAll(const Path& folder) {
    Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened || ::syncfs(opened.get()) != 0)
        return systemFailure("writing '" + folder.string() + "' to the disk");
    return {};
}

Result<> replacePack(FileSystem& files, const Path& made, const Path& target) {
    SEEDBED_ASSIGN(const auto before, files.info(target));
    const Path old = temporaryPathFor(target);
    if (before) SEEDBED_TRY(files.rename(target, old));
    if (auto renamed = files.rename(made, target); !renamed) {
        if (before) (void)files.rename(old, target);
        return renamed;
    }
    if (before) SEEDBED_TRY(removeTree(files, old));
    return files.syncFolder(target.parent_path());
}

Result<InstalledPack> makePack(FileSystem& files, const Path& data_folder, const PackDocument& pack,
                               const PackInstallOptions& options) {
    const Path target = packsFolder(data_folder) / pack.name;
    SEEDBED_TRY(requireLibraries(pack));
    SEEDBED_ASSIGN(const PythonInterpreter python, findPython(pack, options.python, options.stop));
    SEEDBED_ASSIGN(const Workshop workshop, Workshop::create(files, target));
    SEEDBED_TRY(checkSpace(files, pack, target.parent_path()));
    PipProgress progress(pack, options, workshop.work());
    progress.enter(PackProgress::Phase::preparing);
    const bool by_user = pack.isInstalledByUser();
    if (!by_user) {
        SEEDBED_ASSIGN(const std::string pip, pythonWithPip(python, workshop.work(), options.stop));
        SEEDBED_TRY(installPackages(files, pack, workshop, pip, progress, options.stop));
    }
    progress.enter(PackProgress::Phase::checking);
    InstalledPack made{.folder = workshop.pack(),
                       .name = pack.name,
                       .document_hash = pack.hash,
                       .python = by_user ? python.chosen : python.program,
                       .python_version = python.version,
                       .uses_python_packages = by_user};
    for (const PackPackage& package : pack.packages)
        made.packages.emplace_back(package.name, package.version);
    SEEDBED_ASSIGN(const PackCheck check, checkPack(made, pack, false, options.stop));
    if (!check.problems.empty()) return tl::unexpected<Error>(importFailure(pack, check.problems));
    made.bytes = treeBytes(workshop.site());
    SEEDBED_TRY(writeInstalledPack(files, workshop.pack(), made));
    SEEDBED_TRY(syncAll(workshop.pack()));
    if (options.stop.stop_requested()) return fail(ErrorCode::interrupted, "stopped");
    SEEDBED_TRY(replacePack(files, workshop.pack(), target));
    made.folder = target;
    return made;
}

}  // namespace

Result<InstalledPack> installPack(FileSystem& files, const Path& data_folder, const PackDocument& pack,
                                  const PackInstallOptions& options) {
    auto installed = makePack(files, data_folder, pack, options);
    if (installed) return installed;
    if (installed.error().code == ErrorCode::interrupted)
        installed.error().message += "; nothing was installed";
    return tl::unexpected<Error>(
        std::move(installed.error()).withContext("installing the pack '" + pack.name + "'"));
}

}  // namespace seedbed
