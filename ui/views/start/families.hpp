// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of the included environments in the gallery. An environment may be in several.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace seedbed::ui {

struct Family {
    QString key, title;
};

inline const QString kPopularFamily = QStringLiteral("popular");

// Popular first. Titles are translated.
QList<Family> includedFamilies();
// Keys of the families of an included environment; empty if it is in none.
QStringList familiesOf(const QString& env);
// Position among the popular environments, the most impressive first; -1 for other environments.
int popularity(const QString& env);

}  // namespace seedbed::ui
