// SPDX-License-Identifier: Apache-2.0
#include "core/play/player_session.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>

#include <unistd.h>

#include "core/base/mutex.hpp"
#include "core/base/sleep.hpp"
#include "core/base/text.hpp"
#include "core/control/frame_stream.hpp"
#include "core/play/play_headless.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kHistoryBytes = std::size_t{64} << 20;  // bytes of rows that can be stepped back to
constexpr std::uint64_t kTraceBefore = 448;                   // rows of the time line before the one shown
constexpr std::uint64_t kTraceAfter = 64;                     // rows of the time line after it
constexpr double kFrameInterval = 1.0 / 120;                  // seconds
constexpr double kStatusInterval = 0.1;                       // seconds
constexpr double kFirstViewerTimeout = 30;                    // seconds
constexpr double kMaxDelay = 0.25;                            // seconds; longer delays are not caught up
constexpr double kPollInterval = 0.05;                        // seconds between checks for newer weights and
                                                              // new viewers
// Steps per second. Above it, rows between two frames are not drawn and cannot be stepped back to.
constexpr double kMaxDrawnRate = 600;
constexpr std::int64_t kMaxSeek = 10'000'000;  // rows

struct PlayerRequest {
    std::string verb;
    double number = 0;
    int agent = 0;  // focus
};

// Thread: run() is the player's; handle() is called on the control server's thread.
class PlayerSession {
public:
    explicit PlayerSession(const PlayerSessionSpec& spec)
        : spec_(spec), speed_(spec.speed), greedy_(spec.selection == Selection::greedy) {}
    Result<> run(const std::function<void()>& ready, const std::stop_token& stop);

private:
    struct StoredRow {
        std::uint64_t row;
        std::vector<std::byte> cells;
        std::uint64_t weights_version;  // version of the weights that chose this row's actions
        std::int64_t weights_steps;
    };

    Json hello() const;
    Result<Json> handle(const std::string& verb, const Json& request);
    Result<> restart();
    Result<> apply(const PlayerRequest& request);
    Result<> moveBy(double count);
    Result<> seek(std::uint64_t row);
    Result<> advance(bool draw);
    Result<> showIfDue(bool now);
    void storeRow();
    void publishStatus(bool now);
    bool atNewest() const { return cursor_ + 1 >= history_.size(); }
    // Also true while a player that was started for a viewer waits for its first connection.
    bool isIdle() const {
        return paused_ || (spec_.until_viewer_leaves && !seen_) || (atNewest() && player_->finished());
    }
    double interval() const { return speed_ > 0 ? 1 / (speed_ * rate_) : 0; }
    bool drawsAll() const { return speed_ > 0 && speed_ * rate_ <= kMaxDrawnRate; }

    const PlayerSessionSpec& spec_;
    const Params none_;
    const Params& params() const { return spec_.policy != nullptr ? spec_.policy->params() : none_; }

    FrameStream stream_;
    Mutex mutex_;
    StoppableConditionVariable changed_;
    std::deque<PlayerRequest> requests_ SEEDBED_GUARDED_BY(mutex_);

    std::unique_ptr<Player> player_;
    double rate_ = 30;  // decisions per second at speed 1
    double speed_ = 1;
    bool greedy_ = true;
    bool paused_ = false;
    bool stop_requested_ = false;
    bool dirty_ = true;  // the frame has changed since it was shown
    bool seen_ = false;  // a viewer has connected
    int envs_ = 1;
    int focus_ = 0;  // environment
    int focus_agent_ = 0;
    int agents_ = 1;  // agents per environment; does not change once the server is listening
    std::uint32_t generation_ = 0;
    std::deque<StoredRow> history_;
    std::size_t history_bytes_ = 0;
    std::size_t cursor_ = 0;  // index of the displayed row in the history
    double due_ = 0;          // time of the next step, in seconds (as are the next two)
    double shown_ = 0;        // time of the newest frame
    double status_sent_ = 0;
    std::stop_token stop_;
    std::unique_ptr<ControlServer> server_;  // declared last because its thread uses the members above
};

