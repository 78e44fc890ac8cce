// SPDX-License-Identifier: Apache-2.0
#include "core/session/windows/hindsight_windows.hpp"

#include "core/base/rng.hpp"

namespace seedbed {
namespace {

// Lane of the random stream; the replay buffer's lane is one lower.
constexpr std::uint32_t kGoalLane = (1u << 31) + 1;
// Random words reserved for each word that the inner source draws.
constexpr std::uint64_t kWordsPerDraw = 8;

// The number of rows after row t of this column that belong to its episode: those up to the extra row, or to
// the newest row. Steps count up within an episode and restart at 0 after it, so a later row belongs to the
// episode if and only if its step is larger by the distance between the rows.
std::uint64_t rowsAhead(Ring& ring, std::uint64_t t, std::size_t column) {
    const auto step = ring.episodeStep(t)[column];
    const auto in_episode = [&](std::uint64_t ahead) {
        return static_cast<std::uint64_t>(ring.episodeStep(t + ahead)[column]) ==
               static_cast<std::uint64_t>(step) + ahead;
    };
    std::uint64_t inside = 0, outside = ring.head() - t + 1;
    while (outside - inside > 1) {
        const std::uint64_t middle = inside + (outside - inside) / 2;
        (in_episode(middle) ? inside : outside) = middle;
    }
    return inside;
}

}  // namespace

const TakenWindows* HindsightWindows::take() {
    const TakenWindows* inner = inner_.take();
    if (inner == nullptr) return nullptr;
    taken_ = *inner;
    taken_.relabels.clear();
    Rng rng(seed_, RngPurpose::minibatch, kGoalLane, inner->draw * kWordsPerDraw);
    for (const Window& window : taken_.windows)
        for (int column = window.column; column < window.column + window.columns; ++column) {
            Relabel relabel;
            Ring& ring = *rings_[static_cast<std::size_t>(window.group)];
            if (rng.uniform() < share_) {
                const std::uint64_t ahead = rowsAhead(ring, window.t0, static_cast<std::size_t>(column));
                // The row after a decision belongs to its episode, so `ahead` is at least 1.
                const auto chosen =
                    1 + static_cast<std::uint64_t>(rng.uniform() * static_cast<double>(ahead));
                relabel = {window.t0 + chosen, window.t0 + ahead + 1};
            }
            taken_.relabels.push_back(relabel);
        }
    return &taken_;
}

}  // namespace seedbed
