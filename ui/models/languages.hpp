// SPDX-License-Identifier: GPL-3.0-or-later
// Which languages the window has: those whose compiled texts lie beside the program or in its share folder.
#pragma once

#include <QStringList>

namespace seedbed::ui {

// Where compiled translations are looked for, in this order.
QStringList translationFolders();
// Codes as in the files' names, English first: "en", "de".
QStringList installedLanguages();
// What the language is called by those who speak it.
QString languageName(const QString& code);
// Chosen by the user; "" follows the system.
inline constexpr auto kLanguageKey = "window/language";

}  // namespace seedbed::ui
