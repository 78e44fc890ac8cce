// SPDX-License-Identifier: GPL-3.0-or-later
// The thread that holds the connection to a run.
#include "ui/models/run_link.hpp"

#include "core/base/mutex.hpp"
#include "core/base/thread.hpp"
#include "core/control/control_client.hpp"
#include "core/control/protocol.hpp"

namespace seedbed::ui {
namespace {

constexpr int kEveryMs = 150;
constexpr std::int64_t kSilentMs = 2000;  // without a word until it is said not to answer
constexpr std::chrono::milliseconds kRetry{500};

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
    status.mean_return = optionalNumber(json, "return"),
    status.evaluation = optionalNumber(json, "evaluation");
    status.elapsed_s = optionalNumber(json, "elapsed_s").value_or(0),
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
    std::optional<LiveStatus> last;  // what the window was told
    bool silent = false;             // the last look found a process that does not answer
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
            silent = false;
            (void)listen(stop);  // nobody listens, or the run has ended: tried again
            if (!silent && last) tell(std::nullopt);
            MutexLock lock(mutex);
            wake.waitFor(lock, stop, kRetry, [] { return false; });
        }
    }

    Result<> listen(const std::stop_token& stop) {
        const Deadline patience = deadlineIn(kSilentMs);
        auto client = ControlClient::connect(controlSocket(link.folder_, run), stop, kSilentMs);
        auto watched =
            client ? client->ask("watch", {{"every_ms", kEveryMs}}, kSilentMs, stop) : Result<Json>(Json());
        // Somebody accepted the connection and said nothing.
        if (!client || !watched) {
            if (deadlineIn(0) >= patience && !stop.stop_requested()) tellSilence();
            return {};
        }
        while (!stop.stop_requested() && !client->ended()) {
            SEEDBED_ASSIGN(const std::optional<Json> event, client->next(stop, deadlineIn(kSilentMs)));
            if (!event && !stop.stop_requested() && !client->ended()) tellSilence();
            if (!event) continue;
            const std::string kind = event->value("event", "");
            if (kind == "status" && event->contains("status") && (*event)["status"].is_object()) {
                tell(statusFrom((*event)["status"]));
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

    void tellSilence() {
        silent = true;
        if (last && !last->answers) return;
        LiveStatus status = last.value_or(LiveStatus());
        status.answers = false;
        tell(status);
    }

    void tell(std::optional<LiveStatus> status) {
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
