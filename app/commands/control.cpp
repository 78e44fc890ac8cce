// SPDX-License-Identifier: Apache-2.0
// seedbed stop, pause, attach, checkpoint, set, priority: steering a run that is going, through its control
// socket.
#include <cmath>
#include <cstdio>
#include <optional>
#include <thread>

#include "app/command.hpp"
#include "app/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/control/control_client.hpp"
#include "core/control/protocol.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {
namespace {

struct Target {
    RunId run = 0;
    ControlClient client;
};

// The run, and a connection to its process. error: config when it is not going.
Result<Target> connect(const std::string& name, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const RunId run, reader.resolveRun(name));
    SEEDBED_ASSIGN(const RunRecord record, reader.run(run));
    const std::string id = std::to_string(run);
    if (!isLive(record.status))
        return fail(ErrorCode::config,
                    "run " + id + " is not going: it is " + nameOf(record.status) +
                        (record.status == RunStatus::queued
                             ? "; 'seedbed queue remove " + id + "' takes it out of the queue"
                             : "; 'seedbed resume " + id + "' goes on with it"));
    auto client = ControlClient::connect(controlSocket(context.data_folder, run));
    // A process that has just begun opens its socket within its first moments.
    const Deadline patience = deadlineIn(5'000);
    while (!client && deadlineIn(0) < patience && RunLock::isHeld(context.data_folder, run)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        client = ControlClient::connect(controlSocket(context.data_folder, run));
    }
    if (!client) {
        SEEDBED_ASSIGN(const RunDetails details, reader.details(run));
        const std::string pid =
            details.segments.empty() ? "" : std::to_string(details.segments.back().process.pid);
        return fail("run " + id + " is going, but cannot be reached: " + client.error().text() +
                    (pid.empty() ? "" : "; 'kill " + pid + "' on the machine it runs on stops it cleanly"));
    }
    return Target{run, std::move(*client)};
}

void say(const Context& context, RunId run, const std::string& text, const Json& json) {
    Json document{{"id", run}};
    document.update(json);
    if (context.json) printJson(document);
    else if (!context.quiet)
        std::fprintf(stderr, "run %lld: %s\n", static_cast<long long>(run), text.c_str());
}

// Returns when the run's process has hung up; false when the user would not wait.
Result<bool> waitForEnd(ControlClient& client, const std::stop_token& stop) {
    while (!client.ended()) {
        auto event = client.next(stop);
        if (stop.stop_requested()) return false;
        if (!event) return true;  // killed: hung up in the middle of a line
    }
    return true;
}

Result<int> stopRun(const std::string& name, bool wait, const Context& context) {
    SEEDBED_ASSIGN(Target target, connect(name, context));
    SEEDBED_ASSIGN([[maybe_unused]] const Json reply, target.client.ask("stop"));
    if (!wait) {
        say(context, target.run, "stops after its update", {{"stopped", false}});
        return kOk;
    }
    {
        Interrupt interrupt("");
        SEEDBED_ASSIGN(const bool ended, waitForEnd(target.client, interrupt.token()));
        if (!ended) return kInterrupted;
    }
    // That it hung up says nothing: it may have been killed, or its last state could not be saved. Its own
    // last word does.
    const Deadline patience = deadlineIn(10'000);
    while (RunLock::isHeld(context.data_folder, target.run) && deadlineIn(0) < patience)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const RunStatus written, reader.writtenStatus(target.run));
    SEEDBED_ASSIGN(const RunRecord run, reader.run(target.run));
    if (written != RunStatus::interrupted && written != RunStatus::finished)
        return fail(
            "run " + std::to_string(target.run) + " has ended, but its newest state was not saved: " +
            (written == RunStatus::failed ? run.status_text : "its process vanished while it stopped") +
            "; 'seedbed resume " + std::to_string(target.run) + "' goes on from the newest checkpoint");
    say(context, target.run, "stopped; its state is saved", {{"stopped", true}});
    return kOk;
}

Result<int> simple(const std::string& verb, const std::string& name, const Json& fields,
                   const std::string& text, const Context& context) {
    SEEDBED_ASSIGN(Target target, connect(name, context));
    SEEDBED_ASSIGN(const Json reply, target.client.ask(verb, fields));
    Json members = reply;
    members.erase("re"), members.erase("ok");
    say(context, target.run, text, members);
    return kOk;
}

Result<int> setLive(const std::string& name, const std::vector<std::string>& pairs, const Context& context) {
    if (context.settings.empty() && pairs.empty())
        return fail(
            ErrorCode::usage,
            "say what to set, for example --algo.learning_rate 1e-4; 'seedbed config' lists what is live");
    Json settings = Json::object();
    for (const std::string& pair : pairs) {
        const auto equals = pair.find('=');
        if (equals == std::string::npos || equals == 0)
            return fail(
                ErrorCode::usage,
                "'" + pair + "' sets nothing; say --algo.learning_rate 1e-4 or algo.learning_rate=1e-4");
        settings[pair.substr(0, equals)] = pair.substr(equals + 1);
    }
    for (const auto& [key, text] : context.settings) settings[key] = text;
    return simple("set", name, {{"settings", settings}}, "the settings change at its next update", context);
}

std::string statusLine(const Json& s) {
    const auto number = [&](const char* key) {
        return s.contains(key) && s[key].is_number() ? s[key].get<double>() : 0.0;
    };
    // A run of an older program says no phase.
    const std::string phase = s.value("phase", ""), state = s.value("state", "running");
    std::string line = (phase.empty() || phase == "ended" ? state : phase) + ": " +
                       formatCount(static_cast<std::int64_t>(number("steps")));
    if (number("goal_steps") > 0)
        line += " of " + formatCount(static_cast<std::int64_t>(number("goal_steps")));
    line += " steps, " + formatCount(static_cast<std::int64_t>(number("steps_per_s"))) + "/s";
    if (s.contains("return") && s["return"].is_number())
        line += ", return " + formatNumber(std::round(number("return") * 100) / 100);
    if (s.contains("evaluation") && s["evaluation"].is_number())
        line += ", evaluation " + formatNumber(std::round(number("evaluation") * 100) / 100);
    if (s.contains("eta_s") && s["eta_s"].is_array() && s["eta_s"].size() == 2 && s["eta_s"][0].is_number())
        line += ", " + formatDuration(s["eta_s"][0].get<double>()) + " to " +
                formatDuration(s["eta_s"][1].get<double>()) + " left";
    return line;
}

// Shows what the run says until it ends; Ctrl-C lets go of it, the run goes on.
Result<int> attach(const std::string& name, int every_ms, const Context& context) {
    SEEDBED_ASSIGN(Target target, connect(name, context));
    Interrupt interrupt("");
    const int rate = every_ms > 0 ? every_ms : 1000;
    SEEDBED_ASSIGN([[maybe_unused]] const Json reply, target.client.ask("watch", {{"every_ms", rate}}));
    while (!interrupt.token().stop_requested()) {
        auto event = target.client.next(interrupt.token());
        if (!event || (!*event && target.client.ended())) break;
        if (!*event) continue;
        const Json& json = **event;
        if (context.json) {
            printJson(json);
            continue;
        }
        if (json.value("event", "") == "status")
            std::fprintf(stderr, "%s\n", statusLine(json.value("status", Json::object())).c_str());
        else if (json.contains("text")) std::fprintf(stderr, "%s\n", json.value("text", "").c_str());
    }
    if (interrupt.token().stop_requested()) {
        if (!context.quiet) std::fprintf(stderr, "run %lld goes on\n", static_cast<long long>(target.run));
        return kOk;
    }
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const RunRecord run, reader.run(target.run));
    if (!context.quiet)
        std::fprintf(stderr, "run %lld has ended: %s%s%s\n", static_cast<long long>(target.run),
                     nameOf(run.status), run.status_text.empty() ? "" : ", ", run.status_text.c_str());
    return run.status == RunStatus::failed ? 1 : kOk;
}

