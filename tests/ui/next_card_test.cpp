// SPDX-License-Identifier: Apache-2.0
// Tests the card that proposes more seeds, with real runs.
#include "ui/views/dashboard/next_card.hpp"

#include <set>

#include <QPushButton>

#include "core/store/store_reader.hpp"
#include "tests/ui/program_fixture.hpp"
#include "ui/models/run_report.hpp"
#include "ui/views/compare/compare_link.hpp"

namespace seedbed::ui {
namespace {

class NextCardTest : public ProgramTest {
protected:
    void train(const QStringList& more) {
        seedbed(QStringList{QStringLiteral("train"), QStringLiteral("cartpole"), QStringLiteral("--steps"),
                            QStringLiteral("3000"), QStringLiteral("--quiet"),
                            QStringLiteral("--eval.final_episodes=5")} +
                more);
    }
    std::size_t finished() const {
        std::size_t count = 0;
        for (const RunRecord& run : *runs_->runs()) count += run.status == RunStatus::finished;
        return count;
    }
    // Follows run 1 as the page does, until the card shows this text.
    bool shows(NextCard& card, const QString& text) {
        auto reader = StoreReader::open(dataFolder().toStdString());
        const auto report = loadReport(*reader, dataFolder().toStdString(), 1);
        return QTest::qWaitFor(
            [&] {
                card.follow(runs_->find(1), &report->details.config);
                return card.isVisibleTo(nullptr) &&
                       card.findChild<QLabel*>(QStringLiteral("run-next-text"))->text().contains(text);
            },
            kTimeoutMs);
    }
};

TEST_F(NextCardTest, MissingSeedsAreQueuedAndThenCompared) {
    train({});
    train({QStringLiteral("--seed"), QStringLiteral("2")});
    train({QStringLiteral("--seed"), QStringLiteral("3"), QStringLiteral("--algo.learning_rate=0.001")});
    openStore();
    NextCard card(services_);
    auto* button = card.findChild<QPushButton*>(QStringLiteral("run-next-button"));
    ASSERT_TRUE(shows(card, QStringLiteral("3 more"))) << "the run with another setting does not count";
    button->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return finished() == 6; }, kTimeoutMs));
    EXPECT_EQ(navigator_.problem, QString());
    std::set<std::uint64_t> seeds;
    for (const RunRecord& run : *runs_->runs())
        if (run.id > 3) seeds.insert(run.seed);
    EXPECT_EQ(seeds, (std::set<std::uint64_t>{3, 4, 5}));

    ASSERT_TRUE(shows(card, QStringLiteral("5 seeds with these settings")));
    button->click();
    const auto* link = navigator_.opened<CompareLink>();
    ASSERT_NE(link, nullptr);
    EXPECT_EQ(std::set<RunId>(link->runs.begin(), link->runs.end()), (std::set<RunId>{1, 2, 4, 5, 6}));
}

}  // namespace
}  // namespace seedbed::ui
