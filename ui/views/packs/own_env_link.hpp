// SPDX-License-Identifier: GPL-3.0-or-later
// The link to the dialog for the user's own environments.
#pragma once

#include <QString>

namespace seedbed::ui {

struct OwnEnvLink {
    static constexpr auto kPage = "environment";
    QString title{};  // OwnEnvironment::title; "" for a new one
};

}  // namespace seedbed::ui
