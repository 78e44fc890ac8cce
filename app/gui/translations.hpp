// SPDX-License-Identifier: GPL-3.0-or-later
// The window's languages: .qm files beside the program (bin/translations) or as installed
// (share/seedbed/translations).
#pragma once

#include <memory>
#include <vector>

#include <QTranslator>

namespace seedbed {

// For that language, or "" for the system's; English has a file too, for its plural forms. They are in force
// while they live.
std::vector<std::unique_ptr<QTranslator>> installTranslations(const QString& language = {});

}  // namespace seedbed
