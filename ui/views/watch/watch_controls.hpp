// SPDX-License-Identifier: GPL-3.0-or-later
// The boxes, buttons and tables of the watch page, and their choices.
#pragma once

#include <array>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QString>
#include <QTableView>
#include <QToolButton>

namespace seedbed::ui {

inline constexpr std::array kSpeeds{0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 0.0};  // 0 means no limit
inline constexpr std::array kSpeedTexts{"⅛×", "¼×", "½×", "1×", "2×", "4×", "8×", "16×"};
inline constexpr int kOwnSpeed = 3;  // index of 1×
inline constexpr std::array kAgents{1, 2, 4, 6, 9, 12, 16, 25, 36, 49, 64};
inline constexpr std::array kKinds{"", "best", "median", "worst"};

inline QComboBox* setName(QComboBox* made, const QString& name, const QString& id) {
    made->setAccessibleName(name);
    made->setObjectName(id);
    made->setToolTip(name);
    made->setFocusPolicy(Qt::TabFocus);  // after a choice with the mouse, keys still control the game
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
    made->setFocusPolicy(Qt::TabFocus);  // after a click, the space bar still pauses the game
    return made;
}

inline QTableView* makeTable(QWidget* parent, QAbstractItemModel& model, const QString& name,
                             const QString& id) {
    auto* made = new QTableView(parent);
    made->setObjectName(id);
    made->setModel(&model);
    made->setAccessibleName(name);
    made->verticalHeader()->hide();
    made->horizontalHeader()->setHighlightSections(false);
    made->setEditTriggers(QAbstractItemView::NoEditTriggers);
    made->setTabKeyNavigation(false);
    made->setWordWrap(false);
    return made;
}

// Whether this control uses the key, which then does not control the player.
inline bool usesKey(const QObject* control, int key) {
    const bool list = qobject_cast<const QComboBox*>(control) != nullptr ||
                      qobject_cast<const QAbstractItemView*>(control) != nullptr;
    if (list && (key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Space)) return true;
    if (list && key >= Qt::Key_0 && key <= Qt::Key_Z) return true;  // combo boxes search while typing
    return key == Qt::Key_Space && qobject_cast<const QAbstractButton*>(control) != nullptr;
}

}  // namespace seedbed::ui
