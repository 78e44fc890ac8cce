// SPDX-License-Identifier: GPL-3.0-or-later
// The link to the page that sets two players against each other.
#pragma once

#include <QString>

namespace seedbed::ui {

// Players as on the command line: RUN, RUN:best, RUN:STEP, an imported policy or a scripted player. The duel
// starts immediately if both are set.
struct DuelLink {
    static constexpr auto kPage = "duel";
    QString a{}, b{};
    QString env{};  // empty: that of the policies
};

}  // namespace seedbed::ui
