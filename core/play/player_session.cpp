// SPDX-License-Identifier: Apache-2.0
#include "core/play/player_session.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>

#include <unistd.h>

#include "core/base/mutex.hpp"
#include "core/base/sleep.hpp"
#include "core/base/text.hpp"
#include "core/control/frame_stream.hpp"
#include "core/nn/acting_head.hpp"
#include "core/play/break_list.hpp"
#include "core/play/inspector.hpp"
#include "core/play/play_headless.hpp"
#include "core/play/player_action.hpp"
#include "core/play/player_history.hpp"
#include "core/play/player_request.hpp"
#include "core/play/seats/taken_seats.hpp"
#include "core/play/session_recordings.hpp"

namespace seedbed {
namespace {

constexpr std::size_t kHistoryBytes = std::size_t{64} << 20;     // bytes of rows that can be stepped back to
constexpr std::size_t kRecordBytes = std::size_t{2} << 20;       // of actions per environment
constexpr std::uint64_t kTraceBefore = 448;                      // rows of the timeline before the one shown
constexpr std::uint64_t kTraceAfter = 64;                        // rows of the timeline after the one shown
constexpr double kFrameInterval = 1.0 / 120;                     // seconds
constexpr double kStatusInterval = 0.1;                          // seconds
constexpr double kFirstViewerTimeout = 30;                       // seconds
constexpr double kMaxDelay = 0.25;                               // seconds; maximum delay to catch up on
constexpr double kPollInterval = 0.05, kMaxPollInterval = 0.25;  // seconds between checks for newer weights
                                                                 // and new viewers
// Steps per second. At higher rates, rows between two frames are not drawn and cannot be stepped back to.
constexpr double kMaxDrawnRate = 600;

// Thread: run() is the player's; handle() and left() are called on the control server's thread.
class PlayerSession {
public:
    explicit PlayerSession(const PlayerSessionSpec& spec)
        : spec_(spec), speed_(spec.speed), greedy_(spec.selection == Selection::greedy) {}
    Result<> run(const std::function<void()>& ready, const std::stop_token& stop);

private:
    Json hello() const;
    void findAbilities();
    Result<Json> handle(std::uint64_t client, const std::string& verb, const Json& request);
    void left(std::uint64_t client);
    void enqueue(PlayerRequest request);
    Result<> listen();
    Result<> restart();
    std::vector<std::string> playerNames() const;
    bool hasNetwork() const { return game_.player.net || (game_.rival && game_.rival->net); }
    Result<> apply(const PlayerRequest& request);
    Result<> applyWeights(std::int64_t step);
    void applyBreak(const PlayerRequest& request);
    Result<> applyBranch(const PlayerRequest& request);
    Result<> branchAt(std::uint64_t row, const std::vector<float>& action);
    Result<> applyClose(int cell);
    void applyRecord(const PlayerRequest& request);
    Result<> moveBy(double count);
    Result<> seek(std::uint64_t row);
    Result<bool> play(bool draw);
    Result<bool> advance(bool draw);
    Result<bool> actForPersons();
    void checkBreaks();
    Result<> showIfDue(bool now);
    void storeRow();
    void storeCurrent();
    void updateSeats();
    void refreshPolicy();
    void notify(const std::string& text);
    void publishStatus(bool now);
    bool isWatched() const { return stream_.wanted() || inspections_.wanted(); }
    // Rows from before a branch do not have its cell.
    int shownFocus() const { return stage_->originalOf(focus_, history_.shown().cell_count); }
    RowInspections::Subject subject() const { return {shownFocus(), focus_agent_, generation_}; }
    bool isFinished() const { return stage_->player().finished(); }
    // Also true while a player that was started for a viewer waits for its first connection.
    bool isIdle() const {
        return paused_ || (spec_.until_viewer_leaves && !seen_) || (history_.showsNewest() && isFinished());
    }
    double interval() const { return speed_ > 0 ? 1 / (speed_ * rate_) : 0; }
    // A viewer that shows few frames gets the decisions between two of them at once: that takes less time,
    // because the processor's caches are filled once.
    bool playsInBursts() const {
        return drawsAll() && frame_interval_ > kPollInterval && isWatched() && !seats_.any();
    }
    double nextStep() const { return playsInBursts() ? std::max(due_, shown_ + frame_interval_) : due_; }
    double pollInterval() const { return std::clamp(frame_interval_, kPollInterval, kMaxPollInterval); }
    Result<> playDue();
    bool drawsAll() const { return speed_ > 0 && speed_ * rate_ <= kMaxDrawnRate; }
    const EnvSpec& envSpec() const { return stage_->player().envSpec(); }

