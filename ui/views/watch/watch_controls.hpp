// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the boxes and buttons of the watch page.
#pragma once

#include <QAction>
#include <QComboBox>
#include <QString>
#include <QToolButton>

namespace seedbed::ui {

inline QComboBox* setName(QComboBox* made, const QString& name, const QString& id) {
    made->setAccessibleName(name);
    made->setObjectName(id);
    made->setToolTip(name);
    return made;
}
inline QComboBox* makeBox(QWidget* parent, const QString& name, const QString& id) {
    auto* made = setName(new QComboBox(parent), name, id);
    made->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return made;
}

inline QToolButton* makeButton(QWidget* parent, QAction* action) {
    auto* made = new QToolButton(parent);
    made->setDefaultAction(action);
    made->setAccessibleName(action->text());
    made->setFocusPolicy(Qt::StrongFocus);
    return made;
}

}  // namespace seedbed::ui