std::shared_ptr<std::string> runArgument(CLI::App& cli) {
    auto run = std::make_shared<std::string>();
    cli.add_option("RUN", *run, "Id or name of the run")->required();
    return run;
}

SEEDBED_REGISTER_COMMAND(
    stop, {.id = "stop",
           .summary = "Stop a run that is going; its state is saved, 'seedbed resume' goes on with it",
           .examples = {"seedbed stop 3"},
           .define = [](CLI::App& cli) -> Action {
               const auto run = runArgument(cli);
               auto no_wait = std::make_shared<bool>(false);
               cli.add_flag("--no-wait", *no_wait, "Return at once instead of when it has stopped");
               return [run, no_wait](const Context& context) { return stopRun(*run, !*no_wait, context); };
           }});

SEEDBED_REGISTER_COMMAND(pause,
                         {.id = "pause",
                          .summary = "Let a run rest between two updates; 'seedbed resume' lets it go on",
                          .examples = {"seedbed pause 3"},
                          .define = [](CLI::App& cli) -> Action {
                              const auto run = runArgument(cli);
                              return [run](const Context& context) {
                                  return simple("pause", *run, Json::object(), "rests after its update",
                                                context);
                              };
                          }});

SEEDBED_REGISTER_COMMAND(checkpoint, {.id = "checkpoint",
                                      .summary = "Save a run that is going at its next update",
                                      .examples = {"seedbed checkpoint 3"},
                                      .define = [](CLI::App& cli) -> Action {
                                          const auto run = runArgument(cli);
                                          return [run](const Context& context) {
                                              return simple("checkpoint", *run, Json::object(),
                                                            "is saved at its next update", context);
                                          };
                                      }});

