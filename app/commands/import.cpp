// SPDX-License-Identifier: Apache-2.0
// seedbed import: copies an exported policy, or the curves of TensorBoard event files, into this data folder.
#include <cstdio>

#include "app/command.hpp"
#include "app/import_events.hpp"
#include "app/imported_policies.hpp"
#include "core/base/os/clock.hpp"
#include "core/base/os/files.hpp"
#include "core/base/text.hpp"
#include "core/env/env_registry.hpp"
#include "core/export/import.hpp"
#include "core/tensorboard/event_log.hpp"

namespace seedbed::app {
namespace {

// Writes the record into the folder of the policy. A failure is ignored: the record is for information only.
void recordSource(FileSystem& files, const ImportedPolicy& imported, const Path& source) {
    std::error_code error;
    const Json record{{"source", std::filesystem::absolute(source, error).lexically_normal().string()},
                      {"time", static_cast<double>(RealClock().wallNs()) * 1e-9}};
    [[maybe_unused]] const auto written =
        writeFileAtomically(files, imported.folder / kImportRecord, record.dump() + "\n");
}

// Checks a requested name; otherwise adds a number to the name of the source if it is taken.
Result<> chooseName(FileSystem& files, ImportRequest& request) {
    SEEDBED_ASSIGN(const std::string name, importName(request));
    Result<> free = requireFreeName(files, request.data_folder, name);
    if (!request.name.empty()) return free;
    request.name = name;
    for (int number = 2; !free && free.error().code == ErrorCode::config; ++number) {
        request.name = name + "-" + std::to_string(number);
        free = requireFreeName(files, request.data_folder, request.name);
    }
    return free;
}

struct ImportOptions {
    ImportRequest policy;
    EventImportOptions events;
};

Result<int> importIt(ImportOptions& options, const Context& context) {
    RealFileSystem files;
    ImportRequest& request = options.policy;
    SEEDBED_ASSIGN(const std::vector<Path> folders, tensorboard::findEventFolders(files, request.source));
    if (!folders.empty()) {
        options.events.name = request.name;
        return importEvents(folders, options.events, context);
    }
    if (!options.events.isEmpty())
        return fail(ErrorCode::usage, "--env, --algo and --seed apply to TensorBoard event files, and '" +
                                          request.source.string() + "' contains none");
    request.data_folder = context.data_folder;
    SEEDBED_TRY(chooseName(files, request));
    SEEDBED_ASSIGN(const ImportedPolicy imported, importPolicy(files, request));
    recordSource(files, imported, request.source);
    const Provenance& from = imported.bundle.provenance;
    const bool known = findEnv(from.env).has_value();
    if (!known && !context.quiet)
        std::fprintf(stderr, "unknown environment '%s': the policy can be exported but not played\n",
                     from.env.c_str());
    if (context.json) {
        printJson({{"name", imported.name},
                   {"folder", imported.folder.string()},
                   {"env", from.env},
                   {"steps", from.steps},
                   {"params_sha256", imported.bundle.network.params.sha256()}});
        return kOk;
    }
    std::printf("imported '%s' (%s, %s steps) to %s\n", imported.name.c_str(), from.env.c_str(),
                formatCount(from.steps).c_str(), imported.folder.c_str());
    if (known)
        std::printf("  seedbed eval %s\n  seedbed train %s --init-from %s\n", imported.name.c_str(),
                    from.env.c_str(), imported.name.c_str());
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    import,
    {.id = "import",
     .summary = "Import a policy, or curves from TensorBoard event files",
     .examples = {"seedbed import cartpole-onnx --name friend",
                  "seedbed import weights/model.safetensors --name mine",
                  "seedbed import runs/CartPole-v1__ppo__1__1700000000"},
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<ImportOptions>();
         cli.add_option("DIR|FILE", options->policy.source,
                        "Exported folder, checkpoint folder, FILE.safetensors with config.json in the same "
                        "folder, or TensorBoard event files (of several runs: a folder of folders)")
             ->required();
         cli.add_option(
                "--name", options->policy.name,
                "Name of the policy or run (policies: by default the name of the folder or file, with a "
                "number if it is taken)")
             ->type_name("NAME")
             ->check(notEmpty());
         cli.add_option("--env", options->events.env,
                        "Environment of the event files (default: from the name of the folder)")
             ->type_name("ENV")
             ->check(notEmpty());
         cli.add_option("--algo", options->events.algo,
                        "Algorithm of the event files (default: from the name of the folder)")
             ->type_name("NAME")
             ->check(notEmpty());
         cli.add_option("--seed", options->events.seed,
                        "Seed of the event files (default: from the name of the folder)")
             ->type_name("N");
         return [options](const Context& context) { return importIt(*options, context); };
     }});

}  // namespace
}  // namespace seedbed::app
