// SPDX-License-Identifier: GPL-3.0-or-later
// The link to the page that sets two players against each other.
#pragma once

#include <optional>

#include <QString>

namespace seedbed::ui {

// Players as on the command line: RUN, RUN:best, RUN:STEP, a member of a league, an imported policy or a
// scripted player; or kPersonPlayer. The duel starts immediately if both are set.
struct DuelLink {
    static constexpr auto kPage = "duel";
    QString a{}, b{};
    QString env{};  // empty: that of the policies
    // The rules of a league. If absent, the user's choice of the selection stays.
    struct Rules {
        int opening = 0;  // random decisions at the beginning of the games of the score
        bool samples = false;
    };
    std::optional<Rules> rules{};
};

}  // namespace seedbed::ui
