// SPDX-License-Identifier: GPL-3.0-or-later
// Loads the window's .qm files from the build folder (bin/translations) or the installation
// (share/seedbed/translations).
#pragma once

#include <memory>
#include <vector>

#include <QTranslator>

namespace seedbed {

// Installs the translators for `language`, "" for the system's. English also has a file, for its plural
// forms. The translators are active until they are destroyed.
std::vector<std::unique_ptr<QTranslator>> installTranslations(const QString& language = {});

}  // namespace seedbed
