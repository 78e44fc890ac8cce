// SPDX-License-Identifier: GPL-3.0-or-later
// The link to the packs page.
#pragma once

#include <QString>

namespace seedbed::ui {

struct PacksLink {
    static constexpr auto kPage = "packs";
    QString pack{};  // the pack to scroll to
};

}  // namespace seedbed::ui
