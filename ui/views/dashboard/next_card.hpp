// SPDX-License-Identifier: GPL-3.0-or-later
// The next step after a finished run: more seeds with its settings, or the comparison of those that exist.
#pragma once

#include <optional>
#include <tuple>

#include "core/base/json.hpp"
#include "ui/models/run_seeds.hpp"
#include "ui/views/services.hpp"
#include "ui/views/style/card.hpp"

class QPushButton;

namespace seedbed::ui {

// Hidden unless the run has finished.
class NextCard : public Card {
    Q_OBJECT

public:
    explicit NextCard(const Services& services, QWidget* parent = nullptr);
    // `config`: of the run; null until it was read. Cheap if nothing has changed.
    void follow(const RunRecord* run, const Json* config);

private:
    void read(const RunRecord& run);
    void showSeeds(const RunSeeds& seeds);
    void act();

    Services services_;
    RunId run_ = 0;
    Json config_;
    std::optional<RunSeeds> seeds_;
    // The run, and numbers of all, finished and waiting runs of its environment and algorithm, when they were
    // read.
    std::tuple<RunId, std::size_t, std::size_t, std::size_t> known_{};
    QLabel* text_;
    QPushButton* button_;
};

}  // namespace seedbed::ui
