// SPDX-License-Identifier: Apache-2.0
// After a restart from a checkpoint, rows beyond it are kept but never shown or counted again.
#include <algorithm>
#include <map>

#include "core/base/rng.hpp"
#include "core/store/database.hpp"
#include "core/store/metric_block.hpp"
#include "tests/unit/store/store_fixture.hpp"

namespace seedbed {
namespace {

using testing::must;

constexpr std::uint64_t kSeed = 424242;

class Superseded : public testing::StoreTest {
protected:
    // All points in the tables, live or not.
    std::int64_t storedPoints() {
        auto database = must(Database::open(folder() / kDatabaseName, Database::Access::read));
        return must(
            database->integer("SELECT (SELECT coalesce(sum(points), 0) FROM metric_blocks) + (SELECT "
                              "count(*) FROM metric_tail)"));
    }
    std::int64_t number(const std::string& sql) {
        auto database = must(Database::open(folder() / kDatabaseName, Database::Access::read));
        return must(database->integer(sql));
    }
};

TEST_F(Superseded, RowsBeyondTheCheckpointAreHidden) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    const auto fill = [&](std::int64_t from, std::int64_t to, double value) {
        auto out = writer(run);
        for (std::int64_t step = from; step <= to; ++step) {
            point(*out, step, value);
            out->episodes(std::vector<EpisodeRecord>{{step, 0, value, 1, 0}});
        }
        EvaluationRecord evaluation;
        evaluation.step = to;
        evaluation.mean = value;
        out->evaluation(evaluation);
        CheckpointRecord checkpoint;
        checkpoint.step = to, checkpoint.score = value, checkpoint.best = true,
        checkpoint.params_sha256 = std::to_string(to);
        out->checkpoint(checkpoint);
        out->event({to, 0, EventLevel::info, "filled", "", {}});
        out->progress({to, to, to, 1});
    };
    fill(1, 700, 1.0);
    fill(701, 1500, 2.0);
    const SegmentRecord second = must(store.beginSegment(*run.lock, 700, ProcessInfo{}));
    EXPECT_EQ(second.number, 2);

    const RunDetails cut = must(reader().details(run.id));
    EXPECT_EQ(must(reader().metric(run.id, "loss/policy")).steps, range(1, 700));
    EXPECT_EQ(must(reader().episodeCount(run.id)), 700);
    EXPECT_EQ(cut.evaluations.size(), 1u);
    EXPECT_EQ(cut.events.size(), 1u);
    ASSERT_EQ(cut.checkpoints.size(), 1u);
    EXPECT_TRUE(cut.checkpoints[0].best);
    EXPECT_EQ(cut.params_sha256, "700");
    EXPECT_EQ(cut.run.best_return, 1.0);
    EXPECT_EQ(cut.run.progress.steps, 700);

    fill(701, 900, 3.0);
    const MetricCurve curve = must(reader().metric(run.id, "loss/policy"));
    EXPECT_EQ(curve.steps, range(1, 900));
    EXPECT_EQ(curve.values[700], 3.0);
    EXPECT_EQ(must(reader().run(run.id)).last_return, 3.0);
    EXPECT_EQ(must(reader().run(run.id)).progress.steps, 900);
    EXPECT_EQ(must(reader().episodeCount(run.id)), 900);

    // Nothing was deleted.
    EXPECT_EQ(storedPoints(), 1500 + 200);
    EXPECT_EQ(number("SELECT count(*) FROM episode_rows"), 1700);
    EXPECT_EQ(number("SELECT sum(points) FROM metric_points"), 900);
    EXPECT_EQ(number("SELECT count(*) FROM checkpoint_rows WHERE superseded_by = 2"), 1);
    EXPECT_EQ(number("SELECT count(*) FROM checkpoints WHERE best = 1"), 1);
}

TEST_F(Superseded, AResumeAtZeroHidesAllRows) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store);
    { points(*writer(run), 1, 600); }
    must(store.beginSegment(*run.lock, 0, ProcessInfo{}));
    EXPECT_TRUE(must(reader().metricNames(run.id)).empty());
    EXPECT_FALSE(reader().metric(run.id, "loss/policy"));
    EXPECT_FALSE(must(reader().run(run.id)).last_return);
    EXPECT_EQ(storedPoints(), 600);
}

