// SPDX-License-Identifier: Apache-2.0
// Links to pages, for tests that visit all of them.
#pragma once

#include <any>
#include <vector>

#include <QString>

#include "ui/views/compare/compare_link.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/duel/duel_link.hpp"
#include "ui/views/export/export_link.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/watch/watch_link.hpp"

namespace seedbed::ui {

// The link to a page that shows these runs; empty if the page shows no runs or `runs` is empty.
inline std::any linkTo(const QString& page, const std::vector<RunId>& runs) {
    if (runs.empty()) return {};
    if (page == QLatin1String(DashboardLink::kPage)) return DashboardLink{runs.front()};
    if (page == QLatin1String(WatchLink::kPage)) return WatchLink{.run = runs.front()};
    if (page == QLatin1String(DuelLink::kPage))
        return DuelLink{.a = QString::number(runs.front()),
                        .b = runs.size() < 2 ? QString() : QString::number(runs[1])};
    if (page == QLatin1String(ExportLink::kPage)) return ExportLink{.run = runs.front()};
    if (page == QLatin1String(CompareLink::kPage)) return CompareLink{runs};
    return {};
}

}  // namespace seedbed::ui