SEEDBED_REGISTER_COMMAND(
    set, {.id = "set",
          .summary = "Change live settings of a run that is going",
          .examples = {"seedbed set 3 --algo.learning_rate 1e-4", "seedbed set 3 --run.steps 2000000"},
          .takes_settings = true,
          .define = [](CLI::App& cli) -> Action {
              const auto run = runArgument(cli);
              auto pairs = std::make_shared<std::vector<std::string>>();
              cli.add_option("SETTING", *pairs, "SECTION.NAME=VALUE, the same as --SECTION.NAME VALUE");
              return [run, pairs](const Context& context) { return setLive(*run, *pairs, context); };
          }});

SEEDBED_REGISTER_COMMAND(priority,
                         {.id = "priority",
                          .summary = "Give a run less of the processor: 0 (normal) to 19 (last)",
                          .examples = {"seedbed priority 3 10"},
                          .define = [](CLI::App& cli) -> Action {
                              const auto run = runArgument(cli);
                              auto nice = std::make_shared<int>(0);
                              cli.add_option("NICE", *nice, "0 to 19")->required()->check(CLI::Range(0, 19));
                              return [run, nice](const Context& context) {
                                  return simple("priority", *run, {{"nice", *nice}},
                                                "has priority " + std::to_string(*nice), context);
                              };
                          }});

SEEDBED_REGISTER_COMMAND(
    attach,
    {.id = "attach",
     .summary = "Follow a run that is going; Ctrl-C lets go of it",
     .examples = {"seedbed attach 3", "seedbed attach 3 --json --every 200"},
     .define = [](CLI::App& cli) -> Action {
         const auto run = runArgument(cli);
         auto every = std::make_shared<int>(1000);
         cli.add_option("--every", *every, "Milliseconds between two lines")->check(CLI::Range(20, 3600000));
         return [run, every](const Context& context) { return attach(*run, *every, context); };
     }});

}  // namespace
}  // namespace seedbed::app
