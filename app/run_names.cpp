// SPDX-License-Identifier: Apache-2.0
#include "app/run_names.hpp"

#include "core/checkpoint/checkpoint_name.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {

Result<RunId> resolveRun(const std::string& name, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    return reader.resolveRun(name);
}

Result<std::vector<RunId>> resolveRuns(const std::vector<std::string>& names, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    std::vector<RunId> runs;
    for (const std::string& name : names) {
        SEEDBED_ASSIGN(const RunId run, reader.resolveRun(name));
        runs.push_back(run);
    }
    return runs;
}

RunResolver runResolver(const Context& context) {
    return [data_folder = context.data_folder](std::string_view name) -> Result<std::int64_t> {
        SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(data_folder));
        return reader.resolveRun(name);
    };
}

void addRunArgument(CLI::App& cli, std::string& run) {
    cli.add_option("RUN", run, "Id or name of the run")->required();
}

void addRunsArgument(CLI::App& cli, std::vector<std::string>& runs) {
    cli.add_option("RUN", runs, "Ids or names of runs")->required();
}

}  // namespace seedbed::app
