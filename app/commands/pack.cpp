// SPDX-License-Identifier: Apache-2.0
// seedbed pack: lists, installs, checks and removes packs.
#include <algorithm>
#include <csignal>
#include <cstdio>

#include <poll.h>
#include <unistd.h>

#include "app/command.hpp"
#include "app/interrupt.hpp"
#include "app/terminal.hpp"
#include "core/base/text.hpp"
#include "core/base/thread.hpp"
#include "core/store/database.hpp"
#include "core/store/store_reader.hpp"
#include "core/worker/pack_check.hpp"
#include "core/worker/pack_install.hpp"
#include "core/worker/pack_python.hpp"

namespace seedbed::app {
namespace {

constexpr int kInputPollMs = 100;

// Returns, for each pack, the ids of the running or queued runs that need it.
Result<std::map<std::string, std::vector<RunId>>> runsOfPacks(FileSystem& files, const PackLibrary& packs,
                                                              const Context& context) {
    std::map<std::string, std::vector<RunId>> needed;
    SEEDBED_ASSIGN(const auto database, files.info(context.data_folder / kDatabaseName));
    if (!database) return needed;
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const std::vector<RunRecord> runs, reader.runs());
    for (const RunRecord& run : runs) {
        if (!isLive(run.status) && run.status != RunStatus::queued) continue;
        if (const auto pack = packOfEnv(files, context.data_folder, packs, run.env))
            needed[*pack].push_back(run.id);
    }
    return needed;
}

Json toJson(const PackDocument& pack, const PackStatus& status) {
    std::string state = nameOf(status.state);
    std::replace(state.begin(), state.end(), ' ', '_');
    Json licences = Json::array(), packages = Json::array();
    for (const PackLicence& licence : pack.licences)
        licences.push_back({{"part", licence.part}, {"licence", licence.licence}});
    for (const PackPackage& package : pack.packages)
        packages.push_back({{"name", package.name}, {"version", package.version}, {"bytes", package.bytes}});
    Json installed;
    if (status.installed)
        installed = {{"folder", status.installed->folder.string()},
                     {"python", status.installed->python},
                     {"python_version", status.installed->python_version},
                     {"bytes", status.installed->bytes}};
    return {{"name", pack.name},
            {"title", pack.title},
            {"sentence", pack.sentence},
            {"state", state},
            {"problem", status.problem},
            {"installed", installed},
            {"envs", pack.envs},
            {"presets", pack.presets},
            {"licences", licences},
            {"platforms", pack.platforms},
            {"packages", packages},
            {"system_packages", pack.system_packages},
            {"instructions", pack.instructions},
            {"download_bytes", pack.downloadBytes()},
            {"installed_bytes", pack.installed_bytes}};
}

Result<int> listPacks(const Context& context) {
    RealFileSystem files;
    SEEDBED_ASSIGN(const PackLibrary packs, installedPackLibrary(files));
    // The packs are listed even if the database cannot be read.
    auto needed = runsOfPacks(files, packs, context).value_or(std::map<std::string, std::vector<RunId>>());
    Json list = Json::array();
    std::vector<std::vector<std::string>> rows{{"NAME", "STATE", "DOWNLOAD", "SIZE", "DESCRIPTION"}};
    for (const PackDocument& pack : packs.all()) {
        const PackStatus status = packStatus(files, context.data_folder, pack);
        list.push_back(toJson(pack, status));
        list.back()["runs"] = needed[pack.name];
        const std::uint64_t size = status.installed ? status.installed->bytes : pack.installed_bytes;
        rows.push_back({pack.name, nameOf(status.state),
                        pack.isInstalledByUser() ? "-" : formatBytes(pack.downloadBytes()),
                        pack.isInstalledByUser() ? "-" : formatBytes(size), pack.title});
    }
    if (context.json) printJson(list);
    else printTable(rows);
    return kOk;
}

void printPack(const PackDocument& pack, const PackStatus& status) {
    std::printf("%s (%s)\n%s\n\n", pack.title.c_str(), pack.name.c_str(), pack.sentence.c_str());
    std::printf("state        %s\n", nameOf(status.state).c_str());
    if (!status.problem.empty()) std::printf("problem      %s\n", status.problem.c_str());
    if (status.installed)
        std::printf("folder       %s\nPython       %s (%s)\n", status.installed->folder.c_str(),
                    status.installed->python_version.c_str(), status.installed->python.c_str());
    if (!pack.isInstalledByUser())
        std::printf("size         %s to download, %s installed\n", formatBytes(pack.downloadBytes()).c_str(),
                    formatBytes(status.installed ? status.installed->bytes : pack.installed_bytes).c_str());
    for (const auto& [machine, versions] : pack.platforms)
        std::printf("supports     Python %s on %s\n", join(versions, ", ").c_str(), machine.c_str());
    if (!pack.instructions.empty()) std::printf("needs        %s\n", pack.instructions.c_str());
    if (!pack.system_packages.empty())
        std::printf("system       apt install %s\n", join(pack.system_packages, " ").c_str());
    std::printf("examples     %s\n", join(pack.envs, ", ").c_str());
    if (!pack.presets.empty()) std::printf("presets      %s\n", join(pack.presets, ", ").c_str());
    for (const PackLicence& licence : pack.licences)
        std::printf("licence      %s: %s\n", licence.part.c_str(), licence.licence.c_str());
    for (const PackPackage& package : pack.packages)
        std::printf("package      %s %s\n", package.name.c_str(), package.version.c_str());
}

Result<int> showPack(const std::string& name, const Context& context) {
    RealFileSystem files;
    SEEDBED_ASSIGN(const PackLibrary packs, installedPackLibrary(files));
    SEEDBED_ASSIGN(const PackDocument* pack, packs.get(name));
    const PackStatus status = packStatus(files, context.data_folder, *pack);
    if (context.json) printJson(toJson(*pack, status));
    else printPack(*pack, status);
    return kOk;
}

// Shows progress on stderr: a refreshed line on a terminal, otherwise a line for each package and phase.
class InstallLines {
public:
    InstallLines(std::string pack, bool is_shown)
        : pack_(std::move(pack)), is_shown_(is_shown), is_terminal_(isatty(STDERR_FILENO) != 0) {}
    ~InstallLines() {
        if (is_shown_ && is_terminal_ && !last_step_.empty()) eraseLine();
    }
    void show(const PackProgress& now) {
        const std::string step = stepOf(now);
        const bool is_new = step != last_step_;
        if (!is_shown_ || (!is_new && !is_terminal_)) return;
        last_step_ = step;
        if (is_terminal_) eraseLine();
        const std::string bytes =
            now.phase == PackProgress::Phase::downloading
                ? " (" + formatBytes(now.bytes) + " of " + formatBytes(now.total_bytes) + ")"
                : "";
        std::fprintf(stderr, is_terminal_ ? "%s: %s%s" : "%s: %s%s\n", pack_.c_str(), step.c_str(),
                     bytes.c_str());
        std::fflush(stderr);
    }

private:
    static std::string stepOf(const PackProgress& now) {
        switch (now.phase) {
            case PackProgress::Phase::preparing: return "preparing";
            case PackProgress::Phase::downloading:
                return "downloading package " + std::to_string(now.number) + " of " +
                       std::to_string(now.count) + ": " + now.package;
            case PackProgress::Phase::installing: return "installing";
            case PackProgress::Phase::checking: return "importing the packages";
        }
        return "";
    }

