// SPDX-License-Identifier: GPL-3.0-or-later
// The link to the page that sets two players against each other.
#pragma once

#include <QString>

namespace seedbed::ui {

// Players are named as on the command line; empty: the page chooses.
struct DuelLink {
    static constexpr auto kPage = "duel";
    QString a{}, b{}, env{};
};

}  // namespace seedbed::ui
