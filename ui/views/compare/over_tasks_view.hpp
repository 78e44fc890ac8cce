// SPDX-License-Identifier: GPL-3.0-or-later
// Methods over several tasks: performance profiles with bands, and a table of their numbers. The program
// computes them (`seedbed aggregate`), so they are those of the terminal. Thread: GUI.
#pragma once

#include <memory>
#include <optional>

#include <QWidget>

#include "ui/models/compare/over_tasks_data.hpp"
#include "ui/views/services.hpp"

class QAction;
class QLabel;
class QStackedWidget;
class QTableWidget;

namespace seedbed::ui {

class Background;
class ChartWidget;
class NameBox;

class OverTasksView : public QWidget {
    Q_OBJECT
public:
    // `workers` must outlive the view. `choose`: the first step while too few tasks are compared.
    OverTasksView(const Services& services, Background& workers, QAction* choose, QWidget* parent = nullptr);

    void setData(std::shared_ptr<const CompareData> data, ScoreAt at);
    // Empty until the program has answered.
    const std::optional<OverTasksData>& shown() const { return shown_; }
    ChartWidget& chart() { return *chart_; }
    // Explains the number in the current cell. False: it has none.
    bool explainCurrent();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeContents(Background& workers);
    QStringList question() const;
    void ask();
    void show(const QJsonObject& document);
    void showText(const QString& text);
    void fillTable();
    void explainAt(int row, int column);

    Services services_;
    std::shared_ptr<const CompareData> data_;
    ScoreAt at_ = ScoreAt::common_step;
    std::optional<OverTasksData> shown_;
    QStringList asked_;    // arguments and scores of the last question
    bool asking_ = false;  // the program has not answered yet
    QStackedWidget* stack_;
    QLabel* text_;  // what is missing
    NameBox* by_ = nullptr;
    ChartWidget* chart_ = nullptr;
    QTableWidget* table_ = nullptr;
    QLabel *verdict_ = nullptr, *note_ = nullptr;
};

}  // namespace seedbed::ui
