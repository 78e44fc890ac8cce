// SPDX-License-Identifier: Apache-2.0
#include "core/session/ranks/rank_link.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace seedbed {
namespace {

struct Header {
    std::uint64_t command = 0, bytes = 0;
};

// Sends from rank 0 to all in a binary tree.
Result<> sendFromFirst(Collective& collective, std::span<std::byte> data) {
    for (int distance = 1; distance < collective.ranks(); distance *= 2) {
        if (collective.rank() < distance)
            SEEDBED_TRY(collective.exchange(collective.rank() + distance, data, {}));
        else if (collective.rank() < 2 * distance)
            SEEDBED_TRY(collective.exchange(collective.rank() - distance, {}, data));
    }
    return {};
}

}  // namespace

Result<> RankLink::command(RankCommand command, const Bytes& data) {
    if (isAlone()) return {};
    const std::shared_ptr<Collective> collective = this->collective();
    Header header{static_cast<std::uint64_t>(command), data.size()};
    SEEDBED_TRY(sendFromFirst(*collective, std::as_writable_bytes(std::span(&header, 1))));
    Bytes copy = data;
    return sendFromFirst(*collective, std::as_writable_bytes(std::span(copy)));
}

Result<std::pair<RankCommand, RankLink::Bytes>> RankLink::receive() {
    const std::shared_ptr<Collective> collective = this->collective();
    Header header;
    SEEDBED_TRY(sendFromFirst(*collective, std::as_writable_bytes(std::span(&header, 1))));
    if (header.command > static_cast<std::uint64_t>(RankCommand::end) || header.bytes > kMostRankBytes)
        return fail("rank 0 sent an unknown command; all ranks must run the same version");
    Bytes data(header.bytes);
    SEEDBED_TRY(sendFromFirst(*collective, std::as_writable_bytes(std::span(data))));
    return std::pair(static_cast<RankCommand>(header.command), std::move(data));
}

Result<std::vector<RankLink::Bytes>> RankLink::gather(const Result<>& own, const Bytes& mine) {
    if (isAlone()) {
        SEEDBED_TRY(Result<>(own));
        return std::vector<Bytes>{mine};
    }
    const std::shared_ptr<Collective> collective = this->collective();
    const std::uint64_t bytes = mine.size();
    std::vector<std::byte> sizes;
    SEEDBED_TRY(gatherAll(*collective, own, std::as_bytes(std::span(&bytes, 1)), sizes));
    std::vector<std::uint64_t> counts(static_cast<std::size_t>(ranks()));
    std::memcpy(counts.data(), sizes.data(), sizes.size());
    const std::uint64_t most = *std::ranges::max_element(counts);
    if (most > kMostRankBytes) return fail(kRankLost, "a rank sent an impossible size");
    std::vector<Bytes> all(counts.size());
    if (most == 0) return all;
    Bytes padded = mine;
    padded.resize(most);
    std::vector<std::byte> blocks;
    SEEDBED_TRY(gatherAll(*collective, {}, std::as_bytes(std::span(padded)), blocks));
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        const auto* begin = reinterpret_cast<const std::uint8_t*>(blocks.data()) + rank * most;
        all[rank].assign(begin, begin + counts[rank]);
    }
    return all;
}

}  // namespace seedbed
