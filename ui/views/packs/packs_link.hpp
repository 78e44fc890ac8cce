// SPDX-License-Identifier: GPL-3.0-or-later
// The link to the page of packs.
#pragma once

#include <QString>

namespace seedbed::ui {

struct PacksLink {
    static constexpr auto kPage = "packs";
    QString pack{};  // to scroll to
};

}  // namespace seedbed::ui
