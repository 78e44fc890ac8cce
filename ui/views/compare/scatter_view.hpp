// SPDX-License-Identifier: GPL-3.0-or-later
// Scatter plot of a setting against a metric, one point per run.
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
    std::size_t group = 0;  // index into CompareData::groups
    QString x_text;
    double x = 0, y = 0;
};

class ScatterView : public QWidget {
    Q_OBJECT
public:
    ScatterView(RunStore& store, const Theme& theme, QWidget* parent = nullptr);

    // styles: style number per group key.
    void setData(std::shared_ptr<const CompareData> data, const std::map<QString, int>& styles);
    void choose(const QString& field, const QString& metric);
    const std::vector<ScatterPoint>& points() const { return points_; }
    // Saves the plot with a title as PNG or, by extension, SVG. Returns false if the file cannot be written.
    bool savePicture(const QString& file);
    // Number of runs without the setting or without a value yet.
    int leftOut() const { return left_out_; }
    // Tooltip at a position in the plot; "" if it has no point or legend entry.
    QString textAt(QPointF at) const;
    QString nameOf(RunId id) const;

Q_SIGNALS:
    void runRequested(seedbed::RunId run);
    // Emitted when a picture was written to this file or writing has failed.
    void saved(const QString& file, bool done);

protected:
    void showEvent(QShowEvent* event) override;

private:
    const ScatterPoint* pointAt(QPointF at) const;
    void readValues();
    void fill(const std::map<RunId, double>& values);
    QLayout* makeControls();
    void connectParts();
    void styleAxes();
    void fitAxes();
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
    bool chosen_ = false;  // the user selected the setting; otherwise the first one that differs is shown
    bool stale_ = false;   // values have not been read because the view is hidden
    int left_out_ = 0;
    QComboBox *field_, *metric_;
    QCheckBox *log_x_, *as_table_;
    QStackedWidget* stack_;
    QCustomPlot* plot_;
    QTableWidget* table_;
    QPushButton* save_;
    QLabel* note_;
};

// The compared environments and runs for titles and file names: "cartpole · runs 4, 5, 6".
QString subjectOf(const CompareData& data);

}  // namespace seedbed::ui
