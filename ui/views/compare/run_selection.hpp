// SPDX-License-Identifier: GPL-3.0-or-later
// The selection model of the run table.
#pragma once

#include <functional>
#include <utility>

#include <QItemSelectionModel>

namespace seedbed::ui {

// Calls `replaced` when a selection replaces the whole previous one, including runs hidden by the filter.
class RunSelection : public QItemSelectionModel {
public:
    RunSelection(QAbstractItemModel* model, std::function<void()> replaced)
        : QItemSelectionModel(model, model), replaced_(std::move(replaced)) {}
    void select(const QItemSelection& selection, SelectionFlags command) override {
        if (command & Clear) replaced_();
        QItemSelectionModel::select(selection, command);
    }

private:
    std::function<void()> replaced_;
};

}  // namespace seedbed::ui
