// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/actor.hpp"

#include <algorithm>
#include <ctime>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/sleep.hpp"
#include "core/base/text.hpp"
#include "core/base/version.hpp"
#include "core/env/env_registry.hpp"
#include "core/fleet/actor_envs.hpp"
#include "core/fleet/link_speed.hpp"
#include "core/fleet/messages.hpp"
#include "core/fleet/window_actor.hpp"

namespace seedbed {
namespace {

constexpr double kConnectS = 10, kHandshakeS = 60;
constexpr double kFirstPauseS = 0.1, kLongestPauseS = 5;
constexpr std::size_t kMaxMessage = std::size_t{1} << 30;  // bytes of parameters
constexpr int kMaxEnvs = 1 << 20;

// The environments of one connection.
class ActorWork {
public:
    // error: config: this machine cannot run them.
    static Result<std::unique_ptr<ActorWork>> create(const Json& welcome);
    std::string hash() const { return specHash(spec_); }
    // Performs a request and returns the rows. error: the request has the wrong form.
    Result<Bytes> perform(const Bytes& request, const std::stop_token& stop);
    // The answer to a control message of an actor that has no work yet.
    Bytes answer(const Json& question, const std::stop_token& stop);
    // If the learner lets this actor choose the actions: see WindowActor::run().
    Result<Json> runWindows(Link& link, const Bytes& begin, const std::stop_token& stop);

private:
    ActorEnvs envs_;
    std::unique_ptr<WindowActor> windows_;  // null if the learner does not describe the network
    EnvSpec spec_;
    std::unique_ptr<EnvBatch> batch_;  // null after an error
    std::unique_ptr<ExchangeLayout> layout_;
    std::vector<EnvCommand> commands_;
    std::vector<float> actions_;
    std::vector<std::uint64_t> seeds_;
    std::vector<Rng> rngs_;
    std::vector<std::uint8_t*> leaves_;
};

Result<std::unique_ptr<ActorWork>> ActorWork::create(const Json& welcome) try {
    auto work = std::make_unique<ActorWork>();
    ActorEnvs& requested = work->envs_;
    SEEDBED_ASSIGN(requested.entry, findEnv(welcome.at("env").get<std::string>()));
    requested.params = welcome.at("params");
    requested.first = welcome.at("first").get<int>();
    requested.count = welcome.at("count").get<int>();
    if (requested.count < 1 || requested.count > kMaxEnvs || requested.first < 0)
        return fail(ErrorCode::config,
                    "the learner requests " + std::to_string(requested.count) + " environments");
    SEEDBED_ASSIGN(work->batch_, requested.make());
    work->spec_ = work->batch_->spec();
    if (welcome.contains("windows")) {
        SEEDBED_ASSIGN(work->windows_, WindowActor::create(welcome, requested, work->spec_));
    }
    const auto envs = static_cast<std::size_t>(requested.count);
    work->layout_ = std::make_unique<ExchangeLayout>(work->spec_, requested.count);
    work->commands_.resize(envs);
    work->seeds_.resize(envs);
    work->rngs_.resize(envs);
    work->actions_.resize(envs * static_cast<std::size_t>(work->spec_.agents) *
                          static_cast<std::size_t>(work->spec_.spaces.actionWords()));
    return work;
} catch (const Json::exception&) {
    return fail(ErrorCode::config, "the learner's description of the environments cannot be read");
}

Result<Bytes> ActorWork::perform(const Bytes& request, const std::stop_token& stop) {
    SEEDBED_ASSIGN(const std::uint64_t sequence,
                   layout_->readRequest(request, commands_, actions_.data(), seeds_));
    // A seed begins a separate stream, from which later episodes of the environment also draw.
    for (std::size_t env = 0; env < commands_.size(); ++env)
        if (commands_[env] == EnvCommand::reset) rngs_[env] = Rng(seeds_[env], RngPurpose::environment);
    Bytes rows = layout_->rows(sequence);
    Exchange exchange{
        .actions = actions_.data(), .commands = commands_.data(), .rngs = rngs_.data(), .stop = &stop};
    layout_->place(rows, leaves_, exchange);
    Result<> done = envs_.exchange(batch_, exchange);
    std::string text;
    if (!done) {
        // All environments start again in a new batch.
        batch_.reset();
        std::fill_n(exchange.flags, commands_.size() * static_cast<std::size_t>(spec_.agents),
                    column_flag::failed);
        text = done.error().text();
    } else {
        text = join(batch_->takeNotices(), "; ");
    }
    text.resize(std::min(text.size(), ExchangeLayout::kTextBytes));
    rows.insert(rows.end(), text.begin(), text.end());
    return rows;
}

Result<Json> ActorWork::runWindows(Link& link, const Bytes& begin, const std::stop_token& stop) {
    if (windows_ == nullptr) return fail("the learner broke the protocol");
    SEEDBED_ASSIGN(const Beginning beginning, readBegin(begin));
    return windows_->run(link, beginning, std::move(batch_), stop);
}

Bytes ActorWork::answer(const Json& question, const std::stop_token& stop) {
    if (question["op"] == "ping") return pongOf(question);
    const auto row_s = windows_ != nullptr ? windows_->measureRow(batch_, stop)
                                           : Result<double>(fail("the learner broke the protocol"));
    if (!row_s) return controlMessage({{"op", "cannot"}, {"reason", row_s.error().text()}});
    return controlMessage({{"op", "timed"}, {"row_s", *row_s}});
}

// Why a connection ended.
struct Parted {
    enum class Why { finished, refused, lost } why = Why::lost;
    std::string reason;
};

Parted partedBy(const Json& bye) {
    const auto text = [&](const char* member) {
        const auto found = bye.find(member);
        return found != bye.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    const std::string why = text("why"), reason = printableText(text("reason"));
    if (why == "finished") return {Parted::Why::finished, reason};
    if (why == "refused") return {Parted::Why::refused, reason};
    return {Parted::Why::lost, why == "lost" ? "the learner disconnected this actor: " + reason : reason};
}

Parted lost(const Error& error) { return {Parted::Why::lost, error.text()}; }

std::string silenceText(const ActorCredentials& credentials) {
    return "nothing answers at " + credentials.address +
           ": a firewall drops the packets, or the address is wrong";
}

// Connects and performs requests until the connection ends. Sets `was_welcome` when it has a group.
Parted serve(const ActorOptions& options, LinkTransport& transport, const std::stop_token& stop,
             bool& was_welcome) {
    const ActorCredentials& credentials = options.credentials;
    auto link = transport.connect(credentials.address, credentials.identity, kMaxMessage, kConnectS, stop);
    if (!link && link.error().code == ErrorCode::stalled)
        return {Parted::Why::lost, silenceText(credentials)};
    if (!link) return lost(link.error());
    (*link)->send(controlMessage({{"op", "hello"},
                                  {"protocol", kFleetProtocol},
                                  {"version", kVersion},
                                  {"token", credentials.token},
                                  {"clock_s", std::time(nullptr)},
                                  {"name", options.name}}));
    std::unique_ptr<ActorWork> work;
    while (true) {
        auto message = (*link)->receive(work == nullptr ? kHandshakeS : -1, stop);
        if (!message) return lost(message.error());
        if (!isControl(*message)) {
            if (work == nullptr) return {Parted::Why::lost, "the learner broke the protocol"};
            if (isOfKind(*message, MessageKind::begin)) {
                const auto bye = work->runWindows(**link, *message, stop);
                return bye ? partedBy(*bye) : lost(bye.error());
            }
            auto rows = work->perform(*message, stop);
            if (!rows) return lost(rows.error());
            (*link)->send(std::move(*rows));
            continue;
        }
        const auto json = readControl(*message);
        if (!json) return lost(json.error());
        if ((*json)["op"] == "bye") return partedBy(*json);
        if (work != nullptr) {
            Bytes answer = work->answer(*json, stop);
            if (stop.stop_requested()) return {Parted::Why::lost, "the actor was stopped"};
            (*link)->send(std::move(answer));
            continue;
        }
        auto created = ActorWork::create(*json);
        if (!created) {
            (*link)->send(controlMessage({{"op", "cannot"}, {"reason", created.error().text()}}));
            return {Parted::Why::refused, created.error().text()};
        }
        work = std::move(*created);
        was_welcome = true;
        (*link)->send(controlMessage({{"op", "ready"}, {"spec", work->hash()}}));
        options.message("connected to " + credentials.address + ": " + (*json)["env"].get<std::string>() +
                        ", environments from " + std::to_string((*json)["first"].get<int>()));
    }
}

// gRPC's reasons in our words.
std::string reasonText(const std::string& reason, const ActorCredentials& credentials) {
    if (reason.find("Ssl handshake failed") != std::string::npos)
        return "the learner at " + credentials.address +
               " has a certificate of a different authority from these credentials, or this machine's clock "
               "is wrong (" +
               reason + ")";
    const auto says = [&](const char* text) { return reason.find(text) != std::string::npos; };
    if (says("onnection refused")) return "no learner listens at " + credentials.address;
    if (says("DNS resolution failed") || says("ame resolution"))
        return "this machine cannot resolve the name in " + credentials.address +
               "; give another address with --learner, or with --address when the actors are started";
    if (says("No route to host") || says("etwork is unreachable"))
        return "this machine has no route to " + credentials.address;
    if (says("onnection timed out") || says("imeout occurred")) return silenceText(credentials);
    const bool is_ended = says("ocket closed") || says("onnection reset") || says("roken pipe") ||
                          says("onnection was lost") || says("GOAWAY") || says("Stream removed");
    if (is_ended && says("failed to connect"))
        return "connections to " + credentials.address +
               " are ended immediately: by another program, or by a proxy that does not reach the learner";
    if (is_ended)
        return "the connection to the learner at " + credentials.address +
               " has ended: the learner was stopped, or the network was interrupted";
    if (says("keepalive") || says("ping timeout"))
        return "the learner at " + credentials.address +
               " no longer answers: the network is interrupted, or its machine has stopped";
    return reason;
}

std::string timeText(std::time_t time) {
    std::tm parts{};
    localtime_r(&time, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
    return text;
}

}  // namespace

Result<> runActor(const ActorOptions& options, LinkTransport& transport, const std::stop_token& stop) {
    SEEDBED_TRY(options.credentials.check(std::time(nullptr)));
    double pause_s = kFirstPauseS, alone_since = secondsNow();
    std::time_t alone_time = std::time(nullptr);
    std::string told;
    while (!stop.stop_requested()) {
        bool was_welcome = false;
        const Parted parted = serve(options, transport, stop, was_welcome);
        if (stop.stop_requested()) break;
        const std::string reason = reasonText(parted.reason, options.credentials);
        if (parted.why == Parted::Why::finished) return {};
        if (parted.why == Parted::Why::refused)
            return fail(ErrorCode::config, "the learner refused this actor: " + reason);
        if (was_welcome) {
            pause_s = kFirstPauseS;
            alone_since = secondsNow();
            alone_time = std::time(nullptr);
            told.clear();
        }
        if (reason != std::exchange(told, reason))
            options.message(reason + " (not connected since " + timeText(alone_time) + "); trying again");
        if (secondsNow() - alone_since > options.give_up_s)
            return fail("no learner for " + formatDuration(options.give_up_s) + ": " + reason);
        sleepFor(pause_s, stop);
        pause_s = std::min(kLongestPauseS, 2 * pause_s);
    }
    return {};
}

}  // namespace seedbed
