// SPDX-License-Identifier: Apache-2.0
// seedbed stop, pause, attach, checkpoint, set, priority: control an active run through its control socket.
#include <cmath>
#include <cstdio>
#include <optional>
#include <thread>

#include "app/command.hpp"
#include "app/interrupt.hpp"
#include "app/run_names.hpp"
#include "core/base/text.hpp"
#include "core/control/control_client.hpp"
#include "core/control/protocol.hpp"
#include "core/store/run_lock.hpp"
#include "core/store/store_reader.hpp"

namespace seedbed::app {
namespace {

constexpr int kConnectTimeoutMs = 5'000;
constexpr int kExitTimeoutMs = 10'000;
constexpr auto kPollInterval = std::chrono::milliseconds(20);

struct Target {
    RunId run = 0;
    ControlClient client;
};

// A request to the process of a run, and what to do instead if the run has no process.
struct Request {
    const char* verb;
    std::string (*if_queued)(const std::string& id) = [](const std::string&) -> std::string {
        return "'seedbed queue start' starts it";
    };
    // `resume`: the command that continues the run, without its closing quote.
    std::string (*if_ended)(const std::string& resume) = [](const std::string& resume) {
        return resume + "' continues it";
    };
};

const Request kStop{"stop",
                    [](const std::string& id) { return "'seedbed queue remove " + id + "' removes it"; },
                    [](const std::string&) -> std::string { return "there is nothing to stop"; }};
const Request kSet{"set",
                   [](const std::string& id) {
                       return "'seedbed queue remove " + id +
                              "' removes it, and 'seedbed queue add' adds it with other settings";
                   },
                   [](const std::string& resume) {
                       return resume + " --SECTION.NAME VALUE' continues it with other settings";
                   }};

// Explains why a request cannot be sent to this run, which has no process, and what to do instead.
std::string notRunning(const RunRecord& run, const Request& request) {
    const std::string id = std::to_string(run.id);
    if (run.status == RunStatus::queued)
        return "run " + id + " is queued and has not started; " + request.if_queued(id);
    const bool is_finished = run.status == RunStatus::finished;
    const char* state = is_finished                            ? "has finished"
                        : run.status == RunStatus::failed      ? "has failed"
                        : run.status_text == kStoppedOnRequest ? "was stopped"
                                                               : "was interrupted";
    return "run " + id + " " + state + "; " +
           request.if_ended("'seedbed resume " + id + (is_finished ? " --steps N" : ""));
}

// Connects to the process of a run for a request. error: config if the run is not running.
Result<Target> connect(const std::string& name, const Request& request, const Context& context) {
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const RunId run, reader.resolveRun(name));
    SEEDBED_ASSIGN(const RunRecord record, reader.run(run));
    const std::string id = std::to_string(run);
    if (!isLive(record.status)) return fail(ErrorCode::config, notRunning(record, request));
    auto client = ControlClient::connect(controlSocket(context.data_folder, run));
    // Retries, because a process that has just started may not have opened its socket yet.
    const Deadline timeout = deadlineIn(kConnectTimeoutMs);
    while (!client && deadlineIn(0) < timeout && RunLock::isHeld(context.data_folder, run)) {
        std::this_thread::sleep_for(kPollInterval);
        client = ControlClient::connect(controlSocket(context.data_folder, run));
    }
    if (!client) {
        SEEDBED_ASSIGN(const RunDetails details, reader.details(run));
        const std::string pid =
            details.segments.empty() ? "" : std::to_string(details.segments.back().process.pid);
        return fail("run " + id + " is running but does not respond: " + client.error().text() +
                    (pid.empty() ? "" : "; to stop it cleanly, run 'kill " + pid + "' on its machine"));
    }
    return Target{run, std::move(*client)};
}

// `text` is appended to "run N ".
void report(const Context& context, RunId run, const std::string& text, const Json& json) {
    Json document{{"id", run}};
    document.update(json);
    if (context.json) printJson(document);
    else if (!context.quiet) std::fprintf(stderr, "run %lld %s\n", static_cast<long long>(run), text.c_str());
}

// Waits until the process of the run closes the connection. Returns false if the user interrupted the wait.
Result<bool> waitForEnd(ControlClient& client, const std::stop_token& stop) {
    while (!client.ended()) {
        auto event = client.next(stop);
        if (stop.stop_requested()) return false;
        if (!event) return true;  // an error means that the process was killed while it was sending a line
    }
    return true;
}

Result<int> stopRun(const std::string& name, bool wait, const Context& context) {
    SEEDBED_ASSIGN(Target target, connect(name, kStop, context));
    SEEDBED_ASSIGN([[maybe_unused]] const Json reply, target.client.ask(kStop.verb));
    if (!wait) {
        report(context, target.run, "will stop after this update", {{"stopped", false}});
        return kOk;
    }
    {
        Interrupt interrupt("");
        SEEDBED_ASSIGN(const bool ended, waitForEnd(target.client, interrupt.token()));
        if (!ended) return kInterrupted;
    }
    // A closed connection does not prove a clean stop: the process may have been killed, or saving may have
    // failed. The last status that the process wrote shows the outcome.
    const Deadline timeout = deadlineIn(kExitTimeoutMs);
    while (RunLock::isHeld(context.data_folder, target.run) && deadlineIn(0) < timeout)
        std::this_thread::sleep_for(kPollInterval);
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const RunStatus written, reader.writtenStatus(target.run));
    SEEDBED_ASSIGN(const RunRecord run, reader.run(target.run));
    if (written != RunStatus::interrupted && written != RunStatus::finished)
        return fail(
            "run " + std::to_string(target.run) + " has ended, but its newest state was not saved: " +
            (written == RunStatus::failed ? run.status_text : "its process exited before it had saved") +
            "; 'seedbed resume " + std::to_string(target.run) + "' continues from the newest checkpoint");
    report(context, target.run, "stopped; its state is saved", {{"stopped", true}});
    return kOk;
}

