// SPDX-License-Identifier: Apache-2.0
// seedbed import: copies an exported policy into this data folder.
#include <cstdio>

#include "app/command.hpp"
#include "core/base/text.hpp"
#include "core/env/env_registry.hpp"
#include "core/export/import.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {
namespace {

Result<int> importIt(ImportRequest& request, const Context& context) {
    RealFileSystem files;
    request.data_folder = context.data_folder;
    // A run of the same name would make 'eval NAME' ambiguous.
    SEEDBED_ASSIGN(const std::string name, importName(request));
    if (auto reader = StoreReader::open(context.data_folder); reader && reader->resolveRun(name))
        return fail(ErrorCode::config,
                    "a run is already called '" + name + "'; choose another name with --name");
    SEEDBED_ASSIGN(const ImportedPolicy imported, importPolicy(files, request));
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
     .summary = "Import a policy from an exported folder or a safetensors file",
     .examples = {"seedbed import cartpole-onnx --name friend",
                  "seedbed import weights/model.safetensors --name mine"},
     .define = [](CLI::App& cli) -> Action {
         auto request = std::make_shared<ImportRequest>();
         cli.add_option(
                "DIR|FILE", request->source,
                "Exported folder, checkpoint folder, or FILE.safetensors with config.json in the same folder")
             ->required();
         cli.add_option("--name", request->name, "Name of the policy (default: name of the folder or file)")
             ->type_name("NAME")
             ->check(notEmpty());
         return [request](const Context& context) { return importIt(*request, context); };
     }});

}  // namespace
}  // namespace seedbed::app
