// SPDX-License-Identifier: Apache-2.0
#include "app/import_events.hpp"

#include <cstdio>

#include "core/base/text.hpp"
#include "core/env/env_registry.hpp"
#include "core/run/tensorboard/import_curves.hpp"
#include "core/store/store.hpp"
#include "core/tensorboard/event_log.hpp"

namespace seedbed::app {
namespace {

// The folder's name describes the run, also if the source is a file.
std::string folderName(const Path& source) {
    std::error_code error;
    Path path = std::filesystem::absolute(source, error).lexically_normal();
    if (path.filename().empty()) path = path.parent_path();
    if (tensorboard::isEventFile(path)) path = path.parent_path();
    return path.filename().string();
}

// The section env of the configuration. Known environments have their default parameters, so that the run can
// be compared with runs of this environment.
Result<Json> envSection(const std::string& name) {
    const auto found = findEnv(name);
    if (!found) return Json{{"id", name}};
    SEEDBED_ASSIGN(Json env, (*found)->params->complete(Json::object(), "env"));
    env["id"] = (*found)->id;
    return env;
}

Result<CurveImport> describeImport(const Path& source, const EventImportOptions& options) {
    const NamedRun named = readRunName(folderName(source));
    CurveImport import;
    import.name = options.name;
    import.algo = !options.algo.empty() ? options.algo : named.algo.empty() ? "unknown" : named.algo;
    import.seed = options.seed.value_or(named.seed);
    const std::string env = !options.env.empty() ? options.env : named.env.empty() ? "unknown" : named.env;
    SEEDBED_ASSIGN(import.env, envSection(env));
    import.from = source.string();
    return import;
}

struct ImportedEvents {
    RunId run = 0;
    Path from;
    std::string env;
    std::size_t curves = 0;
    std::int64_t points = 0;
};

void printImported(const std::vector<ImportedEvents>& imported, const Context& context) {
    if (context.json) {
        Json runs = Json::array();
        for (const ImportedEvents& one : imported)
            runs.push_back({{"id", one.run},
                            {"from", one.from.string()},
                            {"env", one.env},
                            {"metrics", one.curves},
                            {"points", one.points}});
        printJson({{"runs", runs}});
        return;
    }
    for (const ImportedEvents& one : imported)
        std::printf("imported %s as run %lld (%s, %s)\n", one.from.string().c_str(),
                    static_cast<long long>(one.run),
                    countText(static_cast<std::int64_t>(one.curves), "metric").c_str(),
                    countText(one.points, "point").c_str());
    if (!context.quiet && imported.front().env == "unknown")
        std::fprintf(stderr,
                     "the files do not name an environment; '--env ENV' allows comparisons with its runs\n");
}

}  // namespace

Result<int> importEvents(const std::vector<Path>& folders, const EventImportOptions& options,
                         const Context& context) {
    if (!options.name.empty()) {
        if (folders.size() > 1)
            return fail(ErrorCode::usage, "--name applies to one run, but " +
                                              countText(static_cast<std::int64_t>(folders.size()), "folder") +
                                              " contain event files");
        SEEDBED_TRY(checkRunName(options.name));
    }
    RealFileSystem files;
    std::vector<ImportedEvents> imported;
    for (const Path& source : folders) {
        SEEDBED_ASSIGN(auto curves, tensorboard::readCurves(files, source));
        if (curves.empty()) {
            if (!context.quiet)
                std::fprintf(stderr, "%s contains no scalars and is skipped\n", source.string().c_str());
            continue;
        }
        SEEDBED_ASSIGN(CurveImport import, describeImport(source, options));
        import.curves = std::move(curves);
        ImportedEvents done{
            .from = source, .env = import.env.value("id", ""), .curves = import.curves.size()};
        for (const auto& curve : import.curves) done.points += static_cast<std::int64_t>(curve.steps.size());
        SEEDBED_ASSIGN(done.run, importCurves(context.data_folder, import));
        imported.push_back(std::move(done));
    }
    if (imported.empty()) return fail(ErrorCode::config, "the event files contain no scalars");
    printImported(imported, context);
    return kOk;
}

}  // namespace seedbed::app
