// SPDX-License-Identifier: GPL-3.0-or-later
// The link to the library.
#pragma once

#include <QString>

namespace seedbed::ui {

struct LibraryLink {
    static constexpr auto kPage = "library";
    bool devices = false;  // shows the devices instead of the policies
    QString policy{};      // to select: LibraryPolicy::player
    QString file{};        // weights to import
};

}  // namespace seedbed::ui
