// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleet_server.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <utility>

#include "core/base/log.hpp"
#include "core/base/sleep.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "core/fleet/messages.hpp"

namespace seedbed {
namespace {

constexpr std::chrono::milliseconds kHandshakePoll{20};
constexpr std::chrono::seconds kMachinesEvery{2};
constexpr std::int64_t kHelloNs = 30'000'000'000;  // the limit for the first message
constexpr std::size_t kControlBytes = 1 << 16;
constexpr std::size_t kMaxWindowBytes = std::size_t{1} << 30;  // actors may have several on the way

std::int64_t fleetNowNs() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

// The text of a member of a message; "" if it is missing or has another type.
std::string textOf(const Json& json, const char* member) {
    const auto found = json.find(member);
    return found != json.end() && found->is_string() ? printableText(found->get<std::string>().substr(0, 500))
                                                     : "";
}

std::int64_t numberOf(const Json& json, const char* member) {
    const auto found = json.find(member);
    return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

// Reasons to refuse an actor permanently, or "".
std::string versionProblem(const Json& hello) {
    if (textOf(hello, "version") != kVersion)
        return "the actor runs Seedbed " + textOf(hello, "version") + " and the learner " + kVersion +
               "; install the same version on both";
    if (numberOf(hello, "protocol") != kFleetProtocol)
        return "the actor uses protocol " + std::to_string(numberOf(hello, "protocol")) +
               " and the learner " + std::to_string(kFleetProtocol);
    const std::int64_t clock = numberOf(hello, "clock_s"), now = std::time(nullptr);
    // The difference may exceed 64 bits.
    if (clock < now - kClockSkewS || clock > now + kClockSkewS)
        return "the actor's clock is " +
               formatDuration(std::abs(static_cast<double>(clock) - static_cast<double>(now))) +
               (clock > now ? " ahead of" : " behind") + " the learner's; set the clocks";
    return "";
}

// The member `windows` of a welcome message.
Json windowsOf(const GroupSpec& spec, double stall_s) {
    return {{"network", toJson(spec.net->plan().spec)},
            {"length", spec.state_every},
            {"seed", spec.seed},
            {"stall_s", stall_s}};
}

}  // namespace

FleetServer::FleetServer(FileSystem& files, std::filesystem::path data_folder,
                         std::function<Result<LinkTransport*>()> transport)
    : files_(files), data_folder_(std::move(data_folder)), transport_(std::move(transport)) {}

FleetServer::~FleetServer() { end(false); }

Result<> FleetServer::listen(const std::string& address, std::size_t max_bytes) {
    SEEDBED_ASSIGN(LinkTransport * transport, transport_());
    SEEDBED_ASSIGN(authority_, FleetAuthority::open(files_, data_folder_));
    SEEDBED_ASSIGN(const LinkIdentity identity, authority_->learner(std::time(nullptr)));
    SEEDBED_ASSIGN(listener_, transport->listen(address, identity, max_bytes, [this](auto link) {
        {
            const MutexLock lock(mutex_);
            if (arrivals_.size() + greeting_ >= kMaxArrivals) return;
            arrivals_.push_back(
                {.link = std::move(link), .until_ns = fleetNowNs() + kHelloNs, .name = {}, .slot = {}});
        }
        changed_.notifyAll();
    }));
    address_ = address;
    max_bytes_ = max_bytes;
    thread_ = NamedThread(
        "fleet", [this](const std::stop_token& stop) { return work(stop); },
        [](const std::string&, const Error& error) { log::error("the fleet failed: " + error.text()); });
    return {};
}

Result<> FleetServer::provide(std::vector<GroupSpec>& specs, const RemoteOptions& options) {
    close();
    std::size_t max_bytes = kControlBytes;
    std::vector<Group> groups;
    for (GroupSpec& spec : specs) {
        Group group{.env = spec.env->id,
                    .spec_hash = specHash(spec.env_spec),
                    .params = spec.env_params,
                    .windows = options.form == "actions" ? Json() : windowsOf(spec, options.stall_s),
                    .first = spec.first_env,
                    .count = spec.envs,
                    .slot = std::make_shared<ActorSlot>(),
                    .rate = {},
                    .bytes = {}};
        std::optional<WindowSpec> windows;
        if (!group.windows.is_null()) {
            windows = {.distribution = spec.distribution,
                       .length = spec.state_every,
                       .is_automatic = options.form == "auto",
                       .max_lag = options.max_lag,
                       .param_bytes = spec.net->plan().param_floats * sizeof(float)};
            const RingSpec ring = ActorGroup::ringSpec(spec, spec.env_spec, spec.net->plan().state_words);
            const WindowLayout layout(spec.env_spec, spec.envs, ring, spec.state_every);
            if (layout.maxBytes() > kMaxWindowBytes)
                return fail(ErrorCode::config,
                            "a window of this group has " + formatBytes(layout.maxBytes()) + ", more than " +
                                formatBytes(kMaxWindowBytes) +
                                "; use a smaller algo.rollout_length or more groups (actor.groups)");
            max_bytes = std::max(max_bytes, layout.maxBytes());
        }
        spec.make = [slot = group.slot, env = spec.env_spec, count = spec.envs, stall_s = options.stall_s,
                     windows]() -> Result<std::unique_ptr<EnvBatch>> {
            return std::make_unique<RemoteBatch>(slot, env, count, stall_s, windows);
        };
        max_bytes = std::max(max_bytes, ExchangeLayout(spec.env_spec, spec.envs).maxBytes());
        groups.push_back(std::move(group));
    }
    const bool keep = listener_ != nullptr && options.address == address_ && max_bytes <= max_bytes_;
    if (!keep) end(false);  // before the new groups, which it would close
    {
        const MutexLock lock(mutex_);
        groups_ = std::move(groups);
    }
    if (keep) return {};
    return listen(options.address, max_bytes);
}

std::size_t FleetServer::bytes(const std::vector<GroupSpec>& specs, const NetPlan& net,
                               const std::string& form) const {
    std::size_t sum = 0;
    for (const GroupSpec& spec : specs) sum += RemoteBatch::bytes(spec, net, form != "actions");
    return sum;
}

void FleetServer::close() {
    const MutexLock lock(mutex_);
    for (const Group& group : groups_) group.slot->close();
}

void FleetServer::admit(std::int64_t run) {
    const MutexLock lock(mutex_);
    run_ = run;
}

int FleetServer::port() const { return listener_ != nullptr ? listener_->port() : 0; }

void FleetServer::end(bool finished) {
    if (listener_ == nullptr) return;
    thread_.requestStop();
    thread_.join();
    writeMachines();
    {
        const MutexLock lock(mutex_);
        for (const Group& group : groups_) group.slot->end(finished);
    }
    // Waits for its callbacks, which lock the mutex.
    listener_.reset();
    const MutexLock lock(mutex_);
    arrivals_.clear();
    greeting_ = 0;
}

// --- handshakes

Result<> FleetServer::work(const std::stop_token& stop) {
    std::vector<Arrival> pending;
    auto machines_at = std::chrono::steady_clock::now();
    while (!stop.stop_requested()) {
        {
            MutexLock lock(mutex_);
            greeting_ = static_cast<std::size_t>(std::ranges::count_if(
                pending, [](const Arrival& arrival) { return arrival.slot == nullptr; }));
            const auto some = [this]() SEEDBED_REQUIRES(mutex_) { return !arrivals_.empty(); };
            if (pending.empty()) changed_.waitFor(lock, stop, kMachinesEvery, some);
            else changed_.waitFor(lock, stop, kHandshakePoll, some);
            greeting_ += arrivals_.size();
            std::ranges::move(arrivals_, std::back_inserter(pending));
            arrivals_.clear();
        }
        std::erase_if(pending, [&](Arrival& arrival) { return advance(arrival, pending); });
        if (std::chrono::steady_clock::now() < machines_at) continue;
        machines_at = std::chrono::steady_clock::now() + kMachinesEvery;
        writeMachines();
    }
    return {};
}

// Returns true when the handshake is over.
bool FleetServer::advance(Arrival& arrival, std::vector<Arrival>& others) {
    if (!arrival.link->isReady()) {
        if (fleetNowNs() < arrival.until_ns) return false;
        return refuse(arrival, "later", "the actor took too long");
    }
    auto message = arrival.link->receive(0, {});
    if (!message) return true;
    const auto json = readControl(*message);
    if (!json) return refuse(arrival, "refused", json.error().text());
    if (arrival.slot == nullptr) return greet(arrival, *json, others);
    return adopt(arrival, *json);
}

bool FleetServer::refuse(Arrival& arrival, const char* why, const std::string& reason) {
    if (why == std::string_view("refused")) log::warning("actor " + arrival.name + " was refused: " + reason);
    arrival.link->send(controlMessage({{"op", "bye"}, {"why", why}, {"reason", reason}}));
    arrival.link.reset();
    return true;
}

bool FleetServer::greet(Arrival& arrival, const Json& hello, const std::vector<Arrival>& others) {
    arrival.name = textOf(hello, "name");
    if (textOf(hello, "op") != "hello") return refuse(arrival, "refused", "the first message is not 'hello'");
    if (const std::string problem = versionProblem(hello); !problem.empty())
        return refuse(arrival, "refused", problem);
    const MutexLock lock(mutex_);
    if (run_ == 0) return refuse(arrival, "later", "the run has not started yet");
    if (const auto token = authority_->checkToken(textOf(hello, "token"), run_, std::time(nullptr)); !token)
        return refuse(arrival, "refused", token.error().text());
    for (const Group& group : groups_) {
        const bool is_promised =
            std::ranges::any_of(others, [&](const Arrival& other) { return other.slot == group.slot; });
        if (is_promised || !group.slot->isFree()) continue;
        arrival.slot = group.slot;
        arrival.until_ns = fleetNowNs() + static_cast<std::int64_t>(kCreateS * 1e9);
        Json welcome{{"op", "welcome"},
                     {"env", group.env},
                     {"params", group.params},
                     {"first", group.first},
                     {"count", group.count}};
        if (!group.windows.is_null()) welcome["windows"] = group.windows;
        arrival.link->send(controlMessage(welcome));
        return false;
    }
    return refuse(arrival, "later", "all groups have an actor");
}

bool FleetServer::adopt(Arrival& arrival, const Json& ready) {
    if (textOf(ready, "op") != "ready")
        return refuse(arrival, "refused", "it cannot run the environment: " + textOf(ready, "reason"));
    const MutexLock lock(mutex_);
    // provide() may have replaced the groups in the meantime.
    const auto group = std::ranges::find(groups_, arrival.slot, &Group::slot);
    if (group == groups_.end() || !group->slot->isFree())
        return refuse(arrival, "later", "the group is no longer free");
    if (textOf(ready, "spec") != group->spec_hash)
        return refuse(arrival, "refused",
                      "'" + group->env +
                          "' has other observations, actions or limits on the actor's machine than on the "
                          "learner's");
    group->slot->offer({.link = std::move(arrival.link), .name = arrival.name});
    return true;
}

// --- machines

// The list contains the times of answers instead of their ages, so that it is written only if it changes.
Json FleetServer::machines() {
    const MutexLock lock(mutex_);
    const double now_s = secondsNow();
    Json list = Json::array();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        Group& group = groups_[g];
        const ActorSlot::State state = group.slot->state();
        group.rate.add(now_s, state.rows);
        group.bytes.add(now_s, state.bytes);
        const std::optional<double> rate = group.rate.perSecond(), bytes = group.bytes.perSecond();
        list.push_back({{"group", g},
                        {"environments", group.count},
                        {"actor", state.name},
                        {"waiting", !state.has_actor},
                        {"rows", state.rows},
                        {"rows_per_s", rate ? Json(std::round(*rate)) : Json()},
                        {"form", !state.has_actor      ? Json()
                                 : state.sends_windows ? "windows"
                                                       : "actions"},
                        {"lag", state.sends_windows ? Json(state.lag) : Json()},
                        {"bytes_per_s", state.sends_windows && bytes ? Json(std::round(*bytes)) : Json()},
                        {"answered_s", state.answered_s > 0 ? Json(state.answered_s) : Json()},
                        {"losses", state.losses}});
    }
    return {{"run", run_}, {"port", port()}, {"groups", list}};
}

void FleetServer::writeMachines() {
    const Json now = machines();
    const std::int64_t run = now["run"];
    if (run == 0 || now.dump() == written_) return;
    const std::filesystem::path folder = fleetFolder(data_folder_, run);
    Result<> written = makeFolders(files_, folder);
    if (written) written = writeFileAtomically(files_, folder / "machines.json", now.dump());
    if (written) written_ = now.dump();
    else log::debug("the list of machines was not written", {{"error", written.error().text()}});
}

}  // namespace seedbed
