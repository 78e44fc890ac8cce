// SPDX-License-Identifier: GPL-3.0-or-later
// The compared runs as parallel coordinates, or as a table, and the importance of the settings.
// Thread: GUI.
#pragma once

#include <memory>

#include <QWidget>

#include "ui/models/compare_data.hpp"

class QBoxLayout;
class QCheckBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QTableWidget;

namespace seedbed::ui {

class ImportanceTable;
class ParallelPlot;
class Theme;

class ParallelView : public QWidget {
    Q_OBJECT
public:
    explicit ParallelView(const Theme& theme, QWidget* parent = nullptr);
    void setData(const std::shared_ptr<const CompareData>& data);

Q_SIGNALS:
    void runRequested(seedbed::RunId run);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makePlot();
    void arrange();
    void fillTable();
    void describe();

    QBoxLayout* parts_;
    QCheckBox *as_table_, *only_importance_;
    QPushButton* clear_;
    QStackedWidget* stack_;
    QScrollArea* scroll_;
    ParallelPlot* plot_;
    QTableWidget* table_;
    QLabel* shown_;
    ImportanceTable* importance_;
};

}  // namespace seedbed::ui
