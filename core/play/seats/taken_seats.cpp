// SPDX-License-Identifier: Apache-2.0
#include "core/play/seats/taken_seats.hpp"

#include <algorithm>

#include "core/base/describe.hpp"

namespace seedbed {
namespace {

constexpr std::int64_t kMaxRows = 1'000'000;

Result<std::int64_t> rowsOf(const Json& request) {
    const Json rows = request.value("rows", Json(1));
    if (!rows.is_number_integer() || rows < 0 || rows > kMaxRows)
        return fail(ErrorCode::usage,
                    "rows must be a number from 0 (until the next action) to " + std::to_string(kMaxRows));
    const auto count = rows.get<std::int64_t>();
    return count == 0 ? std::int64_t{-1} : count;
}

Result<std::optional<IdleRule>> idleOf(const Json& request, const Spaces& spaces) {
    if (!request.contains("idle")) return std::optional<IdleRule>();
    const std::string name = request["idle"].is_string() ? request["idle"].get<std::string>() : "";
    const auto rule = idleRuleOf(name);
    if (!rule)
        return fail(ErrorCode::usage, "idle must be wait, nothing, hold or policy" +
                                          suggestion(name, {"wait", "nothing", "hold", "policy"}));
    if (*rule == IdleRule::do_nothing && !defaultAction(spaces))
        return fail(ErrorCode::config,
                    "this environment has no action that does nothing; use wait, hold or policy");
    return rule;
}

}  // namespace

void TakenSeats::begin(const Spaces& spaces, int agents) {
    const MutexLock lock(mutex_);
    spaces_ = spaces;
    agents_ = agents;
}

void TakenSeats::update(Seat focus, std::vector<std::uint8_t> masks) {
    const MutexLock lock(mutex_);
    focus_ = focus;
    masks_ = std::move(masks);
}

const std::uint8_t* TakenSeats::maskOf(Seat seat) const {
    const auto bytes = static_cast<std::size_t>(spaces_.maskBytes());
    const std::size_t at = static_cast<std::size_t>(seat.env * agents_ + seat.agent) * bytes;
    return bytes == 0 || at + bytes > masks_.size() ? nullptr : masks_.data() + at;
}

// The client's own seat, or a free one that it may take.
Result<TakenSeats::Seat> TakenSeats::wantedSeat(std::uint64_t client, const Json& request) const {
    const auto own = std::find_if(taken_.begin(), taken_.end(),
                                  [client](const Taken& taken) { return taken.client == client; });
    const bool names_agent = request.contains("agent");
    if (own != taken_.end() && !names_agent) return own->seat;
    Seat seat = own != taken_.end() ? own->seat : focus_;
    if (names_agent) {
        const Json& agent = request["agent"];
        if (!agent.is_number_integer() || agent < 0 || agent >= agents_)
            return fail(ErrorCode::usage, "agent must be a number from 0 to " + std::to_string(agents_ - 1));
        seat.agent = agent.get<int>();
    }
    for (const Taken& taken : taken_)
        if (taken.seat == seat && taken.client != client)
            return fail(ErrorCode::config, "another viewer has taken this seat");
    return seat;
}

Result<Json> TakenSeats::act(std::uint64_t client, const Json& request) {
    const MutexLock lock(mutex_);
    SEEDBED_ASSIGN(const Seat seat, wantedSeat(client, request));
    SEEDBED_ASSIGN(const std::int64_t rows, rowsOf(request));
    SEEDBED_ASSIGN(const std::optional<IdleRule> idle, idleOf(request, spaces_));
    std::vector<float> action;
    if (request.contains("action") && !request["action"].is_null()) {
        SEEDBED_ASSIGN(action, parseAction(request["action"], spaces_));
        SEEDBED_TRY(checkAllowed(action, maskOf(seat), spaces_));
    }
    const bool gives_none = request.contains("action") && request["action"].is_null();
    auto taken = std::find_if(taken_.begin(), taken_.end(),
                              [&](const Taken& t) { return t.client == client && t.seat == seat; });
    if (taken == taken_.end()) {
        taken_.push_back({.client = client, .seat = seat, .idle = defaultIdleRule(spaces_, agents_)});
        taken = taken_.end() - 1;
    }
    if (idle) taken->idle = *idle;
    if (!action.empty()) {
        taken->action = std::move(action);
        taken->rows = rows;
    } else if (gives_none) {
        taken->rows = 0;
    }
    return Json{{"env", seat.env}, {"agent", seat.agent}, {"idle", nameOf(taken->idle)}};
}

Result<Json> TakenSeats::release(std::uint64_t client) {
    if (!leave(client)) return fail(ErrorCode::usage, "this viewer has taken no seat");
    return Json::object();
}

bool TakenSeats::leave(std::uint64_t client) {
    const MutexLock lock(mutex_);
    return std::erase_if(taken_, [client](const Taken& taken) { return taken.client == client; }) > 0;
}

TakenSeats::Decision TakenSeats::decisionOf(const Taken& taken) const {
    Decision decision{.seat = taken.seat, .action = {}, .waits = false, .notice = {}};
    const std::uint8_t* mask = maskOf(taken.seat);
    if (auto forced = forcedAction(mask, spaces_)) {
        decision.action = std::move(forced);
        return decision;
    }
    const bool has_action = !taken.action.empty() && taken.rows != 0;
    if (has_action || (taken.idle == IdleRule::hold && !taken.action.empty())) {
        const auto allowed = checkAllowed(taken.action, mask, spaces_);
        if (allowed) {
            decision.action = taken.action;
            return decision;
        }
        decision.notice = allowed.error().text();
    }
    if (taken.idle == IdleRule::policy) return decision;
    if (taken.idle == IdleRule::do_nothing) {
        const auto nothing = defaultAction(spaces_);
        if (nothing && checkAllowed(*nothing, mask, spaces_)) {
            decision.action = nothing;
            return decision;
        }
    }
    decision.waits = true;
    return decision;
}

std::vector<TakenSeats::Decision> TakenSeats::decisions() {
    const MutexLock lock(mutex_);
    std::vector<Decision> decisions;
    for (Taken& taken : taken_) {
        decisions.push_back(decisionOf(taken));
        if (decisions.back().notice.empty()) continue;
        taken.action.clear();
        taken.rows = 0;
    }
    return decisions;
}

void TakenSeats::executed() {
    const MutexLock lock(mutex_);
    for (Taken& taken : taken_) {
        // A forced move, such as waiting for one's turn, does not use up the action that was given.
        if (taken.rows > 0 && !forcedAction(maskOf(taken.seat), spaces_)) --taken.rows;
    }
}

void TakenSeats::releaseFrom(int envs) {
    const MutexLock lock(mutex_);
    std::erase_if(taken_, [envs](const Taken& taken) { return taken.seat.env >= envs; });
}

void TakenSeats::forgetActions() {
    const MutexLock lock(mutex_);
    for (Taken& taken : taken_) {
        taken.action.clear();
        taken.rows = 0;
    }
}

bool TakenSeats::any() const {
    const MutexLock lock(mutex_);
    return !taken_.empty();
}

bool TakenSeats::has(Seat seat) const {
    const MutexLock lock(mutex_);
    return std::any_of(taken_.begin(), taken_.end(), [&](const Taken& taken) { return taken.seat == seat; });
}

Json TakenSeats::status() const {
    const MutexLock lock(mutex_);
    Json seats = Json::array();
    for (const Taken& taken : taken_)
        seats.push_back({{"env", taken.seat.env},
                         {"agent", taken.seat.agent},
                         {"idle", nameOf(taken.idle)},
                         {"waits", decisionOf(taken).waits}});
    return seats;
}

}  // namespace seedbed
