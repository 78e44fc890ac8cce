// SPDX-License-Identifier: GPL-3.0-or-later
// A chart without its picture: which curves of which runs, filtered, grouped and smoothed on all points by a
// worker thread; views of it are then reduced to pixel columns. What is hidden, which colours there are and
// what is zoomed to changes none of the numbers.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>

#include "core/analysis/aggregate.hpp"
#include "core/analysis/curve_index.hpp"
#include "core/analysis/smoothing.hpp"
#include "ui/models/background.hpp"
#include "ui/models/curve_loader.hpp"
#include "ui/models/run_store.hpp"

namespace seedbed::ui {

// A line of the chart: one metric of one run, or of a group of runs that differ in their seeds.
struct SeriesSpec {
    QString key{};    // tells series apart and fixes their colour; stays the same when others come and go
    QString label{};  // for the legend; the number of runs is added
    std::vector<RunId> runs{};
    std::string metric{};
    int style = 0;        // of Theme::seriesColour and seriesStyle
    bool points = false;  // few and far between (evaluations): each is a dot
    bool visible = true;  // hidden ones are computed like all others
    bool operator==(const SeriesSpec&) const = default;
};

struct ChartOptions {
    XAxis x = XAxis::steps;
    bool log_x = false, log_y = false;
    SmoothingSpec smoothing;
    std::optional<std::pair<double, double>>
        filter;         // points outside take no part in anything; not the same as zooming
    bool bands = true;  // 95 % bootstrap interval over the runs of a group
};

// A series ready to be drawn at any zoom. All members are immutable and complete: statistics are of all
// points, never of what is shown.
struct PreparedSeries {
    SeriesSpec spec;
    std::vector<LoadedCurve> runs;           // as they were read; for marks and for the step of a point
    std::shared_ptr<const CurveIndex> raw;   // the run's points, or the centre of the group, not smoothed
    std::shared_ptr<const CurveIndex> line;  // smoothed; the same object as raw without smoothing
    std::shared_ptr<const CurveIndex> low,
        high;  // interval of raw, for texts and files; null when there is none
    std::shared_ptr<const CurveIndex> band_low, band_high;  // smoothed as line is, for the picture
    std::vector<int> n;                                     // runs at each point of raw; empty for one run
    std::size_t run_count = 0;                              // with at least one point
};

// What of a series falls into a view.
struct DrawnSeries {
    std::size_t index = 0;  // into ChartModel::series()
    Curve raw, line, low, high;
    Curve dots;  // points that a line would not show: lonely ones, or all of them when asked for
};
struct ChartView {
    double low = 0, high = 1;  // of x
    int columns = 1;
    bool operator==(const ChartView&) const = default;
};
using Prepared = std::shared_ptr<const std::vector<PreparedSeries>>;
struct DrawnChart {
    Prepared series;  // that were drawn
    ChartView view;
    std::vector<DrawnSeries> drawn;  // the visible ones
};

// Filter, group, smooth: from read curves to a series. Thread: any. What is returned after a stop is not
// complete.
PreparedSeries prepareSeries(const SeriesSpec& spec, const std::vector<LoadedCurve>& runs,
                             const ChartOptions& options, const std::stop_token& stop = {});
// Reduce: what a view shows. Thread: any. Points that a logarithmic y axis cannot show are gaps.
DrawnSeries drawSeries(const PreparedSeries& series, const ChartView& view, bool log_x, bool log_y);

// Thread: GUI.
class ChartModel : public QObject {
    Q_OBJECT
public:
    // The store and the workers must outlive it. Several charts may share both.
    ChartModel(RunStore& store, Background& workers, QObject* parent = nullptr);

    void setSeries(std::vector<SeriesSpec> specs);
    void setVisible(const QString& key, bool visible);
    void setOptions(const ChartOptions& options);
    const ChartOptions& options() const { return options_; }
    const std::vector<SeriesSpec>& specs() const { return specs_; }

    // Reads again what may have changed when the database changes; otherwise only when asked. Off for charts
    // that nobody sees.
    void setLive(bool live);

    // Never null. In the order of the specs.
    const Prepared& series() const { return prepared_; }
    // Range of x over all prepared series, hidden ones included; nullopt without any point.
    std::optional<std::pair<double, double>> extent() const;
    // Along which axis that is; behind options().x until the curves are read along a new one.
    XAxis preparedAxis() const { return prepared_options_.x; }
    // How far the curves go along it, whatever is filtered; 0 without two points.
    double length() const;
    // Asks for the picture of a view; drawn() follows with the newest view that was asked for.
    void requestView(const ChartView& view);

    // Nothing is being read, prepared or drawn.
    bool idle() const { return !reading_ && !preparing_ && !drawing_; }
    QString error() const { return error_; }

Q_SIGNALS:
    void prepared();
    void drawn(const seedbed::ui::DrawnChart& chart);
    void failed(const QString& text);

private:
    using CurveKey = std::pair<RunId, std::string>;
    void load(bool again, bool only_news = false);
    void rest(std::chrono::steady_clock::duration after);
    void prepare();
    void storeChanged();
    static bool sameNumbers(const ChartOptions& a, const ChartOptions& b);
    static bool sameCurves(const std::vector<LoadedCurve>& a, const std::vector<LoadedCurve>& b);

    RunStore& store_;
    Background& workers_;
    std::vector<SeriesSpec> specs_;
    ChartOptions options_;
    std::map<CurveKey, LoadedCurve> curves_;
    XAxis curves_axis_ = XAxis::steps;
    // How far a run was when its curve was read. One that has ended since has said more: its last evaluation.
    struct Progress {
        std::int64_t steps = 0;
        bool live = false;
        bool operator==(const Progress&) const = default;
    };
    std::map<CurveKey, Progress> progress_;
    Prepared prepared_;
    ChartOptions prepared_options_;
    std::optional<ChartView> view_;
    QString error_;
    bool live_ = true;
    bool stale_ = false;  // something changed while it was being read
    bool reading_ = false, resting_ = false, preparing_ = false, drawing_ = false;
    int rest_ = 0;  // counts rests, so that only the newest one ends
};

}  // namespace seedbed::ui
