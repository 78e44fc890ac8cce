// SPDX-License-Identifier: GPL-3.0-or-later
// The data of a chart: curves of runs, filtered, grouped and smoothed over all points on worker threads, and
// reduced to pixel columns for each view. Visibility, colours and zoom never change the numbers.
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
#include "ui/models/charts/chart_pipeline.hpp"
#include "ui/models/charts/curve_loader.hpp"
#include "ui/models/run_store.hpp"

namespace seedbed::ui {

// Thread: GUI.
class ChartModel : public QObject {
    Q_OBJECT
public:
    // The store and the workers must outlive the model. Several charts may share them.
    ChartModel(RunStore& store, Background& workers, QObject* parent = nullptr);

    void setSeries(std::vector<SeriesSpec> specs);
    // Shows these curves, which are not those of runs, instead of setSeries().
    void setCurves(std::vector<PreparedSeries> series);
    void setVisible(const QString& key, bool visible);
    void setOptions(const ChartOptions& options);
    const ChartOptions& options() const { return options_; }
    const std::vector<SeriesSpec>& specs() const { return specs_; }

    // Whether to reload when the database changes; off for hidden charts.
    void setLive(bool live);

    // The prepared series in the order of specs(). Never null.
    const Prepared& series() const { return prepared_; }
    // Range of x over all prepared series, including hidden ones; nullopt if there are no points.
    std::optional<std::pair<double, double>> extent() const;
    // The axis of extent() and length(); differs from options().x until curves along a new axis are read.
    XAxis preparedAxis() const { return prepared_options_.x; }
    // Length of the unfiltered curves along that axis; 0 with fewer than two points.
    double length() const;
    // Requests the reduced series of a view. Later emits drawn() for the latest requested view.
    void requestView(const ChartView& view);

    // True if no data is being read, prepared or reduced.
    bool idle() const { return !reading_ && !preparing_ && !drawing_; }
    QString error() const { return error_; }

Q_SIGNALS:
    void prepared();
    void drawn(const seedbed::ui::DrawnChart& chart);
    void failed(const QString& text);

private:
    using CurveKey = std::pair<RunId, std::string>;
    void load(bool again, bool only_news = false);
    void pauseReads(std::chrono::steady_clock::duration duration);
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
    // Progress of a run when its curve was read. A run that has ended since then has one more evaluation.
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
    bool given_ = false;  // the curves are not those of runs
    bool live_ = true;
    bool stale_ = false;  // the database changed during a read
    bool reading_ = false, reads_paused_ = false, preparing_ = false, drawing_ = false;
    int pause_number_ = 0;  // number of the latest pause; timers of earlier pauses are ignored
};

}  // namespace seedbed::ui
