// SPDX-License-Identifier: Apache-2.0
#include "app/run_names.hpp"

#include <algorithm>
#include <cstdio>

#include "app/imported_policies.hpp"
#include "core/base/integer_range.hpp"
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

// "run 3 is", "runs 3, 4 are"
std::string areText(const std::vector<RunId>& runs) {
    std::vector<std::string> ids;
    for (const RunId run : runs) ids.push_back(std::to_string(run));
    return (runs.size() == 1 ? "run " : "runs ") + join(ids, ", ") + (runs.size() == 1 ? " is" : " are");
}

// The runs that a range selects. If some numbers of the range select no run, reports on stderr how many runs
// are selected.
Result<std::vector<RunId>> runsInRange(const std::string& text, IntegerRange range, bool in_trash,
                                       const std::vector<RunRecord>& known, const Context& context) {
    std::vector<RunId> selected, others;
    for (const RunRecord& run : known)
        if (run.id >= range.first && run.id <= range.last)
            (run.in_trash == in_trash ? selected : others).push_back(run.id);
    const std::string skipped =
        others.empty() ? "" : areText(others) + (in_trash ? " not in the trash" : " in the trash");
    if (selected.empty())
        return fail(ErrorCode::config,
                    "there are no runs " + text +
                        (others.empty() ? "" : (in_trash ? " in the trash: " : " to use: ") + skipped));
    const std::int64_t numbers = range.last - std::max<RunId>(range.first, 1) + 1;
    const auto used = static_cast<std::int64_t>(selected.size());
    if (used == numbers || context.quiet) return selected;
    std::string reason = skipped;
    if (used + static_cast<std::int64_t>(others.size()) < numbers)
        reason += (reason.empty() ? "the others" : "; the others") + std::string(" do not exist");
    std::fprintf(stderr, "Of the %s runs %s, %s used: %s.\n", formatCount(numbers).c_str(), text.c_str(),
                 (formatCount(used) + (used == 1 ? " is" : " are")).c_str(), reason.c_str());
    return selected;
}

}  // namespace

Result<std::vector<RunId>> resolveRuns(const std::vector<std::string>& names, const Context& context,
                                       RangeSelects selects) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    std::vector<RunId> runs;
    const auto add = [&](RunId run) {
        if (std::find(runs.begin(), runs.end(), run) == runs.end()) runs.push_back(run);
    };
    for (const std::string& name : names) {
        const auto range = parseRange(name);
        if (!range) {
            SEEDBED_ASSIGN(const RunId run, reader.resolveRun(name));
            add(run);
            continue;
        }
        SEEDBED_ASSIGN(const std::vector<RunRecord> known, reader.runs());
        SEEDBED_ASSIGN(const std::vector<RunId> selected,
                       runsInRange(name, *range, selects == RangeSelects::trash, known, context));
        for (const RunId run : selected) add(run);
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
