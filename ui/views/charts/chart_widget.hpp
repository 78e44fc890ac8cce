// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as pages use it: title, menu, picture or table, legend, exports, and the way from a point to the
// agent of that moment.
#pragma once

#include <QWidget>

#include "ui/views/charts/chart_plot.hpp"
#include "ui/views/services.hpp"

class QLabel;
class QMenu;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace seedbed::ui {

class ChartLegend;
class ChartTableModel;

class ChartWidget : public QWidget {
    Q_OBJECT
public:
    enum class Format : std::uint8_t { png, svg, csv, markdown };

    // The workers must live as long as the page.
    ChartWidget(const Services& services, Background& workers, const QString& title,
                QWidget* parent = nullptr);

    ChartModel& model() { return *model_; }
    ChartPlot& plot() { return *plot_; }
    QString title() const { return title_; }
    void setTitle(const QString& title);
    // What the curves are of: environment, run and seed, or the groups. Beside the title in files, and in
    // their names.
    void setSubject(const QString& subject) { subject_ = subject; }
    // The title says what the only line is.
    void setTitleIsLegend(bool on);
    // For actions of the page; they appear above the chart's own.
    QMenu* menu() { return menu_; }
    void showTable(bool table);
    bool showsTable() const;

    // As the menu's entries: texts of long curves are written by a worker. The navigator is told when it is
    // done, or why not.
    void save(const QString& file, Format format);
    // The same at once. error: the file cannot be written.
    Result<> exportTo(const QString& file, Format format);
    // Title and subject; and what a file of this chart is called by default, without its ending.
    QString wholeTitle() const;
    QString fileName() const;
    // What a screen reader says about the chart.
    QString summary() const;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void prepared();
    void askForFile(Format format);
    void saved(const QString& file, const Result<>& written);
    void offerMoment(const NearPoint& point, const QPoint& global);

    Services services_;
    Background& workers_;
    QString title_, subject_;
    ChartModel* model_;
    ChartPlot* plot_;
    ChartTableModel* table_model_;
    QLabel* title_label_;
    QLabel* note_;  // over the picture: why it is empty
    QToolButton* menu_button_;
    QMenu* menu_;
    QAction* table_action_;
    QStackedWidget* stack_;
    QTableView* table_;
    ChartLegend* legend_;
};

}  // namespace seedbed::ui
