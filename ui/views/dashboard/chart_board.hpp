// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of the run page: their metrics and order. Charts can be added, moved and removed; the set is
// saved in the settings.
#pragma once

#include <set>
#include <vector>

#include <QScrollArea>
#include <QStringList>

#include "ui/models/run_report.hpp"
#include "ui/views/charts/chart_widget.hpp"
#include "ui/views/own_undo.hpp"

class QGridLayout;
class QLabel;

namespace seedbed::ui {

// One chart. Metrics that the run does not have are omitted; a chart without metrics is hidden.
struct BoardChart {
    QString title;
    QStringList metrics;
    bool operator==(const BoardChart&) const = default;
};

class ChartBoard : public QScrollArea {
    Q_OBJECT
public:
    ChartBoard(const Services& services, Background& workers, QWidget* parent = nullptr);

    // Shows a run; null clears the charts. Charts keep their zoom, hidden lines and table view when the run
    // changes.
    void setReport(const RunReport* report);
    // Shows a message instead of charts while there is no report, for example why it cannot be read.
    void showNote(const QString& text);
    void setOptions(const ChartOptions& options);
    // Widgets that the board owns from now on: `stage` next to the first chart, and `notes` below that chart.
    // While the stage is hidden, the notes are above all charts.
    void setLead(QWidget* stage, QWidget* notes);
    void showStage(bool shown);
    // Levels of the return, and the step at which the goal was reached.
    void setGoal(std::vector<ChartLevel> levels, std::optional<std::int64_t> solved);

    // Metrics of the run that no chart shows, for the "Add chart" menu.
    QStringList metricsToAdd() const;
    void addChart(const QString& metric);
    void removeChart(int index);
    // Moves a chart by one position; false if it is already the first or last one.
    bool moveChart(int index, int by);
    void resetCharts();
    const std::vector<BoardChart>& charts() const { return charts_; }
    // Replaces the charts without adding to the undo stack.
    void setCharts(std::vector<BoardChart> charts);
    // The visible charts in order.
    std::vector<ChartWidget*> shownCharts() const;

Q_SIGNALS:
    // A chart was prepared; `length` is the length of its curves along `axis`.
    void lengthKnown(seedbed::ui::XAxis axis, double length);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Slot {
        ChartWidget* widget = nullptr;
        BoardChart chart;
        bool log_y = false;        // set in the chart's menu
        bool old_marks = false;    // while it is out of view
        std::set<QString> hidden;  // series unchecked in its legend
    };
    ChartOptions optionsOf(const Slot& slot) const;
    void change(const QString& text, std::vector<BoardChart> charts);
    ChartWidget* makeWidget(const BoardChart& chart);
    void rebuild();
    void arrange();
    void fitLead();
    void updateLive();
    void fill(Slot& slot);
    void fillMarks(Slot& slot);
    int indexOf(const ChartWidget* widget) const;
    bool hasMetric(const QString& name) const;

    Services services_;
    Background& workers_;
    OwnUndo* undo_;
    ChartOptions options_;
    std::vector<BoardChart> charts_;
    std::vector<Slot> slots_;
    QWidget *inner_, *lead_box_;
    QWidget *stage_ = nullptr, *notes_ = nullptr;
    bool shows_stage_ = false;
    std::vector<ChartLevel> levels_;
    std::optional<std::int64_t> solved_;
    QGridLayout *lead_, *grid_;
    QLabel* note_;  // shown while there are no charts
    RunId run_ = 0;
    std::vector<std::string> metrics_;
    RunDetails details_;
    QString subject_;  // subject of saved charts
    int columns_ = 0;  // 0: to be arranged
};

}  // namespace seedbed::ui