    std::string pack_, last_step_;
    bool is_shown_, is_terminal_;
};

// Prints a line for programs that show the progress: {"pack", "phase", "package", "number", "count", "bytes",
// "total_bytes"}.
void printProgress(const std::string& pack, const PackProgress& now) {
    constexpr const char* kPhases[] = {"preparing", "downloading", "installing", "checking"};
    printJson({{"pack", pack},
               {"phase", kPhases[static_cast<int>(now.phase)]},
               {"package", now.package},
               {"number", now.number},
               {"count", now.count},
               {"bytes", now.bytes},
               {"total_bytes", now.total_bytes}});
    std::fflush(stdout);
}

// Requests a stop when standard input is closed: the program that shows the progress has cancelled or exited.
NamedThread stopWithInput() {
    return NamedThread("input",
                       [](const std::stop_token& stop) -> Result<> {
                           while (!stop.stop_requested()) {
                               pollfd input{STDIN_FILENO, POLLIN, 0};
                               if (::poll(&input, 1, kInputPollMs) <= 0) continue;
                               char byte = 0;
                               if (::read(STDIN_FILENO, &byte, 1) > 0) continue;
                               (void)std::raise(SIGTERM);
                               return {};
                           }
                           return {};
                       },
                       {});
}

// Environments without pictures can be trained, so this is only a notice.
void printMissingForPictures(const PackDocument& pack, const Context& context) {
    if (context.quiet || missingLibraries(pack.picture_libraries).empty()) return;
    std::fprintf(stderr, "%s: pictures of its environments need more packages: apt install %s\n",
                 pack.name.c_str(), join(pack.system_packages, " ").c_str());
}

struct InstallOptions {
    std::vector<std::string> names;
    std::string python;
    bool is_forced = false, with_progress = false;
};

Result<int> installPacks(const InstallOptions& options, const Context& context) {
    if (options.with_progress && !context.json)
        return fail(ErrorCode::usage, "--progress needs --json; without it, progress is always shown");
    RealFileSystem files;
    SEEDBED_ASSIGN(const PackLibrary packs, installedPackLibrary(files));
    std::vector<const PackDocument*> wanted;
    for (const std::string& name : options.names) {
        SEEDBED_ASSIGN(const PackDocument* pack, packs.get(name));
        wanted.push_back(pack);
    }
    Interrupt interrupt("");
    interrupt.giveTime();  // to allow time for removing incomplete files
    NamedThread input;
    if (options.with_progress) input = stopWithInput();
    Json list = Json::array();
    for (const PackDocument* pack : wanted) {
        PackStatus status = packStatus(files, context.data_folder, *pack);
        const bool is_current = status.state == PackState::installed && !options.is_forced;
        if (!is_current) {
            InstallLines lines(pack->name, !context.quiet && !context.json);
            SEEDBED_ASSIGN(status.installed, installPack(files, context.data_folder, *pack,
                                                         {.python = options.python,
                                                          .progress =
                                                              [&](const PackProgress& now) {
                                                                  lines.show(now);
                                                                  if (options.with_progress)
                                                                      printProgress(pack->name, now);
                                                              },
                                                          .stop = interrupt.token()}));
            status.state = PackState::installed;
        }
        list.push_back(toJson(*pack, status));
        if (!context.quiet && !context.json)
            std::fprintf(stderr,
                         is_current ? "%s is already installed in %s (%s)\n" : "%s is installed in %s (%s)\n",
                         pack->name.c_str(), status.installed->folder.c_str(),
                         formatBytes(status.installed->bytes).c_str());
        printMissingForPictures(*pack, context);
    }
    if (context.json) printJson(list);
    return kOk;
}

Result<int> removeInstalled(const std::string& name, bool is_forced, const Context& context) {
    RealFileSystem files;
    SEEDBED_ASSIGN(const PackLibrary packs, installedPackLibrary(files));
    SEEDBED_ASSIGN(const PackDocument* pack, packs.get(name));
    if (!is_forced) {
        SEEDBED_ASSIGN(auto needed, runsOfPacks(files, packs, context));
        std::vector<std::string> runs;
        for (const RunId run : needed[pack->name]) runs.push_back(std::to_string(run));
        if (!runs.empty())
            return fail(ErrorCode::config, "the pack '" + pack->name + "' was not removed: it is needed by " +
                                               (runs.size() == 1 ? "run " : "runs ") + join(runs, ", ") +
                                               ", in progress or queued; --force removes it anyway");
    }
    SEEDBED_TRY(removePack(files, context.data_folder, pack->name));
    if (context.json) printJson({{"removed", name}});
    else if (!context.quiet) std::fprintf(stderr, "Removed the pack '%s'\n", name.c_str());
    return kOk;
}

Result<int> checkInstalled(const std::string& name, const Context& context) {
    RealFileSystem files;
    SEEDBED_ASSIGN(const PackLibrary packs, installedPackLibrary(files));
    SEEDBED_ASSIGN(const PackDocument* pack, packs.get(name));
    SEEDBED_TRY(packPython(files, context.data_folder, pack->name));  // called because its error explains
                                                                      // what is missing
    SEEDBED_TRY(requireLibraries(*pack));
    printMissingForPictures(*pack, context);
    const PackStatus status = packStatus(files, context.data_folder, *pack);
    const Interrupt interrupt("");
    SEEDBED_ASSIGN(PackCheck result, checkPack(*status.installed, *pack, true, interrupt.token()));
    if (status.state == PackState::outdated)
        result.problems.insert(result.problems.begin(), "it was installed from an older description");
    const bool is_good = result.problems.empty();
    if (context.json) {
        printJson({{"name", name},
                   {"ok", is_good},
                   {"problems", result.problems},
                   {"modules", result.modules},
                   {"packages", result.packages},
                   {"files", result.files}});
        return is_good ? kOk : exitCode(ErrorCode::failure);
    }
    if (!is_good)
        return fail("the pack '" + name + "' has problems: " + join(result.problems, "; ") +
                    "; 'seedbed pack install " + name + " --force' installs it again");
    std::printf("%s: %s with %s, %s imported\n", name.c_str(), countText(result.packages, "package").c_str(),
                countText(result.files, "file").c_str(), countText(result.modules, "module").c_str());
    return kOk;
}

SEEDBED_REGISTER_COMMAND(pack_list, {.id = "pack list",
                                     .summary = "List packs: environments that are installed separately",
                                     .examples = {"seedbed pack list", "seedbed pack list --json"},
                                     .define = [](CLI::App&) -> Action { return listPacks; }});

SEEDBED_REGISTER_COMMAND(pack_show, {.id = "pack show",
                                     .summary = "Show the contents, licences and size of a pack",
                                     .examples = {"seedbed pack show atari"},
                                     .define = [](CLI::App& cli) -> Action {
                                         auto name = std::make_shared<std::string>();
                                         cli.add_option("NAME", *name, "Name of the pack")->required();
                                         return [name](const Context& context) {
                                             return showPack(*name, context);
                                         };
                                     }});

SEEDBED_REGISTER_COMMAND(
    pack_install,
    {.id = "pack install",
     .summary = "Install packs into the data folder; needs a network and Python 3",
     .examples = {"seedbed pack install atari", "seedbed pack install mujoco --python python3.12"},
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<InstallOptions>();
         cli.add_option("NAME", options->names, "Names of packs")->required();
         cli.add_option("--python", options->python,
                        "Python to install for (default: SEEDBED_PYTHON, else python3)")
             ->check(notEmpty());
         cli.add_flag("--force", options->is_forced, "Reinstall packs that are already installed");
         cli.add_flag("--progress", options->with_progress,
                      "With --json: print a line for each step, and stop when standard input is closed");
         return [options](const Context& context) { return installPacks(*options, context); };
     }});

SEEDBED_REGISTER_COMMAND(pack_remove, {.id = "pack remove",
                                       .aliases = {"pack rm"},
                                       .summary = "Delete an installed pack",
                                       .examples = {"seedbed pack remove atari"},
                                       .define = [](CLI::App& cli) -> Action {
                                           auto name = std::make_shared<std::string>();
                                           auto is_forced = std::make_shared<bool>(false);
                                           cli.add_option("NAME", *name, "Name of the pack")->required();
                                           cli.add_flag(
                                               "--force", *is_forced,
                                               "Remove the pack even if queued or active runs need it");
                                           return [name, is_forced](const Context& context) {
                                               return removeInstalled(*name, *is_forced, context);
                                           };
                                       }});

SEEDBED_REGISTER_COMMAND(pack_check,
                         {.id = "pack check",
                          .summary = "Verify the files, versions and imports of an installed pack",
                          .examples = {"seedbed pack check atari"},
                          .define = [](CLI::App& cli) -> Action {
                              auto name = std::make_shared<std::string>();
                              cli.add_option("NAME", *name, "Name of the pack")->required();
                              return
                                  [name](const Context& context) { return checkInstalled(*name, context); };
                          }});

}  // namespace
}  // namespace seedbed::app
