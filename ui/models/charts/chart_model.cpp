// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and prepares the curves of a chart on worker threads.
#include "ui/models/charts/chart_model.hpp"

#include <algorithm>
#include <limits>

#include <QTimer>

namespace seedbed::ui {
namespace {

// After a read of duration t, a chart waits kPausePerRead * t before the next read, so that other charts can
// use the thread.
constexpr int kPausePerRead = 4;

struct Reading {
    std::vector<LoadedCurve> curves;
    std::chrono::steady_clock::duration duration{};
};

}  // namespace

ChartModel::ChartModel(RunStore& store, Background& workers, QObject* parent)
    : QObject(parent),
      store_(store),
      workers_(workers),
      prepared_(std::make_shared<const std::vector<PreparedSeries>>()) {
    connect(&store_, &RunStore::changed, this, &ChartModel::storeChanged);
    connect(&store_, &RunStore::runsChanged, this, &ChartModel::storeChanged);  // reloads because a run may
                                                                                // have ended
}

void ChartModel::setSeries(std::vector<SeriesSpec> specs) {
    if (specs == specs_) return;
    specs_ = std::move(specs);
    std::erase_if(curves_, [&](const auto& entry) {
        return std::none_of(specs_.begin(), specs_.end(), [&](const SeriesSpec& spec) {
            return spec.metric == entry.first.second &&
                   std::find(spec.runs.begin(), spec.runs.end(), entry.first.first) != spec.runs.end();
        });
    });
    load(false);
}

void ChartModel::setCurves(std::vector<PreparedSeries> series) {
    given_ = true;
    specs_.clear();
    for (PreparedSeries& one : series) {
        for (const PreparedSeries& before : *prepared_)
            if (before.spec.key == one.spec.key) one.spec.visible = before.spec.visible;
        specs_.push_back(one.spec);
    }
    prepared_ = std::make_shared<const std::vector<PreparedSeries>>(std::move(series));
    prepared_options_ = options_;
    Q_EMIT prepared();
    if (view_) requestView(*view_);
}

void ChartModel::setVisible(const QString& key, bool visible) {
    for (SeriesSpec& spec : specs_)
        if (spec.key == key) spec.visible = visible;
    // The data is unchanged, so only the options of the series are replaced.
    auto changed = std::make_shared<std::vector<PreparedSeries>>(*prepared_);
    for (PreparedSeries& series : *changed)
        if (series.spec.key == key) series.spec.visible = visible;
    prepared_ = std::move(changed);
    Q_EMIT prepared();
    if (view_) requestView(*view_);
}

void ChartModel::setOptions(const ChartOptions& options) {
    const bool other_axis = options.x != options_.x;
    options_ = options;
    if (other_axis) {
        view_.reset();
        load(true);
    } else {
        prepare();
    }
}

void ChartModel::setLive(bool live) {
    live_ = live;
    if (live_ && stale_) storeChanged();
}

void ChartModel::storeChanged() {
    if (!live_ || reading_ || reads_paused_) {
        stale_ = true;
        return;
    }
    load(false, true);
}

// Reads the curves that are missing or whose runs have progressed. `again`: reads all of them, for example
// after a change of the axis.
void ChartModel::load(bool again, bool only_news) {
    stale_ = false;
    if (given_) return;
    std::map<CurveKey, Progress> wanted;
    for (const SeriesSpec& spec : specs_)
        for (const RunId run : spec.runs) {
            const CurveKey key{run, spec.metric};
            const RunRecord* record = store_.find(run);
            const Progress now =
                record == nullptr ? Progress() : Progress{record->progress.steps, isLive(record->status)};
            const auto known = progress_.find(key);
            const bool grew = known == progress_.end() || known->second != now || now.live;
            if (again || grew || !curves_.contains(key) || curves_axis_ != options_.x)
                wanted.emplace(key, now);
        }
    if (wanted.empty()) {
        if (!only_news) prepare();
        return;
    }
    reading_ = true;
    store_.read(
        this, QStringLiteral("curves"),
        [wanted, axis = options_.x](StoreReader& reader) -> Result<Reading> {
            const auto started = std::chrono::steady_clock::now();
            Reading reading;
            for (const auto& [key, progress] : wanted) {
                SEEDBED_ASSIGN(LoadedCurve curve, loadCurve(reader, key.first, key.second, axis));
                reading.curves.push_back(std::move(curve));
            }
            reading.duration = std::chrono::steady_clock::now() - started;
            return reading;
        },
        [this, wanted, axis = options_.x](Result<Reading> reading) {
            reading_ = false;
            if (!reading) {
                error_ = QString::fromStdString(reading.error().text());
                stale_ = true;  // read again after the pause
                pauseReads(std::chrono::seconds(1));
                Q_EMIT failed(error_);
                return;
            }
            error_.clear();
            if (curves_axis_ != axis) curves_.clear();
            curves_axis_ = axis;
            for (LoadedCurve& curve : reading->curves) {
                const CurveKey key{curve.run, curve.metric};
                progress_[key] = wanted.at(key);
                // Unchanged curves keep their object, so nothing derived from them is recomputed.
                LoadedCurve& known = curves_[key];
                if (!known.curve || known.curve->curve() != curve.curve->curve()) known = std::move(curve);
            }
            std::chrono::steady_clock::duration pause = kPausePerRead * reading->duration;
            for (const auto& [key, progress] : wanted)
                if (const RunRecord* run = store_.find(key.first); run != nullptr)
                    pause = std::max<std::chrono::steady_clock::duration>(pause, readPause(*run));
            pauseReads(pause);
            prepare();
        });
}

// Delays reading by `duration`; changes during the delay are read together.
void ChartModel::pauseReads(std::chrono::steady_clock::duration duration) {
    reads_paused_ = true;
    QTimer::singleShot(std::chrono::duration_cast<std::chrono::milliseconds>(duration), this,
                       [this, number = ++pause_number_] {
                           if (number != pause_number_) return;
                           reads_paused_ = false;
                           if (stale_) storeChanged();
                       });
}

void ChartModel::prepare() {
    if (given_) return;
    // The curves along the new axis are still being read.
    if (curves_axis_ != options_.x && reading_) return;
    preparing_ = true;
    std::vector<std::vector<LoadedCurve>> runs(specs_.size());
    for (std::size_t s = 0; s < specs_.size(); ++s)
        for (const RunId run : specs_[s].runs) {
            const auto at = curves_.find({run, specs_[s].metric});
            if (at != curves_.end()) runs[s].push_back(at->second);
        }
    // A series with unchanged curves and options is reused.
    workers_.run(
        this, QStringLiteral("prepare"),
        [specs = specs_, runs = std::move(runs), options = options_, before = prepared_,
         before_options = prepared_options_](const std::stop_token& stop) -> Prepared {
            auto prepared = std::make_shared<std::vector<PreparedSeries>>();
            for (std::size_t s = 0; s < specs.size() && !stop.stop_requested(); ++s) {
                const auto known =
                    std::find_if(before->begin(), before->end(), [&](const PreparedSeries& series) {
                        return sameNumbers(options, before_options) && series.spec.key == specs[s].key &&
                               sameCurves(series.runs, runs[s]);
                    });
                if (known == before->end()) {
                    prepared->push_back(prepareSeries(specs[s], runs[s], options, stop));
                } else {
                    prepared->push_back(*known);
                    prepared->back().spec = specs[s];
                }
            }
            return prepared;
        },
        [this, options = options_](Prepared prepared_now) {
            preparing_ = false;
            prepared_ = std::move(prepared_now);
            prepared_options_ = options;
            // The visibility of series may have changed since the task was started.
            bool current = prepared_->size() == specs_.size();
            for (std::size_t s = 0; current && s < specs_.size(); ++s)
                current = (*prepared_)[s].spec.visible == specs_[s].visible;
            if (!current) {
                auto changed = std::make_shared<std::vector<PreparedSeries>>(*prepared_);
                for (PreparedSeries& series : *changed)
                    for (const SeriesSpec& spec : specs_)
                        if (spec.key == series.spec.key) series.spec.visible = spec.visible;
                prepared_ = std::move(changed);
            }
            Q_EMIT prepared();
            if (view_) requestView(*view_);
        });
}

bool ChartModel::sameNumbers(const ChartOptions& a, const ChartOptions& b) {
    return a.x == b.x && a.smoothing.kind == b.smoothing.kind && a.smoothing.amount == b.smoothing.amount &&
           a.filter == b.filter && a.bands == b.bands;
}

bool ChartModel::sameCurves(const std::vector<LoadedCurve>& a, const std::vector<LoadedCurve>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const LoadedCurve& x, const LoadedCurve& y) {
        return x.run == y.run && x.curve == y.curve;
    });
}

