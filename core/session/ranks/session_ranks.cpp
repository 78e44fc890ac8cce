// SPDX-License-Identifier: Apache-2.0
#include "core/session/ranks/session_ranks.hpp"

#include <algorithm>

#include "core/session/session.hpp"

namespace seedbed {
namespace {

constexpr int kMostColumns = 1 << 30;

// The report of a rank after an update.
struct Report {
    std::uint64_t decisions = 0;
    std::vector<EpisodeEnd> episodes;
    std::vector<std::string> notices;

    void archive(Archive& archive) {
        archive.any(decisions);
        archiveEpisodes(archive, episodes, kMostColumns);
        auto count = static_cast<std::uint64_t>(notices.size());
        archive.field("notices", count, range(std::uint64_t{0}, std::uint64_t{1} << 20));
        if (archive.isLoading() && !archive.failed()) notices.resize(count);
        for (std::string& text : notices) archive.any(text);
    }
};

}  // namespace

void archiveParams(Archive& archive, Learner& learner) {
    for (std::size_t i = 0; i < learner.networkCount(); ++i) {
        const Params params = learner.params(i);
        std::vector<float> blob(params.blob().begin(), params.blob().end());
        std::uint64_t version = params.version();
        archive.fixed("parameters", blob).any(version);
        if (archive.isLoading() && !archive.failed()) learner.setParams(i, Params(std::move(blob), version));
    }
}

void RankState::archive(Archive& archive) {
    archive.any(optimiser_steps, updates, steps, cut_decisions, row);
    archive.list("parameters", params, kMostRankBytes).list("the learner", learner, kMostRankBytes);
    archive.list("numbers of groups", groups, std::uint64_t{1} << 20);
    if (archive.failed()) return;
    if (archive.isLoading()) group_states.resize(groups.size());
    for (auto& state : group_states) archive.list("a group", state, kMostRankBytes);
}

std::vector<std::uint64_t> SessionRanks::versionsOf(Learner& learner) {
    std::vector<std::uint64_t> versions;
    for (std::size_t i = 0; i < learner.networkCount(); ++i) versions.push_back(learner.params(i).version());
    return versions;
}

Result<> SessionRanks::begin(Learner& learner) {
    if (!areSeveral() || !isLeader()) return {};
    if (std::vector<std::uint64_t> versions = versionsOf(learner); versions != versions_) {
        Archive archive = Archive::saving();
        archiveParams(archive, learner);
        SEEDBED_TRY(link_->command(RankCommand::parameters, archive.bytes()));
        versions_ = std::move(versions);
    }
    return link_->command(RankCommand::iterate);
}

Result<> SessionRanks::endRollout(Result<> own, bool is_stopping) {
    if (!areSeveral()) return own;
    const std::uint8_t flag = is_stopping ? 1 : 0;
    std::vector<std::byte> flags;
    Result<> ended = gatherAll(*link_->collective(), own, std::as_bytes(std::span(&flag, 1)), flags);
    const bool stops = std::ranges::any_of(flags, [](std::byte other) { return other != std::byte{0}; });
    if (stops && isLeader() && on_stop_) on_stop_();
    // This rank's own error explains more than the loss of a rank.
    if (!ended && ended.error().code == kRankLost && !own) return own;
    return ended;
}

Result<> SessionRanks::report(IterationStats& stats) {
    if (!areSeveral()) return {};
    Archive saved = Archive::saving();
    Report mine{stats.decisions, std::move(stats.episodes), std::move(stats.notices)};
    mine.archive(saved);
    SEEDBED_ASSIGN(const auto all, link_->gather({}, saved.bytes()));
    stats.episodes.clear();
    stats.notices.clear();
    stats.decisions = 0;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        Report report;
        Archive archive = Archive::loading(all[rank]);
        report.archive(archive);
        SEEDBED_TRY(archive.finish());
        stats.decisions += report.decisions;
        stats.episodes.insert(stats.episodes.end(), report.episodes.begin(), report.episodes.end());
        for (const std::string& text : report.notices)
            stats.notices.push_back(rank == 0 ? text : "rank " + std::to_string(rank) + ": " + text);
    }
    return {};
}

Result<> SessionRanks::load(Learner& learner, const std::vector<std::uint8_t>& archive) {
    if (!areSeveral() || !isLeader()) return {};
    Archive params = Archive::saving();
    archiveParams(params, learner);
    std::vector<std::uint8_t> networks = std::move(params).take(), state = archive;
    Archive data = Archive::saving();
    data.list("parameters", networks, kMostRankBytes).list("state", state, kMostRankBytes);
    return link_->command(RankCommand::load, data.bytes());
}

}  // namespace seedbed