TEST_F(Superseded, OtherRunsAreUnchanged) {
    Store store = must(Store::open(folder()));
    const OwnedRun run = begin(store), other = begin(store);
    { points(*writer(run), 1, 600); }
    { points(*writer(other), 1, 600); }
    must(store.beginSegment(*run.lock, 100, ProcessInfo{}));
    EXPECT_EQ(must(reader().metric(other.id, "loss/policy")).steps, range(1, 600));
}

// After any sequence of writes and rollbacks, the data equals that of one run without interruptions.
TEST_F(Superseded, RandomHistoriesShowOneLine) {
    for (std::uint32_t history = 0; history < 12; ++history) {
        Rng rng(kSeed, RngPurpose::test, history);
        Store store = must(Store::open(folder()));
        const OwnedRun run = begin(store);
        std::map<std::string, std::vector<std::pair<std::int64_t, double>>> live;
        std::int64_t step = 0, written = storedPoints(), episodes = 0;
        std::vector<std::int64_t> episode_steps;
        for (int segment = 0; segment < 6; ++segment) {
            {
                auto out = writer(run);
                const auto count = rng.below(1500);
                for (std::uint32_t i = 0; i < count; ++i) {
                    step += rng.below(3);  // several points may share a step
                    for (const char* name : {"a", "b", "c"}) {
                        if (!rng.bernoulli(name[0] == 'a' ? 1.0 : 0.3)) continue;
                        const double value = rng.uniform();
                        point(*out, step, value, name);
                        live[name].emplace_back(step, value);
                        ++written;
                    }
                    if (rng.bernoulli(0.1)) {
                        out->episodes(
                            std::vector<EpisodeRecord>{{step, 0, static_cast<double>(++episodes), 1, 0}});
                        episode_steps.push_back(step);
                    }
                    if (rng.bernoulli(0.002)) must(out->flush());
                }
            }
            step = rng.below(static_cast<std::uint32_t>(step + 1));
            must(store.beginSegment(*run.lock, step, ProcessInfo{}));
            for (auto& [name, curve] : live)
                std::erase_if(curve, [&](const auto& entry) { return entry.first > step; });
            std::erase_if(episode_steps, [&](std::int64_t at) { return at > step; });

            StoreReader reader = this->reader();
            std::map<std::string, MetricEnd> ends;
            for (const MetricEnd& end : must(reader.metricEnds(run.id))) ends[end.name] = end;
            for (const auto& [name, curve] : live) {
                ASSERT_EQ(ends.contains(name), !curve.empty());
                if (curve.empty()) {
                    ASSERT_FALSE(reader.metric(run.id, name));
                    continue;
                }
                ASSERT_EQ(ends[name].points, static_cast<std::int64_t>(curve.size()));
                ASSERT_EQ(ends[name].last_step, curve.back().first);
                ASSERT_EQ(ends[name].last_value, curve.back().second);
                const MetricCurve read = must(reader.metric(run.id, name));
                ASSERT_EQ(read.steps.size(), curve.size())
                    << "seed " << kSeed << " history " << history << " segment " << segment << " " << name;
                for (std::size_t i = 0; i < curve.size(); ++i) {
                    ASSERT_EQ(read.steps[i], curve[i].first);
                    ASSERT_EQ(read.values[i], curve[i].second);
                }
                double max = 0;
                for (const auto& stretch : must(reader.metricSummary(run.id, name, 10)).stretches)
                    max = std::max(max, stretch.max);
                ASSERT_EQ(max, std::max_element(curve.begin(), curve.end(), [](auto a, auto b) {
                                   return a.second < b.second;
                               })->second);
            }
            ASSERT_EQ(must(reader.episodeCount(run.id)), static_cast<std::int64_t>(episode_steps.size()));
            ASSERT_EQ(storedPoints(), written) << "seed " << kSeed << " history " << history;
        }
    }
}

}  // namespace
}  // namespace seedbed