std::optional<std::pair<double, double>> ChartModel::extent() const {
    std::optional<std::pair<double, double>> extent;
    for (const PreparedSeries& series : *prepared_) {
        const CurveStatistics& s = series.raw->statistics();
        if (s.points == 0) continue;
        if (!extent) extent = {s.first_x, s.last_x};
        extent = {std::min(extent->first, s.first_x), std::max(extent->second, s.last_x)};
    }
    return extent;
}

double ChartModel::length() const {
    double first = std::numeric_limits<double>::infinity(), last = -first;
    for (const PreparedSeries& series : *prepared_)
        for (const LoadedCurve& run : series.runs)
            if (run.curve && run.curve->statistics().points > 0) {
                first = std::min(first, run.curve->statistics().first_x);
                last = std::max(last, run.curve->statistics().last_x);
            }
    return std::max(0.0, last - first);
}

void ChartModel::requestView(const ChartView& view) {
    view_ = view;
    drawing_ = true;
    workers_.run(
        this, QStringLiteral("draw"),
        [view, series = prepared_, options = options_](const std::stop_token& stop) {
            DrawnChart chart{series, view, {}};
            for (std::size_t i = 0; i < series->size() && !stop.stop_requested(); ++i) {
                if (!(*series)[i].spec.visible) continue;
                chart.drawn.push_back(drawSeries((*series)[i], view, options.log_x, options.log_y));
                chart.drawn.back().index = i;
            }
            return chart;
        },
        [this](const DrawnChart& chart) {
            drawing_ = false;
            Q_EMIT drawn(chart);
        });
}

}  // namespace seedbed::ui
