// SPDX-License-Identifier: Apache-2.0
// seedbed env check: plays an environment and reports violations of the rules for environments, or replays a
// trace recorded from the original environment and compares every transition.
#include <cstdio>

#include "app/command.hpp"
#include "app/configuration.hpp"
#include "core/base/text.hpp"
#include "core/env/conformance.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/trace_check.hpp"

namespace seedbed::app {
namespace {

const char* nameOf(ConformanceFinding::Level level) {
    constexpr const char* names[] = {"ok", "note", "PROBLEM"};
    return names[static_cast<int>(level)];
}

Result<int> checkRules(const std::string& env, const Context& context) {
    SEEDBED_ASSIGN(const EnvEntry* entry, findEnv(env));
    SEEDBED_ASSIGN(const Json params, environmentParams(*entry, context));
    SEEDBED_ASSIGN(const ConformanceReport report, checkConformance(*entry, params));
    if (context.json) {
        Json findings = Json::array();
        for (const ConformanceFinding& finding : report.findings)
            findings.push_back({{"check", finding.check},
                                {"result", lowered(nameOf(finding.level))},
                                {"text", finding.text}});
        printJson({{"env", entry->id},
                   {"spaces", toJson(report.spec.spaces)},
                   {"agents", report.spec.agents},
                   {"horizon", report.spec.horizon},
                   {"findings", findings},
                   {"decisions", report.decisions},
                   {"episodes", report.episodes},
                   {"decisions_per_s", report.decisions_per_s},
                   {"ok", report.passed()}});
    } else {
        std::vector<std::vector<std::string>> rows{{"RESULT", "CHECK", "FINDING"}};
        for (const ConformanceFinding& finding : report.findings)
            rows.push_back({nameOf(finding.level), finding.check, finding.text});
        printTable(rows);
        std::printf("%s: %s decisions per second with random actions\n", entry->id.c_str(),
                    formatCount(static_cast<std::int64_t>(report.decisions_per_s)).c_str());
    }
    return report.passed() ? kOk : exitCode(ErrorCode::failure);
}

Result<int> checkAgainstTrace(const std::string& env, const std::string& trace, const Context& context) {
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
    env_check,
    {.id = "env check",
     .summary = "Check that an environment follows the rules, or compare it with a trace of the original",
     .examples = {"seedbed env check gym:./my_env.py:MyEnv",
                  "seedbed env check CartPole-v1 tests/oracle/traces/CartPole-v1.jsonl.gz"},
     .takes_settings = true,
     .define = [](CLI::App& cli) -> Action {
         auto env = std::make_shared<std::string>();
         auto trace = std::make_shared<std::string>();
         cli.add_option("ID", *env, "Environment or alias")->required();
         cli.add_option("TRACE", *trace, "Trace file of the original: JSON lines, plain or gzipped");
         return [env, trace](const Context& context) {
             return trace->empty() ? checkRules(*env, context) : checkAgainstTrace(*env, *trace, context);
         };
     }});

}  // namespace
}  // namespace seedbed::app
