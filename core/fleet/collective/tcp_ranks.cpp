// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/collective/tcp_ranks.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/version.hpp"

namespace seedbed {
namespace {

constexpr std::uint64_t kMostState = std::uint64_t{1} << 40;
constexpr std::int64_t kReplyMs = 20'000;
constexpr std::int64_t kPartnerMs = 30'000;

int largestPowerOfTwo(int most) {
    int power = 1;
    while (power * 2 <= most) power *= 2;
    return power;
}

}  // namespace

// The connections of one group with the partners of recursive halving.
class TcpCollective final : public Collective {
public:
    TcpCollective(int rank, int ranks, std::map<int, TcpSocket> partners)
        : rank_(rank), ranks_(ranks), partners_(std::move(partners)) {}

    int rank() const override { return rank_; }
    int ranks() const override { return ranks_; }
    Result<> exchange(int partner, std::span<const std::byte> out, std::span<std::byte> in) override {
        const auto found = partners_.find(partner);
        SEEDBED_CHECK(found != partners_.end(), "not a partner");
        Result<> done = found->second.exchange(out, in, kNoDeadline);
        if (done) return done;
        abort();
        return fail(kRankLost, "the connection with rank " + std::to_string(partner) +
                                   " was lost: " + done.error().text());
    }
    void abort() override {
        for (auto& [rank, socket] : partners_) socket.shutDown();
    }

private:
    int rank_, ranks_;
    std::map<int, TcpSocket> partners_;
};

TcpRanks::TcpRanks(TcpRankOptions options, TcpListener listener)
    : options_(std::move(options)), listener_(std::move(listener)) {}

TcpRanks::~TcpRanks() = default;

std::shared_ptr<Collective> TcpRanks::collective() const { return collective_; }

Result<std::unique_ptr<TcpRanks>> TcpRanks::listen(TcpRankOptions options) {
    SEEDBED_ASSIGN(TcpListener listener, TcpListener::create(options.meet));
    options.meet.port = listener.port();
    std::unique_ptr<TcpRanks> group(new TcpRanks(std::move(options), std::move(listener)));
    group->members_.resize(static_cast<std::size_t>(group->options_.ranks - 1));
    return group;
}

// Gives a connection its rank. Returns false if the connection was refused.
Result<bool> TcpRanks::admit(TcpSocket socket, std::vector<Member>& members) {
    const Deadline deadline = deadlineIn(kReplyMs);
    auto hello = socket.receiveJson(deadline);
    if (!hello) return false;
    const auto refuse = [&](const std::string& why) {
        static_cast<void>(socket.sendJson({{"error", why}}, deadline));
        return false;
    };
    const std::string version = hello->value("version", "");
    if (version != kVersion)
        return fail(ErrorCode::config, "a rank runs version " + version +
                                           " of the program, and rank 0 runs " + std::string(kVersion) +
                                           "; all must be the same");
    const int port = hello->value("port", 0);
    int rank = hello->value("rank", -1);
    for (int free = 1; rank < 0 && free <= static_cast<int>(members.size()); ++free)
        if (!members[static_cast<std::size_t>(free - 1)].control) rank = free;
    if (rank < 1 || rank > static_cast<int>(members.size()))
        return refuse("there is no rank " + std::to_string(rank) + " among " +
                      std::to_string(members.size() + 1));
    Member& member = members[static_cast<std::size_t>(rank - 1)];
    if (member.control) return refuse("rank " + std::to_string(rank) + " has connected already");
    member.data = {socket.peerHost(), port};
    member.control = std::move(socket);
    return true;
}

Result<> TcpRanks::meet(std::stop_token stop) {
    const Deadline deadline = deadlineIn(options_.meet_ms);
    std::size_t met = 0;
    while (met < members_.size()) {
        SEEDBED_ASSIGN(auto socket, listener_.accept(options_.token, deadline, stop));
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "stopped while waiting for ranks");
        if (!socket)
            return fail("only " + std::to_string(met + 1) + " of " + std::to_string(members_.size() + 1) +
                        " ranks have connected to " + options_.meet.text() + " in " +
                        std::to_string(options_.meet_ms / 1000) + " s");
        SEEDBED_ASSIGN(const bool admitted, admit(std::move(*socket), members_));
        met += admitted ? 1 : 0;
    }
    return assign();
}

// Sends all members their ranks and connects the partners.
Result<> TcpRanks::assign() {
    ranks_ = static_cast<int>(members_.size()) + 1;
    ++generation_;
    Json peers = Json::array();
    for (const Member& member : members_) peers.push_back(member.data.text());
    for (std::size_t i = 0; i < members_.size(); ++i) {
        const Json message{{"generation", generation_}, {"rank", i + 1}, {"ranks", ranks_}, {"peers", peers}};
        if (!members_[i].control.sendJson(message, deadlineIn(kReplyMs)))
            return fail(kRankLost, "rank " + std::to_string(i + 1) + " was lost");
    }
    return connectPartners();
}