// Sends one request and reports `text`.
Result<int> sendRequest(const Request& request, const std::string& name, const Json& fields,
                        const std::string& text, const Context& context) {
    SEEDBED_ASSIGN(Target target, connect(name, request, context));
    SEEDBED_ASSIGN(const Json reply, target.client.ask(request.verb, fields));
    Json members = reply;
    members.erase("re");
    members.erase("ok");
    report(context, target.run, text, members);
    return kOk;
}

Result<int> setLive(const std::string& name, const std::vector<std::string>& pairs, const Context& context) {
    if (context.settings.empty() && pairs.empty())
        return fail(
            ErrorCode::usage,
            "no setting given; use, for example, --algo.learning_rate 1e-4; 'seedbed config' marks the "
            "live settings");
    Json settings = Json::object();
    for (const std::string& pair : pairs) {
        const auto equals = pair.find('=');
        if (equals == std::string::npos || equals == 0)
            return fail(ErrorCode::usage, "invalid setting '" + pair +
                                              "': use --algo.learning_rate 1e-4 or algo.learning_rate=1e-4");
        settings[pair.substr(0, equals)] = pair.substr(equals + 1);
    }
    for (const auto& [key, text] : context.settings) settings[key] = text;
    return sendRequest(kSet, name, {{"settings", settings}}, "will use the new settings from its next update",
                       context);
}

