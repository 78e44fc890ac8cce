// SPDX-License-Identifier: GPL-3.0-or-later
// Any setting against any metric: one point per run.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include <QWidget>

#include "ui/models/compare_data.hpp"
#include "ui/models/run_store.hpp"

class QCheckBox;
class QComboBox;
class QCustomPlot;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTableWidget;

namespace seedbed::ui {

class Theme;

// A run in the plot.
struct ScatterPoint {
    RunId run = 0;
    std::size_t group = 0;  // into CompareData::groups
    QString x_text;
    double x = 0, y = 0;
};

class ScatterView : public QWidget {
    Q_OBJECT
public:
    ScatterView(RunStore& store, const Theme& theme, QWidget* parent = nullptr);

    // styles: of each group, by key.
    void setData(std::shared_ptr<const CompareData> data, const std::map<QString, int>& styles);
    void choose(const QString& field, const QString& metric);
    const std::vector<ScatterPoint>& points() const { return points_; }
    // PNG, or SVG by its ending, with what it is of above it. Whether it could be written.
    bool savePicture(const QString& file);
    // Runs that have no such setting, or no such value yet.
    int leftOut() const { return left_out_; }
    // What a tooltip says at a place of the plot; "" where there is nothing.
    QString textAt(QPointF at) const;

Q_SIGNALS:
    void runWanted(seedbed::RunId run);
    // A picture was written to this file, or could not be.
    void saved(const QString& file, bool done);

protected:
    void showEvent(QShowEvent* event) override;

private:
    const ScatterPoint* pointAt(QPointF at) const;
    void ask();
    void fill(const std::map<RunId, double>& values);
    void restyle();
    void fillTable();
    void fillLegend();
    void askForFile();

    RunStore& store_;
    const Theme& theme_;
    std::shared_ptr<const CompareData> data_;
    std::map<QString, int> styles_;
    std::vector<ScatterPoint> points_;
    bool filling_ = false;
    bool chosen_ = false;  // the setting, by the user; else it is the first that differs
    bool stale_ = false;   // not asked for while nobody looks
    int left_out_ = 0;
    QComboBox *field_, *metric_;
    QCheckBox *log_x_, *as_table_;
    QStackedWidget* stack_;
    QCustomPlot* plot_;
    QTableWidget* table_;
    QPushButton* save_;
    QLabel* note_;
};

// The environments and runs that are compared, for titles of files: "cartpole · runs 4, 5, 6".
QString subjectOf(const CompareData& data);

}  // namespace seedbed::ui
