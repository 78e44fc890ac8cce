// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of a run's page: which metrics each shows, in which order; charts are added, moved, removed, and
// remembered.
#pragma once

#include <set>
#include <vector>

#include <QScrollArea>
#include <QStringList>

#include "ui/models/run_report.hpp"
#include "ui/views/charts/chart_widget.hpp"

class QGridLayout;
class QLabel;

namespace seedbed::ui {

// What a chart of the board shows. Metrics a run does not have are left out; without any, the chart is not
// shown.
struct BoardChart {
    QString title;
    QStringList metrics;
    bool operator==(const BoardChart&) const = default;
};

class ChartBoard : public QScrollArea {
    Q_OBJECT
public:
    ChartBoard(const Services& services, Background& workers, QWidget* parent = nullptr);

    // Null: nothing to show yet. Charts that the next run has, too, keep their zoom, hidden lines and table.
    void setReport(const RunReport* report);
    // What stands in place of charts until there is a report: why it cannot be read.
    void say(const QString& text);
    void setOptions(const ChartOptions& options);

    // Metrics of the run that no chart shows, for "add chart".
    QStringList metricsToAdd() const;
    void addChart(const QString& metric);
    void removeChart(int index);
    // By one place; false when there is none.
    bool moveChart(int index, int by);
    void resetCharts();
    const std::vector<BoardChart>& charts() const { return charts_; }
    // What charts there are, without a trace on the undo stack.
    void setCharts(std::vector<BoardChart> charts);
    // The widgets that are shown, in order.
    std::vector<ChartWidget*> shownCharts() const;

Q_SIGNALS:
    // A chart was prepared whose curves go so far along this axis.
    void lengthKnown(seedbed::ui::XAxis axis, double length);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Slot {
        ChartWidget* widget = nullptr;
        BoardChart chart;
        bool log_y = false;        // chosen in its own menu
        std::set<QString> hidden;  // lines that were switched off in its legend
    };
    ChartOptions optionsOf(const Slot& slot) const;
    void change(const QString& text, std::vector<BoardChart> charts);
    void rebuild();
    void arrange();
    void fill(Slot& slot);
    void fillMarks(Slot& slot);
    int indexOf(const ChartWidget* widget) const;
    bool hasMetric(const QString& name) const;

    Services services_;
    Background& workers_;
    ChartOptions options_;
    std::vector<BoardChart> charts_;
    std::vector<Slot> slots_;
    QWidget* inner_;
    QGridLayout* grid_;
    QLabel* note_;  // in place of charts, while there are none
    RunId run_ = 0;
    std::vector<std::string> metrics_;
    RunDetails details_;
    QString subject_;  // of files of the charts
    int columns_ = 0;
};

}  // namespace seedbed::ui
