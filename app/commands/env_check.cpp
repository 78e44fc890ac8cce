// SPDX-License-Identifier: Apache-2.0
// seedbed env check: replays a trace recorded from the original environment and compares every transition.
#include <cstdio>

#include "app/command.hpp"
#include "core/base/text.hpp"
#include "core/env/trace_check.hpp"

namespace seedbed::app {
namespace {

Result<int> check(const std::string& env, const std::string& trace, const Context& context) {
    SEEDBED_ASSIGN(const TraceReport report, checkTrace(env, trace));
    if (context.json) {
        Json json{{"env", env},
                  {"trace", trace},
                  {"transitions", report.transitions},
                  {"drawn", report.drawn},
                  {"difference", Json()}};
        if (report.difference) {
            const TraceDifference& d = *report.difference;
            json["difference"] = {
                {"line", d.line}, {"field", d.field}, {"expected", d.expected}, {"got", d.got}};
        }
        printJson(json);
        return report.difference ? exitCode(ErrorCode::parity) : kOk;
    }
    SEEDBED_TRY(report.verdict());
    std::printf("%s: %s transitions match the trace (%s used random numbers)\n", env.c_str(),
                formatCount(static_cast<std::int64_t>(report.transitions)).c_str(),
                formatCount(static_cast<std::int64_t>(report.drawn)).c_str());
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    env_check, {.id = "env check",
                .summary = "Replay a trace of the original environment and report the first difference",
                .examples = {"seedbed env check CartPole-v1 tests/oracle/traces/CartPole-v1.jsonl.gz"},
                .define = [](CLI::App& cli) -> Action {
                    auto env = std::make_shared<std::string>();
                    auto trace = std::make_shared<std::string>();
                    cli.add_option("ID", *env, "Environment or alias")->required();
                    cli.add_option("TRACE", *trace, "Trace file: JSON lines, plain or gzipped")->required();
                    return [env, trace](const Context& context) { return check(*env, *trace, context); };
                }});

}  // namespace
}  // namespace seedbed::app