std::string statusLine(const Json& s) {
    const auto number = [&](const char* key) {
        return s.contains(key) && s[key].is_number() ? s[key].get<double>() : 0.0;
    };
    // Older versions do not report a phase.
    const std::string phase = s.value("phase", ""), state = s.value("state", "running");
    const std::string reason = s.value("reason", "");
    std::string line = (phase.empty() || phase == "ended" ? state : phase) +
                       (reason.empty() ? "" : " (" + reason + ")") + ": " +
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

// Shows the run's status until the run ends or the user detaches with Ctrl-C, which does not stop the run.
Result<int> attach(const std::string& name, int every_ms, const Context& context) {
    SEEDBED_ASSIGN(Target target, connect(name, {"attach"}, context));
    Interrupt interrupt("");
    const int rate = every_ms > 0 ? every_ms : 1000;
    SEEDBED_ASSIGN([[maybe_unused]] const Json reply, target.client.ask("watch", {{"every_ms", rate}}));
    while (!interrupt.token().stop_requested()) {
        auto event = target.client.next(interrupt.token());
        if (!event || (!*event && target.client.ended())) break;
        if (!*event) continue;
        Json json = **event;
        if (context.json) {
            // Prints the same members as the status lines of 'seedbed train --json'.
            if (const Json status = json.value("status", Json()); status.is_object())
                for (const auto& [key, value] : status.items()) json[key] = value;
            printJson(json);
            continue;
        }
        if (json.value("event", "") == "status")
            std::fprintf(stderr, "%s\n", statusLine(json.value("status", Json::object())).c_str());
        else if (json.contains("text")) std::fprintf(stderr, "%s\n", json.value("text", "").c_str());
    }
    if (interrupt.token().stop_requested()) {
        if (!context.quiet)
            std::fprintf(stderr, "detached; run %lld continues\n", static_cast<long long>(target.run));
        return kOk;
    }
    SEEDBED_ASSIGN(StoreReader reader, StoreReader::open(context.data_folder));
    SEEDBED_ASSIGN(const RunRecord run, reader.run(target.run));
    if (!context.quiet)
        std::fprintf(stderr, "run %lld has ended: %s%s%s\n", static_cast<long long>(target.run),
                     run.status_text == kStoppedOnRequest ? "" : nameOf(run.status),
                     run.status_text.empty() || run.status_text == kStoppedOnRequest ? "" : ", ",
                     run.status_text.c_str());
    return run.status == RunStatus::failed ? 1 : kOk;
}

std::shared_ptr<std::string> runArgument(CLI::App& cli) {
    auto run = std::make_shared<std::string>();
    addRunArgument(cli, *run);
    return run;
}

SEEDBED_REGISTER_COMMAND(
    stop, {.id = "stop",
           .summary = "Stop a run in progress and save its state; 'seedbed resume' continues it",
           .examples = {"seedbed stop 3"},
           .define = [](CLI::App& cli) -> Action {
               const auto run = runArgument(cli);
               auto no_wait = std::make_shared<bool>(false);
               cli.add_flag("--no-wait", *no_wait, "Do not wait until the run has stopped");
               return [run, no_wait](const Context& context) { return stopRun(*run, !*no_wait, context); };
           }});

SEEDBED_REGISTER_COMMAND(pause, {.id = "pause",
                                 .summary = "Pause a run between updates; 'seedbed resume' continues it",
                                 .examples = {"seedbed pause 3"},
                                 .define = [](CLI::App& cli) -> Action {
                                     const auto run = runArgument(cli);
                                     return [run](const Context& context) {
                                         return sendRequest({"pause"}, *run, Json::object(),
                                                            "will pause after this update", context);
                                     };
                                 }});

SEEDBED_REGISTER_COMMAND(checkpoint, {.id = "checkpoint",
                                      .summary = "Checkpoint a run in progress at its next update",
                                      .examples = {"seedbed checkpoint 3"},
                                      .define = [](CLI::App& cli) -> Action {
                                          const auto run = runArgument(cli);
                                          return [run](const Context& context) {
                                              return sendRequest({"checkpoint"}, *run, Json::object(),
                                                                 "will be saved at its next update", context);
                                          };
                                      }});

SEEDBED_REGISTER_COMMAND(
    set, {.id = "set",
          .summary = "Change live settings of a run in progress",
          .examples = {"seedbed set 3 --algo.learning_rate 1e-4", "seedbed set 3 --run.steps 2000000"},
          .takes_settings = true,
          .define = [](CLI::App& cli) -> Action {
              const auto run = runArgument(cli);
              auto pairs = std::make_shared<std::vector<std::string>>();
              cli.add_option("SETTING", *pairs, "SECTION.NAME=VALUE, same as --SECTION.NAME VALUE");
              return [run, pairs](const Context& context) { return setLive(*run, *pairs, context); };
          }});

SEEDBED_REGISTER_COMMAND(
    priority, {.id = "priority",
               .summary = "Lower a run's CPU priority: 0 (normal) to 19 (lowest)",
               .examples = {"seedbed priority 3 10"},
               .define = [](CLI::App& cli) -> Action {
                   const auto run = runArgument(cli);
                   auto nice = std::make_shared<int>(0);
                   cli.add_option("NICE", *nice, "Nice value")->required()->check(CLI::Range(0, 19));
                   return [run, nice](const Context& context) {
                       return sendRequest({"priority"}, *run, {{"nice", *nice}},
                                          "has CPU priority " + std::to_string(*nice), context);
                   };
               }});

SEEDBED_REGISTER_COMMAND(attach, {.id = "attach",
                                  .summary = "Attach to a run in progress (Ctrl-C detaches)",
                                  .examples = {"seedbed attach 3", "seedbed attach 3 --json --every 200"},
                                  .define = [](CLI::App& cli) -> Action {
                                      const auto run = runArgument(cli);
                                      auto every = std::make_shared<int>(1000);
                                      cli.add_option("--every", *every,
                                                     "Interval between status lines in milliseconds")
                                          ->check(CLI::Range(20, 3600000));
                                      return [run, every](const Context& context) {
                                          return attach(*run, *every, context);
                                      };
                                  }});

}  // namespace
}  // namespace seedbed::app