// The higher rank of a pair connects to the lower one. Every rank first connects and then accepts, so that
// there is no circle of waiting ranks.
Result<> TcpRanks::connectPartners() {
    collective_.reset();
    if (ranks_ == 1) return {};
    const Deadline deadline = deadlineIn(kPartnerMs);
    std::map<int, TcpSocket> partners;
    std::size_t expected = 0;
    for (int distance = 1; distance < ranks_; distance *= 2) {
        const int partner = rank_ ^ distance;
        expected += partner > rank_ ? 1 : 0;
        if (partner > rank_) continue;
        const TcpAddress& address =
            partner == 0 ? options_.meet : peers_[static_cast<std::size_t>(partner - 1)];
        auto socket = TcpSocket::connect(address, options_.token, deadline);
        if (socket) {
            if (Result<> sent = socket->sendJson({{"generation", generation_}, {"rank", rank_}}, deadline);
                !sent)
                return fail(kRankLost, sent.error().text());
            partners.emplace(partner, std::move(*socket));
        } else {
            return fail(kRankLost, socket.error().text());
        }
    }
    while (expected > 0) {
        SEEDBED_ASSIGN(auto socket, listener_.accept(options_.token, deadline));
        if (!socket) return fail(kRankLost, "a rank did not connect to its partner");
        const auto hello = socket->receiveJson(deadline);
        if (!hello || hello->value("generation", std::uint64_t{0}) != generation_) continue;
        const int partner = hello->value("rank", -1);
        const int distance = partner ^ rank_;
        if (partner <= rank_ || partner >= ranks_ || (distance & (distance - 1)) != 0) continue;
        if (partners.emplace(partner, std::move(*socket)).second) --expected;
    }
    collective_ = std::make_shared<TcpCollective>(rank_, ranks_, std::move(partners));
    return {};
}

Result<std::unique_ptr<TcpRanks>> TcpRanks::join(TcpRankOptions options, int rank, std::stop_token stop) {
    const Deadline deadline = deadlineIn(options.meet_ms);
    SEEDBED_ASSIGN(TcpSocket control, TcpSocket::connect(options.meet, options.token, deadline, stop));
    // Partners connect through the interface that leads to rank 0.
    SEEDBED_ASSIGN(TcpListener listener, TcpListener::create({control.localHost(), 0}));
    std::unique_ptr<TcpRanks> group(new TcpRanks(std::move(options), std::move(listener)));
    group->control_ = std::move(control);
    SEEDBED_TRY(group->control_.sendJson(
        {{"version", kVersion}, {"rank", rank}, {"port", group->listener_.port()}}, deadline));
    SEEDBED_ASSIGN([[maybe_unused]] const bool kept, group->takeAssignment(deadline));
    SEEDBED_TRY(group->connectPartners());
    return group;
}

// Returns false if rank 0 has dismissed this rank.
Result<bool> TcpRanks::takeAssignment(Deadline deadline) {
    auto received = control_.receiveJson(deadline);
    if (!received) return fail("rank 0 is lost: " + received.error().text());
    const Json& message = *received;
    if (message.contains("error")) return fail("rank 0 refused this rank: " + message.value("error", ""));
    if (message.value("dismissed", false)) return false;
    rank_ = message.value("rank", 0);
    ranks_ = message.value("ranks", 0);
    generation_ = message.value("generation", std::uint64_t{0});
    peers_.clear();
    for (const Json& peer : message.value("peers", Json::array())) {
        SEEDBED_ASSIGN(TcpAddress address,
                       TcpAddress::parse(peer.is_string() ? peer.get<std::string>() : ""));
        peers_.push_back(std::move(address));
    }
    if (rank_ < 1 || rank_ >= ranks_ || static_cast<int>(peers_.size()) != ranks_ - 1)
        return fail("rank 0 sent an invalid assignment");
    return true;
}

Result<std::vector<std::vector<std::uint8_t>>> TcpRanks::survivors(std::stop_token) {
    if (collective_) collective_->abort();
    std::vector<std::vector<std::uint8_t>> states(members_.size());
    const Deadline deadline = deadlineIn(options_.answer_ms);
    for (std::size_t i = 0; i < members_.size(); ++i) {
        auto state = members_[i].control.receiveMessage(kMostState, deadline);
        if (state) states[i] = std::move(*state);
        else members_[i].control.close();
    }
    return states;
}

Result<> TcpRanks::regroup() {
    std::erase_if(members_, [](const Member& member) { return !member.control; });
    const auto kept = static_cast<std::size_t>(largestPowerOfTwo(static_cast<int>(members_.size()) + 1)) - 1;
    for (std::size_t i = kept; i < members_.size(); ++i)
        static_cast<void>(members_[i].control.sendJson({{"dismissed", true}}, deadlineIn(kReplyMs)));
    members_.resize(kept);
    return assign();
}

Result<bool> TcpRanks::rejoin(const std::vector<std::uint8_t>& state) {
    while (true) {
        if (collective_) collective_->abort();
        if (Result<> sent = control_.sendMessage(state, kNoDeadline); !sent)
            return fail("rank 0 is lost: " + sent.error().text());
        SEEDBED_ASSIGN(const bool kept, takeAssignment(kNoDeadline));
        if (!kept) return false;
        const Result<> connected = connectPartners();
        if (connected) return true;
        if (connected.error().code != kRankLost) return tl::unexpected<Error>(connected.error());
    }
}

}  // namespace seedbed
