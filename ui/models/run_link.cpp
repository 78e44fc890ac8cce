// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_link.hpp"

#include "core/base/mutex.hpp"
#include "core/base/thread.hpp"
#include "core/control/control_client.hpp"
#include "core/control/protocol.hpp"

namespace seedbed::ui {
namespace {

constexpr int kStatusIntervalMs = 150;
constexpr std::int64_t kSilenceTimeoutMs = 2000;  // time without data after which the run counts as
                                                  // unresponsive
constexpr std::chrono::milliseconds kReconnectInterval{500};

std::optional<double> optionalNumber(const Json& object, const char* key) {
    const auto at = object.find(key);
    return at != object.end() && at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

LiveStatus statusFrom(const Json& json) {
    LiveStatus status;
    status.state = QString::fromStdString(json.value("state", ""));
    const auto phase = json.find("phase");
    if (phase != json.end() && phase->is_string())
        status.phase = QString::fromStdString(phase->get<std::string>());
    status.steps = static_cast<std::int64_t>(optionalNumber(json, "steps").value_or(0));
    status.goal_steps = static_cast<std::int64_t>(optionalNumber(json, "goal_steps").value_or(0));
    status.updates = static_cast<std::int64_t>(optionalNumber(json, "updates").value_or(0));
    status.steps_per_s = optionalNumber(json, "steps_per_s").value_or(0);
    status.mean_return = optionalNumber(json, "return");
    status.evaluation = optionalNumber(json, "evaluation");
    status.elapsed_s = optionalNumber(json, "elapsed_s").value_or(0);
    status.trained_s = optionalNumber(json, "trained_s").value_or(0);
    const auto eta = json.find("eta_s");
    if (eta != json.end() && eta->is_array() && eta->size() == 2 && (*eta)[0].is_number() &&
        (*eta)[1].is_number())
        status.eta_s = std::pair((*eta)[0].get<double>(), (*eta)[1].get<double>());
    status.next_checkpoint_s = optionalNumber(json, "next_checkpoint_s");
    const auto saving = json.find("saving");
    status.saving = saving == json.end() || !saving->is_boolean() || saving->get<bool>();
    return status;
}

}  // namespace

struct RunLink::Follower {
    RunLink& link;
    RunId run;
    std::optional<LiveStatus> last;  // the last published status
    bool unresponsive = false;       // the process accepted the last connection but did not respond
    NamedThread thread;

    Follower(RunLink& owner, RunId id)
        : link(owner),
          run(id),
          thread(
              "ui-link",
              [this](const std::stop_token& stop) -> Result<> {
                  loop(stop);
                  return {};
              },
              NamedThread::OnFailure()) {}

    void loop(const std::stop_token& stop) {
        Mutex mutex;
        StoppableConditionVariable wake;
        while (!stop.stop_requested()) {
            unresponsive = false;
            (void)listen(stop);  // retried after a failure (there is no process, or the run has ended)
            if (!unresponsive && last) publish(std::nullopt);
            MutexLock lock(mutex);
            wake.waitFor(lock, stop, kReconnectInterval, [] { return false; });
        }
    }

    Result<> listen(const std::stop_token& stop) {
        const Deadline deadline = deadlineIn(kSilenceTimeoutMs);
        auto client = ControlClient::connect(controlSocket(link.folder_, run), stop, kSilenceTimeoutMs);
        auto subscribed =
            client ? client->ask("watch", {{"every_ms", kStatusIntervalMs}}, kSilenceTimeoutMs, stop)
                   : Result<Json>(Json());
        // The connection was accepted but nothing was sent.
        if (!client || !subscribed) {
            if (deadlineIn(0) >= deadline && !stop.stop_requested()) publishSilence();
            return {};
        }
        while (!stop.stop_requested() && !client->ended()) {
            SEEDBED_ASSIGN(const std::optional<Json> event,
                           client->next(stop, deadlineIn(kSilenceTimeoutMs)));
            // A paused run has nothing to report.
            const bool is_paused = last && last->state == QLatin1String("paused");
            if (!event && !is_paused && !stop.stop_requested() && !client->ended()) publishSilence();
            if (!event) continue;
            const std::string kind = event->value("event", "");
            if (kind == "status" && event->contains("status") && (*event)["status"].is_object()) {
                publish(statusFrom((*event)["status"]));
            } else if (kind == "message") {
                QMetaObject::invokeMethod(
                    &link,
                    [&to = link, id = run, text = QString::fromStdString(event->value("text", ""))] {
                        if (to.run_ == id) Q_EMIT to.message(text);
                    },
                    Qt::QueuedConnection);
            }
        }
        return {};
    }

    void publishSilence() {
        unresponsive = true;
        if (last && !last->answers) return;
        LiveStatus status = last.value_or(LiveStatus());
        status.answers = false;
        publish(status);
    }

    void publish(std::optional<LiveStatus> status) {
        last = status;
        QMetaObject::invokeMethod(
            &link,
            [&to = link, id = run, status = std::move(status)] {
                if (to.run_ != id) return;
                to.status_ = status;
                Q_EMIT to.changed();
            },
            Qt::QueuedConnection);
    }
};

RunLink::RunLink(std::filesystem::path data_folder, QObject* parent)
    : QObject(parent), folder_(std::move(data_folder)) {}
RunLink::~RunLink() = default;

void RunLink::follow(RunId run) {
    if (run == run_) return;
    follower_.reset();
    run_ = run;
    const bool was = status_.has_value();
    status_.reset();
    if (run != 0) follower_ = std::make_unique<Follower>(*this, run);
    if (was) Q_EMIT changed();
}

}  // namespace seedbed::ui
