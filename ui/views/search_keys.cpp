// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/search_keys.hpp"

#include <QLineEdit>
#include <QShortcut>

namespace seedbed::ui {

void clearByEscape(QLineEdit* field) {
    auto* escape = new QShortcut(QKeySequence(Qt::Key_Escape), field, nullptr, nullptr, Qt::WidgetShortcut);
    QObject::connect(escape, &QShortcut::activated, field, &QLineEdit::clear);
    escape->setEnabled(!field->text().isEmpty());
    QObject::connect(field, &QLineEdit::textChanged, escape,
                     [escape](const QString& text) { escape->setEnabled(!text.isEmpty()); });
}

}  // namespace seedbed::ui
