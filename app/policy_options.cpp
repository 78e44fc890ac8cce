// SPDX-License-Identifier: Apache-2.0
#include "app/policy_options.hpp"

#include "app/configuration.hpp"
#include "app/run_names.hpp"
#include "core/run/weights/rivals.hpp"

namespace seedbed::app {

CLI::Option* addPolicyArgument(CLI::App& cli, std::string& policy) {
    return cli.add_option(kPolicyArgument, policy, "RUN, RUN:best, RUN:STEP, an imported policy or a folder")
        ->required();
}

void addActionOptions(CLI::App& cli, bool& greedy, bool& sample, std::uint64_t& seed) {
    auto* greedy_flag = cli.add_flag("--greedy", greedy, "Use the most probable action (default)");
    cli.add_flag("--sample", sample, "Sample actions from the policy")->excludes(greedy_flag);
    cli.add_option("--seed", seed, "Seed for the environments and for sampling, 0 to 2^64 - 1")
        ->check(notNegative())
        ->capture_default_str();
}

void addEngineOption(CLI::App& cli, std::string& engine) {
    cli.add_option("--engine", engine, settingHelp("run.engine"))->type_name("ENGINE")->capture_default_str();
}

Result<> checkRivals(const SessionPlan& plan, const Context& context) {
    RealFileSystem files;
    return loadRivals(files, context.data_folder, plan.config.self_play.rivalNames(), plan.net,
                      runResolver(context))
        .map([](const Rivals&) {});
}

void addDeviceOption(CLI::App& cli, std::string& device) {
    cli.add_option("--device", device, settingHelp("run.device"))->type_name("DEVICE")->capture_default_str();
}

}  // namespace seedbed::app