Json PlayerSession::hello() const {
    const EnvSpec& env = player_->envSpec();
    Json hello{{"kind", "player"},
               {"pid", ::getpid()},
               {"env", env.id},
               {"title", env.title},
               {"agents", env.agents},
               {"spaces", toJson(env.spaces)},
               {"rate", rate_},
               {"max_envs", spec_.replay != nullptr ? 1 : kMaxPlayerEnvs},
               {"replay", spec_.replay != nullptr ? spec_.replay->source : Json()},
               {"policy", spec_.policy != nullptr}};
    if (spec_.policy == nullptr) return hello;
    hello["squash"] = spec_.policy->bundle().squash;
    hello["engine"] = spec_.policy->engine();
    hello["run"] = spec_.policy->run() ? Json(*spec_.policy->run()) : Json();
    return hello;
}

// Checks the request; the player's thread applies it.
Result<Json> PlayerSession::handle(const std::string& verb, const Json& request) {
    const auto number = [&](const char* key, double low, double high) -> Result<double> {
        const Json value = request.value(key, Json());
        if (value.is_boolean()) return value.get<bool>() ? 1.0 : 0.0;
        if (!value.is_number() || !(value.get<double>() >= low && value.get<double>() <= high))
            return fail(ErrorCode::usage, std::string(key) + " must be a number from " + formatNumber(low) +
                                              " to " + formatNumber(high));
        return value.get<double>();
    };
    PlayerRequest checked{verb, 0, 0};
    if (verb == "step") {
        SEEDBED_ASSIGN(checked.number,
                       number("count", -static_cast<double>(kMaxSeek), static_cast<double>(kMaxSeek)));
    } else if (verb == "speed") {
        SEEDBED_ASSIGN(checked.number, number("times", 0, 1000));
    } else if (verb == "select") {
        if (spec_.policy == nullptr || spec_.replay != nullptr)
            return fail(ErrorCode::config, "the actions of a replay are recorded and cannot be selected");
        SEEDBED_ASSIGN(checked.number, number("greedy", 0, 1));
    } else if (verb == "focus") {
        SEEDBED_ASSIGN(checked.number, number("env", 0, kMaxPlayerEnvs - 1));
        if (request.contains("agent")) {
            SEEDBED_ASSIGN(const double agent, number("agent", 0, agents_ - 1));
            checked.agent = static_cast<int>(agent);
        }
    } else if (verb == "envs") {
        if (spec_.replay != nullptr) return fail(ErrorCode::config, "a replay has one environment");
        SEEDBED_ASSIGN(checked.number, number("count", 1, kMaxPlayerEnvs));
    } else if (verb == "seek") {
        SEEDBED_ASSIGN(checked.number, number("row", 0, 9e15));
    } else if (verb != "pause" && verb != "resume" && verb != "restart" && verb != "stop") {
        return fail(ErrorCode::usage,
                    "unknown request '" + verb + "'" +
                        suggestion(verb, {"status", "watch", "follow", "pause", "resume", "step", "speed",
                                          "select", "focus", "envs", "seek", "restart", "stop"}));
    }
    const MutexLock lock(mutex_);
    requests_.push_back(std::move(checked));
    changed_.notifyAll();
    return Json::object();
}

// Restarts the game; row numbers restart at 0.
Result<> PlayerSession::restart() {
    PlayerSpec spec;
    if (spec_.policy != nullptr) {
        spec.env = &spec_.policy->env();
        spec.env_params = spec_.policy->envParams();
        spec.net = &spec_.policy->net();
        spec.distribution = spec_.policy->distribution();
    }
    spec.envs = envs_;
    spec.seed = spec_.seed;
    spec.selection = greedy_ ? Selection::greedy : Selection::sample;
    if (spec_.replay != nullptr) {
        SEEDBED_ASSIGN(const ReplayEnv env, replayEnv(*spec_.replay));
        if (spec.env != nullptr && env.entry != spec.env)
            return fail(ErrorCode::config, "the replay was recorded in '" + env.entry->id +
                                               "', but the policy plays '" + spec.env->id + "'");
        spec.env = env.entry;
        spec.env_params = env.params;
        spec.seed = spec_.replay->seed;
        spec.purpose = spec_.replay->purpose;
        spec.replay = &spec_.replay->tracks[static_cast<std::size_t>(spec_.replay->track)];
        spec.first_lane = spec.replay->lane;
    }
    SEEDBED_ASSIGN(player_, Player::create(std::move(spec), params()));
    rate_ = playerRate(player_->envSpec());
    if (!server_) agents_ = player_->envSpec().agents;
    // The episodes before the selected one are played without being shown.
    const auto selected = spec_.replay != nullptr ? static_cast<std::uint32_t>(spec_.replay->episode) : 0;
    while (player_->cells().front().now.episode < selected && !player_->finished() && !stop_.stop_requested())
        SEEDBED_TRY(player_->step(params(), true));
    if (selected > 0) player_->clearPast();
    ++generation_;
    history_.clear();
    history_bytes_ = 0;
    cursor_ = 0;
    focus_ = std::min(focus_, envs_ - 1);
    storeRow();
    due_ = secondsNow() + interval();
    dirty_ = true;
    return {};
}