    const PlayerSessionSpec& spec_;
    const Params none_;
    const Params& params() const { return spec_.policy != nullptr ? spec_.policy->params() : none_; }

    FrameStream stream_;
    RowInspections inspections_;
    PlayerSpec game_;            // without the settings that viewers change
    PlayerAbilities abilities_;  // does not change once the server is listening
    TakenSeats seats_;
    Mutex mutex_;
    StoppableConditionVariable changed_;
    std::deque<PlayerRequest> requests_ SEEDBED_GUARDED_BY(mutex_);
    int last_break_ SEEDBED_GUARDED_BY(mutex_) = 0;
    std::size_t break_count_ SEEDBED_GUARDED_BY(mutex_) = 0;

    std::unique_ptr<Stage> stage_;
    BreakList breaks_;
    Json fired_;        // the condition that paused the player
    double rate_ = 30;  // decisions per second at speed 1
    double speed_ = 1;
    bool greedy_ = true;
    bool paused_ = false;
    bool waiting_ = false;  // for a person's action
    bool stop_requested_ = false;
    bool dirty_ = true;                // the frame has changed since it was shown
    std::pair<bool, bool> watched_{};  // frames and inspections, when the session last looked
    PlayerFrame frame_;                // the latest one without cells, for its memory
    bool seen_ = false;                // a viewer has connected
    int envs_ = 1;
    int focus_ = 0;  // cell in focus
    int focus_agent_ = 0;
    std::uint32_t generation_ = 0;
    PlayerHistory history_{kHistoryBytes};
    double due_ = 0;    // time of the next step; all times are in seconds
    double shown_ = 0;  // time of the newest frame
    double frame_interval_ = kFrameInterval;
    double status_sent_ = 0;
    std::stop_token stop_;
    std::unique_ptr<ControlServer> server_;        // its thread uses the members above
    std::optional<SessionRecordings> recordings_;  // uses server_
};

// By seat; empty for a replay that does not name them.
std::vector<std::string> PlayerSession::playerNames() const {
    if (spec_.replay != nullptr) return recordedPlayers(*spec_.replay);
    if (spec_.seats != nullptr) return spec_.seats->names;
    return std::vector<std::string>(static_cast<std::size_t>(envSpec().agents), spec_.policy->name());
}

Json PlayerSession::hello() const {
    const EnvSpec& env = envSpec();
    const auto rest = defaultAction(env.spaces);
    Json hello{{"kind", "player"},
               {"pid", ::getpid()},
               {"env", env.id},
               {"title", env.title},
               {"agents", env.agents},
               {"settings", game_.env_params},
               {"spaces", toJson(env.spaces)},
               {"rate", rate_},
               {"max_envs", abilities_.max_envs},
               {"replay", spec_.replay != nullptr ? spec_.replay->source : Json()},
               {"policy", hasNetwork()},
               {"players", playerNames()},
               {"idle", nameOf(defaultIdleRule(env.spaces, env.agents))},
               {"rest", rest ? Json(*rest) : Json()},
               {"areas", areasOf(env)},
               {"seat_colours", seatColoursOf(env)},
               {"no_branch", abilities_.no_branch.empty() ? Json() : Json(abilities_.no_branch)}};
    if (spec_.policy == nullptr) return hello;
    hello["squash"] = spec_.policy->bundle().squash;
    hello["engine"] = spec_.policy->engine();
    hello["run"] = spec_.policy->run() ? Json(*spec_.policy->run()) : Json();
    hello["q"] = actingHead(spec_.policy->net().plan())->kind == "q";
    return hello;
}

void PlayerSession::findAbilities() {
    const bool is_replay = spec_.replay != nullptr;
    abilities_ = {.spaces = envSpec().spaces,
                  .agents = envSpec().agents,
                  .max_envs = is_replay ? 1 : kMaxPlayerEnvs,
                  .is_replay = is_replay,
                  .rate = rate_,
                  .no_branch = stage_->noBranchText(),
                  .no_select = {},
                  .no_weights = {}};
    if (is_replay) {
        abilities_.no_select = "the actions of a replay are recorded and cannot be selected";
        abilities_.no_weights = "a recorded game does not use the weights of a run";
    } else if (spec_.policy == nullptr) {
        abilities_.no_weights = "'" + game_.player.scripted + "' is a scripted player, which has no weights";
        if (!hasNetwork()) abilities_.no_select = "scripted players have no probabilities to select from";
    }
    seats_.begin(abilities_.spaces, abilities_.agents);
}

void PlayerSession::enqueue(PlayerRequest request) {
    const MutexLock lock(mutex_);
    requests_.push_back(std::move(request));
    changed_.notifyAll();
}

// Checks the request; the player's thread applies it.
Result<Json> PlayerSession::handle(std::uint64_t client, const std::string& verb, const Json& request) {
    if (verb == "act" || verb == "release") {
        if (abilities_.is_replay) return fail(ErrorCode::config, "the actions of a replay are recorded");
        SEEDBED_ASSIGN(Json reply, verb == "act" ? seats_.act(client, request) : seats_.release(client));
        enqueue({.verb = verb});
        return reply;
    }
    SEEDBED_ASSIGN(PlayerRequest checked, checkRequest(verb, request, abilities_));
    Json reply = Json::object();
    if (checked.condition) {
        const MutexLock lock(mutex_);
        if (break_count_ >= BreakList::kMost)
            return fail(ErrorCode::config, "there are " + std::to_string(BreakList::kMost) +
                                               " conditions already; clear some of them");
        ++break_count_;
        checked.id = ++last_break_;
        reply["break"] = checked.id;
    }
    enqueue(std::move(checked));
    return reply;
}

// The seat of a client that disconnects is released.
void PlayerSession::left(std::uint64_t client) {
    if (seats_.leave(client)) enqueue({.verb = "release"});
}

// Restarts the game; row numbers restart at 0.
Result<> PlayerSession::restart() {
    PlayerSpec spec = game_;
    spec.envs = envs_;
    spec.selection = greedy_ ? Selection::greedy : Selection::sample;
    SEEDBED_ASSIGN(stage_, Stage::create(std::move(spec), params()));
    rate_ = playerRate(envSpec());
    if (!server_) findAbilities();
    // The episodes before the selected one are played without being shown.
    Player& player = stage_->player();
    const auto selected = spec_.replay != nullptr ? static_cast<std::uint32_t>(spec_.replay->episode) : 0;
    while (player.cells().front().now.episode < selected && !player.finished() && !stop_.stop_requested())
        SEEDBED_TRY(player.step(params(), true));
    if (selected > 0) player.clearPast();
    ++generation_;
    history_.clear();
    fired_ = Json();
    focus_ = std::min(focus_, envs_ - 1);
    seats_.releaseFrom(envs_);
    seats_.forgetActions();
    storeRow();
    updateSeats();
    due_ = secondsNow() + interval();
    dirty_ = true;
    return {};
}

void PlayerSession::updateSeats() { seats_.update({focus_, focus_agent_}, stage_->masks()); }

void PlayerSession::storeRow() {
    StoredRow row{.row = stage_->player().row(),
                  .cells = encodeCells(stage_->cells()),
                  .cell_count = stage_->count(),
                  .weights_version = params().empty() ? 0 : params().version(),
                  .weights_steps = spec_.policy != nullptr ? spec_.policy->steps() : 0,
                  .masks = stage_->masks()};
    if (stage_->snapshotIsCheap() && isWatched())
        if (auto moment = stage_->moment()) row.moment = std::move(*moment);
    history_.add(std::move(row));
    if (inspections_.wanted())
        history_.setInspection(inspections_.inspect(*stage_, params(), subject()), focus_, focus_agent_);
}

// Stores the newest row if it was not drawn, so that it can be shown.
void PlayerSession::storeCurrent() {
    if (!history_.showsNewest() || history_.newest().row == stage_->player().row()) return;
    stage_->redraw();
    storeRow();
}

// Gives the actions of persons to the row. false: a person has not decided yet.
Result<bool> PlayerSession::actForPersons() {
    std::vector<TakenSeats::Decision> decisions = seats_.decisions();
    bool waits = false;
    for (const TakenSeats::Decision& decision : decisions) {
        if (!decision.notice.empty()) notify(decision.notice);
        const PlayerCell& cell = stage_->cell(decision.seat.env);
        waits = waits || (decision.waits && cell.nowOf(decision.seat.agent).decided);
    }
    if (waits != waiting_) dirty_ = true;
    waiting_ = waits;
    if (waits) return false;
    for (const TakenSeats::Decision& decision : decisions)
        if (decision.action) stage_->act(decision.seat.env, decision.seat.agent, *decision.action);
    return true;
}

// Plays a new row. false: it is not possible, because the game is finished or a person has not decided yet.
Result<bool> PlayerSession::play(bool draw) {
    if (isFinished()) return false;
    SEEDBED_ASSIGN(const bool decided, actForPersons());
    if (!decided) return false;
    SEEDBED_TRY(stage_->step(params(), draw));
    seats_.executed();
    updateSeats();
    // A row without scenes cannot be shown.
    if (draw) {
        storeRow();
        dirty_ = true;
    }
    checkBreaks();
    if (!fired_.is_null()) storeCurrent();
    return true;
}

void PlayerSession::checkBreaks() {
    if (breaks_.size() == 0 || seats_.has({focus_, focus_agent_})) return;
    Json fired = breaks_.check(stage_->trace(focus_, focus_agent_), stage_->playerOf(focus_).ring(),
                               stage_->columnOf(focus_, focus_agent_));
    if (fired.is_null()) return;
    paused_ = true;
    dirty_ = true;
    fired.update({{"env", focus_}, {"agent", focus_agent_}});
    fired_ = fired;
    fired["event"] = "break";
    server_->sendEvent(std::move(fired));
}

// Moves one row forward: to a stored row after stepping back, otherwise to a new one.
Result<bool> PlayerSession::advance(bool draw) {
    if (history_.showsNewest()) return play(draw);
    history_.move(1);
    dirty_ = true;
    return true;
}

Result<> PlayerSession::moveBy(double count) {
    paused_ = true;
    dirty_ = true;
    storeCurrent();
    if (count < 0) {
        history_.move(static_cast<std::int64_t>(count));
        return {};
    }
    for (auto left = static_cast<std::int64_t>(count); left > 0; --left) {
        if (stop_.stop_requested()) break;
        SEEDBED_ASSIGN(const bool moved, advance(left <= 256));
        if (!moved || !fired_.is_null()) break;
    }
    return {};
}

Result<> PlayerSession::seek(std::uint64_t row) {
    dirty_ = true;
    if (row < history_.oldest().row && spec_.replay != nullptr) SEEDBED_TRY(restart());
    if (history_.show(row)) return {};
    history_.showNewest();
    Player& player = stage_->player();
    const std::uint64_t last = std::min(row, player.row() + static_cast<std::uint64_t>(kMaxSeek));
    while (player.row() < last && !stop_.stop_requested() && fired_.is_null()) {
        // Rows on the way are drawn, because the last state of an episode must be, but not stored.
        if (isFinished()) break;
        SEEDBED_ASSIGN(const bool decided, actForPersons());
        if (!decided) break;
        SEEDBED_TRY(stage_->step(params(), true));
        seats_.executed();
        updateSeats();
        checkBreaks();
    }
    if (player.row() != history_.newest().row) storeRow();
    return {};
}

void PlayerSession::notify(const std::string& text) {
    server_->sendEvent({{"event", "message"}, {"text", text}});
    if (spec_.message) spec_.message(text);
}

// The same game from its beginning, with the weights of a checkpoint.
Result<> PlayerSession::applyWeights(std::int64_t step) {
    const auto shown = spec_.policy->showCheckpoint(step);
    if (!shown) {
        server_->sendEvent({{"event", "refused"}, {"do", "weights"}, {"text", shown.error().text()}});
        return {};
    }
    server_->sendEvent({{"event", "weights"}, {"steps", *shown}});
    return restart();
}

void PlayerSession::applyBreak(const PlayerRequest& request) {
    if (const std::string problem = breaks_.apply(request); !problem.empty()) notify(problem);
    const MutexLock lock(mutex_);
    const auto queued = static_cast<std::size_t>(
        std::count_if(requests_.begin(), requests_.end(),
                      [](const PlayerRequest& waiting) { return waiting.condition.has_value(); }));
    break_count_ = breaks_.size() + queued;
}

Result<> PlayerSession::applyBranch(const PlayerRequest& request) {
    storeCurrent();
    const std::uint64_t row = request.row.value_or(history_.shown().row);
    Result<> branched = branchAt(row, request.action);
    if (branched || branched.error().code != ErrorCode::config) return branched;
    server_->sendEvent({{"event", "refused"}, {"do", "branch"}, {"text", branched.error().text()}});
    return {};
}

// error: config, if there can be no branch; the games are unchanged. Other errors end the player.
Result<> PlayerSession::branchAt(std::uint64_t row, const std::vector<float>& action) {
    if (row < history_.oldest().row || row > history_.newest().row)
        return fail(ErrorCode::config, "row " + std::to_string(row) + " is not stored; the rows from " +
                                           std::to_string(history_.oldest().row) + " to " +
                                           std::to_string(history_.newest().row) + " are");
    const std::vector<const StoredRow*> at = history_.between(row, row);
    const bool is_newest = row == stage_->player().row();
    if (!is_newest && (at.empty() || at[0]->moment.empty()))
        return fail(ErrorCode::config,
                    "the state of row " + std::to_string(row) + " is not stored" +
                        (stage_->snapshotIsCheap() ? ", because no viewer watched it"
                                                   : ", because the environment runs in another program") +
                        "; branch at the newest row");
    SEEDBED_TRY(stage_->canBranch());
    if (!is_newest) SEEDBED_TRY(stage_->canReturnTo(row));
    const int of = stage_->originalOf(focus_, is_newest ? stage_->count() : at[0]->cell_count);
    if (!action.empty())
        SEEDBED_TRY(checkAllowed(action, is_newest ? stage_->masks() : at[0]->masks,
                                 of * abilities_.agents + focus_agent_, abilities_.spaces));
    if (!is_newest) {
        SEEDBED_ASSIGN(const std::vector<PlayerCell> cells, decodeCells(at[0]->cells));
        SEEDBED_TRY(stage_->returnTo(at[0]->moment, cells));
        seats_.releaseFrom(0);
    }
    history_.show(row);
    SEEDBED_TRY(stage_->branch(of, params()));
    const int cell = stage_->count() - 1;
    if (!action.empty()) stage_->act(cell, focus_agent_, action);
    history_.dropShownAndLater();
    storeRow();
    fired_ = Json();
    updateSeats();
    server_->sendEvent({{"event", "branched"}, {"cell", cell}, {"of", of}, {"row", row}});
    return {};
}

Result<> PlayerSession::applyClose(int cell) {
    const int original = cell >= envs_ && cell < stage_->count() ? stage_->originalOf(cell, cell) : 0;
    if (const auto closed = stage_->close(cell); !closed) {
        server_->sendEvent({{"event", "refused"}, {"do", "close"}, {"text", closed.error().text()}});
        return {};
    }
    SEEDBED_TRY(history_.removeCell(cell, envs_));
    if (!fired_.is_null() && fired_["env"] == cell) fired_ = Json();
    else if (!fired_.is_null() && fired_["env"] > cell) fired_["env"] = fired_["env"].get<int>() - 1;
    seats_.releaseFrom(cell);  // later games have moved up
    if (focus_ == cell) focus_ = original;
    else if (focus_ > cell) --focus_;
    updateSeats();
    return {};
}

void PlayerSession::applyRecord(const PlayerRequest& request) {
    if (request.file.extension() != ".replay")
        return recordings_->film(request, history_, abilities_.spaces, focus_, focus_agent_);
    RecordedGames games{.env = game_.env,
                        .env_params = game_.env_params,
                        .spec = envSpec(),
                        .seed = spec_.seed,
                        .selection = greedy_ ? Selection::greedy : Selection::sample,
                        .policy_steps = {},
                        .run = {},
                        .players = playerNames()};
    if (spec_.policy != nullptr) {
        games.policy_steps = spec_.policy->steps();
        games.run = spec_.policy->run();
    }
    recordings_->replay(request.file, games, stage_->player().recorder()->finished());
}

Result<> PlayerSession::apply(const PlayerRequest& request) {
    dirty_ = true;
    due_ = std::min(due_, secondsNow() + interval());
    const std::string& verb = request.verb;
    if (verb == "resume" || verb == "step" || verb == "seek") fired_ = Json();
    if (verb == "pause") {
        paused_ = true;
        storeCurrent();
    } else if (verb == "resume") {
        paused_ = false;
        if (history_.showsNewest() && isFinished()) SEEDBED_TRY(restart());
    } else if (verb == "step") return moveBy(request.number);
    else if (verb == "seek") return seek(static_cast<std::uint64_t>(request.number));
    else if (verb == "speed") {
        speed_ = request.number;
        due_ = secondsNow() + interval();
    } else if (verb == "pace") {
        frame_interval_ = std::max(kFrameInterval, request.number / 1000);
    } else if (verb == "select") {
        greedy_ = request.number != 0;
        stage_->select(greedy_ ? Selection::greedy : Selection::sample);
    } else if (verb == "focus") {
        focus_ = std::min(static_cast<int>(request.number), stage_->count() - 1);
        focus_agent_ = request.agent;
        updateSeats();
    } else if (verb == "envs") {
        if (std::exchange(envs_, static_cast<int>(request.number)) != envs_) return restart();
    } else if (verb == "restart") return restart();
    else if (verb == "weights") return applyWeights(static_cast<std::int64_t>(request.number));
    else if (verb == "break") applyBreak(request);
    else if (verb == "branch") return applyBranch(request);
    else if (verb == "close") return applyClose(static_cast<int>(request.number));
    else if (verb == "record") applyRecord(request);
    else if (verb == "stop") stop_requested_ = true;
    return {};
}

Result<> PlayerSession::showIfDue(bool now) {
    if (!dirty_ || !isWatched() || (!now && secondsNow() - shown_ < frame_interval_)) return {};
    const StoredRow& shown = history_.shown();
    PlayerFrame& frame = frame_;
    frame.generation = generation_;
    frame.row = shown.row;
    frame.newest_row = history_.newest().row;
    frame.oldest_row = history_.oldest().row;
    frame.weights_version = shown.weights_version;
    frame.weights_steps = shown.weights_steps;
    frame.greedy = greedy_;
    frame.paused = paused_;
    frame.finished = isFinished();
    frame.followed = spec_.policy != nullptr && spec_.policy->followed();
    frame.speed = static_cast<float>(speed_);
    frame.focus = shownFocus();
    frame.focus_agent = focus_agent_;
    std::size_t count = 0;
    for (const PlayerRecord& record : stage_->trace(frame.focus, focus_agent_)) {
        if (record.row + kTraceBefore <= shown.row || record.row > shown.row + kTraceAfter) continue;
        if (count == frame.trace.size()) frame.trace.emplace_back();
        frame.trace[count++] = record;
    }
    frame.trace.resize(count);
    dirty_ = false;
    shown_ = secondsNow();
    if (inspections_.wanted()) SEEDBED_TRY(inspections_.show(*stage_, params(), history_, subject()));
    if (!stream_.wanted()) return {};
    return stream_.publish(encodeHead(frame), shown.cells);
}

// Plays the decisions that are due: one, or a burst.
Result<> PlayerSession::playDue() {
    if (secondsNow() < nextStep()) return {};
    const bool burst = playsInBursts();
    const double max_delay = std::max(kMaxDelay, 2 * frame_interval_);
    do {
        if (isIdle() || secondsNow() < due_) return {};
        // The last row of a replay is always shown.
        const bool last = spec_.replay != nullptr && stage_->player().left() <= 1;
        const bool draw =
            last || (isWatched() && (drawsAll() || seats_.any() || secondsNow() - shown_ >= frame_interval_));
        SEEDBED_ASSIGN(const bool moved, advance(draw));
        if (!moved) return {};
        due_ = speed_ > 0 ? std::max(due_ + interval(), secondsNow() - max_delay) : 0;
    } while (burst && !stop_.stop_requested());
    return {};
}

void PlayerSession::publishStatus(bool now) {
    if (!now && secondsNow() - status_sent_ < std::max(kStatusInterval, frame_interval_)) return;
    status_sent_ = secondsNow();
    const PlayerCell& cell = stage_->cell(focus_);
    server_->publish({{"state", isFinished() ? "finished"
                                : paused_    ? "paused"
                                : waiting_   ? "waiting"
                                             : "playing"},
                      {"row", stage_->player().row()},
                      {"speed", speed_},
                      {"greedy", greedy_},
                      {"focus", focus_},
                      {"focus_agent", focus_agent_},
                      {"envs", envs_},
                      {"episodes", cell.episodes},
                      {"last_return", cell.last_end == EpisodeMark::none ? Json() : Json(cell.last_return)},
                      {"followed", spec_.policy != nullptr && spec_.policy->followed()},
                      {"steps", spec_.policy != nullptr ? spec_.policy->steps() : 0},
                      {"seats", seats_.status()},
                      {"breaks", breaks_.json()},
                      {"stopped_by", fired_},
                      {"branches", stage_->branchesJson()},
                      {"inspected", inspections_.count()},
                      {"recording", recordings_->isWriting()}});
}

void PlayerSession::refreshPolicy() {
    if (spec_.policy == nullptr) return;
    if (spec_.policy->refresh(secondsNow())) dirty_ = true;
    for (const std::string& notice : spec_.policy->takeNotices()) notify(notice);
}

Result<> PlayerSession::listen() {
    ControlSetup setup;
    setup.handler = [this](std::uint64_t client, const std::string& verb, const Json& request) {
        return handle(client, verb, request);
    };
    setup.left = [this](std::uint64_t client) { left(client); };
    setup.published = {{"follow", &stream_}, {"inspect", &inspections_.stream()}};
    SEEDBED_ASSIGN(server_, ControlServer::start(spec_.socket, hello(), std::move(setup)));
    recordings_.emplace([this](Json event) { server_->sendEvent(std::move(event)); });
    return {};
}

Result<> PlayerSession::run(const std::function<void()>& ready, const std::stop_token& stop) {
    stop_ = stop;
    envs_ = spec_.replay != nullptr ? 1 : std::clamp(spec_.envs, 1, kMaxPlayerEnvs);
    SEEDBED_ASSIGN(game_, playerSpecOf(spec_.policy, spec_.seats, spec_.replay));
    if (spec_.replay == nullptr) game_.seed = spec_.seed;
    game_.record = spec_.replay == nullptr;
    game_.record_bytes = kRecordBytes;
    SEEDBED_TRY(restart());
    SEEDBED_TRY(listen());
    ready();
    const double started = secondsNow();
    while (!stop.stop_requested() && !stop_requested_) {
        std::deque<PlayerRequest> requests;
        {
            MutexLock lock(mutex_);
            const double poll = pollInterval();
            const double wait = isIdle() || waiting_ ? poll : std::min(poll, nextStep() - secondsNow());
            if (wait > 0)
                changed_.waitFor(lock, stop, std::chrono::duration<double>(wait),
                                 [this]() SEEDBED_REQUIRES(mutex_) { return !requests_.empty(); });
            requests.swap(requests_);
        }
        for (const PlayerRequest& request : requests) SEEDBED_TRY(apply(request));
        refreshPolicy();
        SEEDBED_TRY(playDue());
        // A new viewer of a paused player gets what is shown.
        const std::pair watched{stream_.wanted(), inspections_.wanted()};
        if (watched != std::exchange(watched_, watched)) dirty_ = true;
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
