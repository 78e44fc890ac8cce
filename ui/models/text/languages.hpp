// SPDX-License-Identifier: GPL-3.0-or-later
// The installed languages: those with compiled translations next to the program or in its share folder.
#pragma once

#include <QStringList>

namespace seedbed::ui {

// Folders with compiled translations, in search order.
QStringList translationFolders();
// Language codes of the installed translations, English first: "en", "de".
QStringList installedLanguages();
// The language's own name: "Deutsch".
QString languageName(const QString& code);
// Settings key of the language; "" follows the system.
inline constexpr auto kLanguageKey = "window/language";

}  // namespace seedbed::ui