void PlayerSession::storeRow() {
    history_.push_back({player_->row(), encodeCells(player_->cells()),
                        params().empty() ? 0 : params().version(),
                        spec_.policy != nullptr ? spec_.policy->steps() : 0});
    history_bytes_ += history_.back().cells.size();
    cursor_ = history_.size() - 1;
    while (history_.size() > 1 && history_bytes_ > kHistoryBytes) {
        history_bytes_ -= history_.front().cells.size();
        history_.pop_front();
        --cursor_;
    }
}

// Moves one row forward: to a stored row after stepping back, otherwise to a new one.
Result<> PlayerSession::advance(bool draw) {
    if (!atNewest()) {
        ++cursor_;
        dirty_ = true;
        return {};
    }
    if (player_->finished()) return {};
    SEEDBED_TRY(player_->step(params(), draw));
    // A row without scenes cannot be shown.
    if (draw) {
        storeRow();
        dirty_ = true;
    }
    return {};
}

Result<> PlayerSession::moveBy(double count) {
    paused_ = true;
    dirty_ = true;
    if (count < 0) {
        cursor_ -= std::min(cursor_, static_cast<std::size_t>(-count));
        return {};
    }
    for (auto left = static_cast<std::int64_t>(count); left > 0; --left) {
        if (stop_.stop_requested()) break;
        SEEDBED_TRY(advance(left <= 256));
    }
    return {};
}

Result<> PlayerSession::seek(std::uint64_t row) {
    dirty_ = true;
    if (row < history_.front().row && spec_.replay != nullptr) SEEDBED_TRY(restart());
    // The nearest stored row.
    const auto at = std::find_if(history_.begin(), history_.end(),
                                 [&](const StoredRow& stored) { return stored.row >= row; });
    if (at != history_.end()) {
        cursor_ = static_cast<std::size_t>(at - history_.begin());
        return {};
    }
    cursor_ = history_.size() - 1;
    const std::uint64_t last = std::min(row, player_->row() + static_cast<std::uint64_t>(kMaxSeek));
    while (player_->row() < last && !player_->finished() && !stop_.stop_requested())
        SEEDBED_TRY(player_->step(params(), true));
    if (player_->row() != history_.back().row) storeRow();
    return {};
}

Result<> PlayerSession::apply(const PlayerRequest& request) {
    dirty_ = true;
    due_ = std::min(due_, secondsNow() + interval());
    if (request.verb == "pause") paused_ = true;
    else if (request.verb == "resume") {
        paused_ = false;
        if (atNewest() && player_->finished()) SEEDBED_TRY(restart());
    } else if (request.verb == "step") return moveBy(request.number);
    else if (request.verb == "seek") return seek(static_cast<std::uint64_t>(request.number));
    else if (request.verb == "speed") {
        speed_ = request.number;
        due_ = secondsNow() + interval();
    } else if (request.verb == "select") {
        greedy_ = request.number != 0;
        player_->select(greedy_ ? Selection::greedy : Selection::sample);
    } else if (request.verb == "focus") {
        focus_ = std::min(static_cast<int>(request.number), envs_ - 1);
        focus_agent_ = request.agent;
    } else if (request.verb == "envs") {
        if (std::exchange(envs_, static_cast<int>(request.number)) != envs_) return restart();
    } else if (request.verb == "restart") return restart();
    else if (request.verb == "stop") stop_requested_ = true;
    return {};
}

