// SPDX-License-Identifier: Apache-2.0
// seedbed rank: a process that trains a part of the run of another process; started by rank 0.
#include "app/command.hpp"
#include "app/ranks/rank_processes.hpp"

namespace seedbed::app {
namespace {

SEEDBED_REGISTER_COMMAND(rank, {.id = "rank",
                                .summary = "Train a part of the run of rank 0",
                                .hidden = true,
                                .define = [](CLI::App& cli) -> Action {
                                    auto options = std::make_shared<RankOptions>();
                                    defineRankOptions(cli, *options);
                                    return [options](const Context&) -> Result<int> {
                                        if (options->rank < 1)
                                            return fail(ErrorCode::usage, "--rank must be at least 1");
                                        return runFollower(*options);
                                    };
                                }});

}  // namespace
}  // namespace seedbed::app
