// SPDX-License-Identifier: GPL-3.0-or-later
// The compared groups, one row each, and their menu. At most four rows are visible at once. Thread: GUI.
#pragma once

#include <memory>
#include <vector>

#include "ui/models/charts/chart_model.hpp"
#include "ui/models/compare/explanation.hpp"
#include "ui/models/compare_data.hpp"
#include "ui/views/style/card.hpp"

class QMenu;
class QScrollArea;

namespace seedbed::ui {

class GroupRow;
class Theme;

class GroupRows : public Card {
    Q_OBJECT
public:
    // `model`: the chart whose curves the rows show and hide.
    GroupRows(ChartModel& model, const Theme& theme, QWidget* parent = nullptr);

    void setData(std::shared_ptr<const CompareData> data);
    const std::vector<GroupRow*>& rows() const { return rows_; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void baselineRequested(const QString& key);
    void seedsRequested(const QString& key, int count);
    void removeRequested(const QString& key);

private:
    GroupRow* addRow();
    void updateCurves();
    void showMenu(GroupRow& row, const QPoint& global);
    void explainIn(GroupRow& row, Statistic statistic);
    int heightFor(int rows) const;

    ChartModel& model_;
    const Theme& theme_;
    std::shared_ptr<const CompareData> data_;
    std::vector<GroupRow*> rows_;
    QWidget* head_;
    QScrollArea* area_;
    QMenu* menu_;
};

}  // namespace seedbed::ui
