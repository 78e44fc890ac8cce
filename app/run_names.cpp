// SPDX-License-Identifier: Apache-2.0
#include "app/run_names.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/imported_policies.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint_name.hpp"
#include "core/run/saving/catch_up.hpp"

namespace seedbed::app {

Result<StoreReader> openRuns(const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    catchUpRuns(realSystem(), context.data_folder, reader);
    return reader;
}

Result<RunId> resolveRun(const std::string& name, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    return reader.resolveRun(name);
}

namespace {

// The ids of "1..3" in order; nullopt for anything else.
std::optional<std::pair<RunId, RunId>> rangeOf(const std::string& text) {
    const auto dots = text.find("..");
    if (dots == std::string::npos) return std::nullopt;
    const auto first = parseInteger(text.substr(0, dots)), last = parseInteger(text.substr(dots + 2));
    if (!first || !last) return std::nullopt;
    return std::pair{*first, *last};
}

}  // namespace

Result<std::vector<RunId>> resolveRuns(const std::vector<std::string>& names, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    std::vector<RunId> runs;
    const auto add = [&](RunId run) {
        if (std::find(runs.begin(), runs.end(), run) == runs.end()) runs.push_back(run);
    };
    for (const std::string& name : names) {
        const auto range = rangeOf(name);
        if (!range) {
            SEEDBED_ASSIGN(const RunId run, reader.resolveRun(name));
            add(run);
            continue;
        }
        SEEDBED_ASSIGN(const std::vector<RunRecord> known, reader.runs());
        bool any = false;
        for (const RunRecord& run : known) {
            if (run.id < range->first || run.id > range->second) continue;
            add(run.id);
            any = true;
        }
        if (!any) return fail(ErrorCode::config, "there are no runs " + name);
    }
    return runs;
}

RunResolver runResolver(const Context& context) {
    return [data_folder = context.data_folder](std::string_view name) -> Result<std::int64_t> {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder));
        auto run = reader.resolveRun(name);
        if (run || run.error().message.find("did you mean") != std::string::npos) return run;
        RealFileSystem files;
        const auto policies = importedPolicies(files, data_folder);
        if (!policies) return run;
        if (std::find(policies->begin(), policies->end(), name) != policies->end())
            run.error().message =
                "'" + std::string(name) + "' is an imported policy, which has no checkpoints to choose from";
        else run.error().message += suggestion(std::string(name), *policies);
        return run;
    };
}

void addRunArgument(CLI::App& cli, std::string& run) {
    cli.add_option("RUN", run, "Id or name of the run")->required();
}

void addRunsArgument(CLI::App& cli, std::vector<std::string>& runs) {
    cli.add_option("RUN", runs, "Ids or names of runs, or a range such as 1..3")->required();
}

}  // namespace seedbed::app
