// SPDX-License-Identifier: Apache-2.0
// A fixture with the page of all runs and runs to compare.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include <QAction>
#include <QTabBar>

#include "tests/ui/page_fixture.hpp"
#include "ui/views/charts/chart_widget.hpp"
#include "ui/views/compare/compare_link.hpp"

namespace seedbed::testing {

class ComparePageTest : public PageTest {
protected:
    // Two configurations with `seeds` runs each; the second one is better.
    std::vector<RunId> twoGroups(std::uint64_t seeds, double difference = 60) {
        std::vector<RunId> runs;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed)
            for (const double rate : {0.001, 0.01}) {
                const double top = 120 + 5 * static_cast<double>(seed % 4) + (rate > 0.005 ? difference : 0);
                runs.push_back(makeRun({.seed = seed,
                                        .learning_rate = rate,
                                        .points = 200,
                                        .returns = learning(top, 0.03, static_cast<unsigned>(seed)),
                                        .checkpoint = true,
                                        .evaluation = top}));
            }
        return runs;
    }
    // Shows the table of runs instead of the comparison.
    static void showRuns(ui::Page& page) {
        page.findChild<QTabBar*>(QStringLiteral("runs-or-compare"))->setCurrentIndex(0);
    }
    // Compares the selected runs.
    static void compareSelected(ui::Page& page) {
        page.findChild<QAction*>(QStringLiteral("runs-compare"))->trigger();
    }
    // The runs whose curves are shown.
    static std::set<RunId> compared(ui::Page& page) {
        std::set<RunId> ids;
        for (const auto& spec : page.findChild<ui::ChartWidget*>()->model().specs())
            ids.insert(spec.runs.begin(), spec.runs.end());
        return ids;
    }
    // Whether all requested data is shown.
    static bool shows(ui::Page& page, std::size_t series) {
        auto* chart = page.findChild<ui::ChartWidget*>();
        return waitFor([&] {
            const auto& prepared = *chart->model().series();
            return chart->model().idle() && prepared.size() == series &&
                   std::all_of(prepared.begin(), prepared.end(),
                               [](const auto& one) { return one.raw->statistics().points > 0; });
        });
    }
};

}  // namespace seedbed::testing
