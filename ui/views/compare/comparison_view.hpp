// SPDX-License-Identifier: GPL-3.0-or-later
// The compared runs: their groups, the verdict, and curves, statistics, settings, scatter plot and parallel
// coordinates. Which runs are compared does not depend on the selection in the run table. Thread: GUI.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include <QTimer>
#include <QVariantMap>
#include <QWidget>

#include "ui/models/compare_data.hpp"
#include "ui/models/compare_text.hpp"
#include "ui/models/run_id.hpp"
#include "ui/views/services.hpp"

class QAction;
class QComboBox;
class QStackedWidget;
class QTabWidget;

namespace seedbed::ui {

class Background;
class ChartControls;
class ChartWidget;
class DifferenceView;
class ElidedLabel;
class GroupRows;
class GroupsView;
class NameBox;
class OverTasksView;
class ParallelView;
class ScatterView;
class VerdictStrip;

class ComparisonView : public QWidget {
    Q_OBJECT
public:
    // `workers` must outlive the view. `choose`: the first step while nothing is compared.
    ComparisonView(const Services& services, Background& workers, QAction* choose, QWidget* parent = nullptr);

    void compare(std::vector<RunId> runs);
    const std::vector<RunId>& compared() const { return compared_; }
    // Null until the compared runs are read.
    const std::shared_ptr<const CompareData>& data() const { return data_; }
    // The best runs of two groups of one environment; empty for others.
    std::vector<RunId> toDuel() const;
    void switchTable();
    // Explains the number in the current cell of the statistics, or the verdict while they are not shown.
    void explain();
    void showNextTab();
    // The choices of this view and the compared runs, as part of the page's state.
    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

Q_SIGNALS:
    // Other runs are compared, or their data changed.
    void changed();
    void duelRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeComparison(QAction* choose);
    QWidget* makeChart(QWidget* parent);
    void connectParts();
    QString chosenMetric() const;
    void readChosen();
    void show(std::shared_ptr<const CompareData> compared);
    void fillMetrics();
    void orderFocus();
    // By environment.
    std::map<std::string, double> goalsOfRuns() const;
    void updateOverlay();
    void showCaption();
    void showLevels(const std::string& metric);
    void fillMarks();
    QString nameOf(RunId run) const;
    void setBaseline(const QString& key);
    void removeGroup(const QString& key);
    void explainVerdict();
    void queueSeeds(std::vector<SeedRequest> seeds, int queued = 0);

    Services services_;
    Background& workers_;
    QTimer refresh_;
    std::vector<RunId> compared_;
    bool stale_ = false;      // runs changed while the view was hidden
    bool failed_ = false;     // the compared runs could not be read
    QString default_metric_;  // shown until the user selects one
    quint64 query_ = 0;       // number of the latest query
    std::shared_ptr<const CompareData> data_;
    QString baseline_;
    ScoreAt score_at_ = ScoreAt::common_step;
    std::map<QString, int> styles_, run_styles_;
    bool filling_ = false;
    QStackedWidget* stack_ = nullptr;  // the empty state and the comparison
    NameBox* metric_ = nullptr;
    QComboBox* grouping_ = nullptr;
    ElidedLabel* caption_ = nullptr;
    QTabWidget* tabs_ = nullptr;
    ChartControls* controls_ = nullptr;
    ChartWidget* chart_ = nullptr;
    GroupRows* rows_ = nullptr;
    VerdictStrip* verdict_ = nullptr;
    GroupsView* groups_ = nullptr;
    DifferenceView* difference_ = nullptr;
    ScatterView* scatter_ = nullptr;
    ParallelView* parallel_ = nullptr;
    OverTasksView* over_tasks_ = nullptr;
};

}  // namespace seedbed::ui