Result<> PlayerSession::showIfDue(bool now) {
    if (!dirty_ || !stream_.wanted() || (!now && secondsNow() - shown_ < kFrameInterval)) return {};
    const StoredRow& shown = history_[cursor_];
    PlayerFrame frame;
    frame.generation = generation_;
    frame.row = shown.row;
    frame.newest_row = history_.back().row;
    frame.oldest_row = history_.front().row;
    frame.weights_version = shown.weights_version;
    frame.weights_steps = shown.weights_steps;
    frame.greedy = greedy_;
    frame.paused = paused_;
    frame.finished = player_->finished();
    frame.followed = spec_.policy != nullptr && spec_.policy->followed();
    frame.speed = static_cast<float>(speed_);
    frame.focus = focus_;
    frame.focus_agent = focus_agent_;
    for (const PlayerRecord& record : player_->trace(focus_, focus_agent_))
        if (record.row + kTraceBefore > shown.row && record.row <= shown.row + kTraceAfter)
            frame.trace.push_back(record);
    dirty_ = false;
    shown_ = secondsNow();
    return stream_.publish(encodeHead(frame), shown.cells);
}

void PlayerSession::publishStatus(bool now) {
    if (!now && secondsNow() - status_sent_ < kStatusInterval) return;
    status_sent_ = secondsNow();
    const PlayerCell& cell = player_->cells()[static_cast<std::size_t>(focus_)];
    server_->publish({{"state", player_->finished() ? "finished"
                                : paused_           ? "paused"
                                                    : "playing"},
                      {"row", player_->row()},
                      {"speed", speed_},
                      {"greedy", greedy_},
                      {"focus", focus_},
                      {"focus_agent", focus_agent_},
                      {"envs", envs_},
                      {"episodes", cell.episodes},
                      {"last_return", cell.last_end == EpisodeMark::none ? Json() : Json(cell.last_return)},
                      {"followed", spec_.policy != nullptr && spec_.policy->followed()},
                      {"steps", spec_.policy != nullptr ? spec_.policy->steps() : 0}});
}

Result<> PlayerSession::run(const std::function<void()>& ready, const std::stop_token& stop) {
    stop_ = stop;
    envs_ = spec_.replay != nullptr ? 1 : std::clamp(spec_.envs, 1, kMaxPlayerEnvs);
    SEEDBED_TRY(restart());
    SEEDBED_ASSIGN(server_,
                   ControlServer::start(
                       spec_.socket, hello(),
                       [this](const std::string& verb, const Json& request) { return handle(verb, request); },
                       &stream_));
    ready();
    const double started = secondsNow();
    while (!stop.stop_requested() && !stop_requested_) {
        std::deque<PlayerRequest> requests;
        {
            MutexLock lock(mutex_);
            const double wait = isIdle() ? kPollInterval : std::min(kPollInterval, due_ - secondsNow());
            if (wait > 0)
                changed_.waitFor(lock, stop, std::chrono::duration<double>(wait),
                                 [this]() SEEDBED_REQUIRES(mutex_) { return !requests_.empty(); });
            requests.swap(requests_);
        }
        for (const PlayerRequest& request : requests) SEEDBED_TRY(apply(request));
        if (spec_.policy != nullptr) {
            if (spec_.policy->refresh(secondsNow())) dirty_ = true;
            for (const std::string& notice : spec_.policy->takeNotices()) {
                server_->sendEvent({{"event", "message"}, {"text", notice}});
                if (spec_.message) spec_.message(notice);
            }
        }
        if (!isIdle() && secondsNow() >= due_) {
            // The last row of a replay is always shown.
            const bool last = spec_.replay != nullptr && player_->left() <= 1;
            const bool draw =
                last || (stream_.wanted() && (drawsAll() || secondsNow() - shown_ >= kFrameInterval));
            SEEDBED_TRY(advance(draw));
            due_ = speed_ > 0 ? std::max(due_ + interval(), secondsNow() - kMaxDelay) : 0;
        }
        SEEDBED_TRY(showIfDue(!requests.empty() || isIdle()));
        publishStatus(!requests.empty());
        seen_ = seen_ || stream_.wanted();
        if (spec_.until_viewer_leaves && server_->clients() == 0 &&
            (seen_ || secondsNow() - started > kFirstViewerTimeout))
            break;
    }
    return {};
}

}  // namespace

Result<> runPlayer(const PlayerSessionSpec& spec, const std::function<void()>& ready,
                   const std::stop_token& stop) {
    return PlayerSession(spec).run(ready, stop);
}

}  // namespace seedbed
