// SPDX-License-Identifier: GPL-3.0-or-later
// How much of the variance of the score each setting explains: a table with bars, and what limits it.
// Thread: GUI.
#pragma once

#include <QWidget>

#include "core/analysis/importance.hpp"

class QLabel;
class QTableWidget;

namespace seedbed::ui {

class Theme;

class ImportanceTable : public QWidget {
    Q_OBJECT
public:
    explicit ImportanceTable(const Theme& theme, QWidget* parent = nullptr);
    void setImportance(const Importance& importance);

private:
    QLabel* title_;
    QTableWidget* table_;
    QLabel* note_;
};

}  // namespace seedbed::ui
