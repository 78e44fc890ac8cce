// SPDX-License-Identifier: Apache-2.0
#include "core/learn/collective.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/mutex.hpp"

namespace seedbed {
namespace {

// The outcome of one rank as bytes; longer messages are cut.
struct Outcome {
    std::int32_t code = -1;  // -1: no error
    std::array<char, 508> text{};
};

Outcome outcomeOf(const Result<>& own) {
    Outcome outcome;
    if (own) return outcome;
    outcome.code = static_cast<std::int32_t>(own.error().code);
    const std::string text = own.error().text();
    std::copy_n(text.begin(), std::min(text.size(), outcome.text.size() - 1), outcome.text.begin());
    return outcome;
}

Result<> errorOf(Outcome outcome, int rank) {
    outcome.text.back() = '\0';
    return fail(ErrorCode{outcome.code}, "rank " + std::to_string(rank) + ": " + outcome.text.data());
}

}  // namespace

Result<> sumInTree(Collective& collective, std::span<float> values, std::vector<float>& scratch) {
    struct Halved {
        std::size_t begin, end, mine_begin, mine_end;
        int partner;
    };
    std::vector<Halved> halvings;
    std::size_t begin = 0, end = values.size();
    for (int distance = 1; distance < collective.ranks(); distance *= 2) {
        const int partner = collective.rank() ^ distance;
        const std::size_t middle = begin + (end - begin) / 2;
        const bool lower = collective.rank() < partner;
        const std::size_t mine = lower ? begin : middle, mine_end = lower ? middle : end;
        const std::span<const float> other =
            lower ? values.subspan(middle, end - middle) : values.subspan(begin, middle - begin);
        scratch.resize(std::max(scratch.size(), mine_end - mine));
        const std::span<float> received(scratch.data(), mine_end - mine);
        SEEDBED_TRY(collective.exchange(partner, std::as_bytes(other), std::as_writable_bytes(received)));
        // Addition commutes, so the order of the two operands does not matter.
        for (std::size_t i = 0; i < received.size(); ++i) values[mine + i] += received[i];
        halvings.push_back({begin, end, mine, mine_end, partner});
        begin = mine;
        end = mine_end;
    }
    for (auto step = halvings.rbegin(); step != halvings.rend(); ++step) {
        const bool lower = step->mine_begin == step->begin;
        const std::size_t other = lower ? step->mine_end : step->begin,
                          other_end = lower ? step->end : step->mine_begin;
        SEEDBED_TRY(collective.exchange(
            step->partner, std::as_bytes(values.subspan(step->mine_begin, step->mine_end - step->mine_begin)),
            std::as_writable_bytes(values.subspan(other, other_end - other))));
    }
    return {};
}

Result<> gatherAll(Collective& collective, const Result<>& own, std::span<const std::byte> mine,
                   std::vector<std::byte>& all) {
    const auto ranks = static_cast<std::size_t>(collective.ranks()),
               rank = static_cast<std::size_t>(collective.rank());
    const std::size_t block = sizeof(Outcome) + mine.size();
    std::vector<std::byte> blocks(ranks * block);
    const Outcome outcome = outcomeOf(own);
    std::memcpy(blocks.data() + rank * block, &outcome, sizeof outcome);
    if (!mine.empty()) std::memcpy(blocks.data() + rank * block + sizeof outcome, mine.data(), mine.size());
    for (std::size_t distance = 1; distance < ranks; distance *= 2) {
        const std::size_t partner = rank ^ distance, own_first = rank / distance * distance,
                          other_first = partner / distance * distance;
        const std::span<std::byte> whole(blocks);
        SEEDBED_TRY(collective.exchange(static_cast<int>(partner),
                                        whole.subspan(own_first * block, distance * block),
                                        whole.subspan(other_first * block, distance * block)));
    }
    all.resize(ranks * mine.size());
    Result<> result;
    for (std::size_t r = 0; r < ranks; ++r) {
        Outcome theirs;
        std::memcpy(&theirs, blocks.data() + r * block, sizeof theirs);
        if (result && theirs.code >= 0) result = r == rank ? own : errorOf(theirs, static_cast<int>(r));
        if (!mine.empty())
            std::memcpy(all.data() + r * mine.size(), blocks.data() + r * block + sizeof theirs, mine.size());
    }
    return result;
}

Result<> gatherAll(Collective& collective, const Result<>& own, std::span<const double> mine,
                   std::vector<double>& all) {
    std::vector<std::byte> bytes;
    Result<> gathered = gatherAll(collective, own, std::as_bytes(mine), bytes);
    all.resize(bytes.size() / sizeof(double));
    if (!bytes.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
    return gathered;
}

namespace {

// The mailboxes between the threads of all ranks.
struct Loopback {
    Mutex mutex;
    ConditionVariable changed;
    bool is_broken SEEDBED_GUARDED_BY(mutex) = false;
    // [from * ranks + to]: a message that has not been read.
    std::vector<std::vector<std::byte>> messages SEEDBED_GUARDED_BY(mutex);
    std::vector<std::uint8_t> is_full SEEDBED_GUARDED_BY(mutex);
};

class LoopbackRank final : public Collective {
public:
    LoopbackRank(std::shared_ptr<Loopback> shared, int rank, int ranks)
        : shared_(std::move(shared)), rank_(rank), ranks_(ranks) {}

    int rank() const override { return rank_; }
    int ranks() const override { return ranks_; }
    Result<> exchange(int partner, std::span<const std::byte> out, std::span<std::byte> in) override {
        const auto to = static_cast<std::size_t>(rank_ * ranks_ + partner),
                   from = static_cast<std::size_t>(partner * ranks_ + rank_);
        Loopback& shared = *shared_;
        MutexLock lock(shared.mutex);
        shared.changed.wait(lock, [&]() SEEDBED_REQUIRES(shared.mutex) {
            return shared.is_broken || shared.is_full[to] == 0;
        });
        shared.messages[to].assign(out.begin(), out.end());
        shared.is_full[to] = 1;
        shared.changed.notifyAll();
        shared.changed.wait(lock, [&]() SEEDBED_REQUIRES(shared.mutex) {
            return shared.is_broken || shared.is_full[from] != 0;
        });
        if (shared.is_broken) return fail(kRankLost, "the connection between the ranks was broken");
        SEEDBED_CHECK(shared.messages[from].size() == in.size(), "ranks made different calls");
        std::ranges::copy(shared.messages[from], in.begin());
        shared.is_full[from] = 0;
        shared.changed.notifyAll();
        return {};
    }
    void abort() override {
        {
            const MutexLock lock(shared_->mutex);
            shared_->is_broken = true;
        }
        shared_->changed.notifyAll();
    }

private:
    std::shared_ptr<Loopback> shared_;
    int rank_, ranks_;
};

}  // namespace

std::vector<std::unique_ptr<Collective>> loopbackRanks(int ranks) {
    auto shared = std::make_shared<Loopback>();
    {
        const MutexLock lock(shared->mutex);
        const auto pairs = static_cast<std::size_t>(ranks) * static_cast<std::size_t>(ranks);
        shared->messages.resize(pairs);
        shared->is_full.assign(pairs, 0);
    }
    std::vector<std::unique_ptr<Collective>> all;
    for (int rank = 0; rank < ranks; ++rank)
        all.push_back(std::make_unique<LoopbackRank>(shared, rank, ranks));
    return all;
}

}  // namespace seedbed
