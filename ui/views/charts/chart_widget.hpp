// SPDX-License-Identifier: GPL-3.0-or-later
// A complete chart: title, menu, plot or table, legend, export to files, and links from a point to the run
// and the agent at that step.
#pragma once

#include <QWidget>

#include "ui/views/charts/chart_plot.hpp"
#include "ui/views/services.hpp"
#include "ui/views/style/card.hpp"

class QHBoxLayout;
class QLabel;
class QMenu;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace seedbed::ui {

class ChartLegend;
class ChartTableModel;

class ChartWidget : public Card {
    Q_OBJECT
public:
    enum class Format : std::uint8_t { png, svg, pdf, csv, markdown };

    // `workers` must outlive the widget.
    ChartWidget(const Services& services, Background& workers, const QString& title,
                QWidget* parent = nullptr);

    ChartModel& model() { return *model_; }
    ChartPlot& plot() { return *plot_; }
    QString title() const { return title_; }
    void setTitle(const QString& title);
    // The subject of the curves (environment, run and seed, or groups); added to the title in files and to
    // file names.
    void setSubject(const QString& subject) { subject_ = subject; }
    // on: the title identifies the only series, so no legend is shown.
    void setLegendInTitle(bool on);
    // false: something else on the page names the curves, so no legend is shown.
    void setLegendShown(bool shown);
    // Shows these controls in place of the title, which files keep.
    void setHead(QWidget* controls);
    // Pages may insert actions above those of the chart.
    QMenu* menu() { return menu_; }
    void showTable(bool table);
    bool showsTable() const;

    // Saves to a file as the menu does; tables are written by a worker. Reports the result to the navigator.
    void save(const QString& file, Format format);
    // Like save(), but returns after the file is written. error: the file cannot be written.
    Result<> exportTo(const QString& file, Format format);
    // Title with subject, and the default file name without extension.
    QString wholeTitle() const;
    QString fileName() const;
    // A description for screen readers.
    QString summary() const;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void makeMenu();
    void connectParts();
    void prepared();
    void askForFile(Format format);
    void saved(const QString& file, const Result<>& written);
    void showPointMenu(const NearPoint& point, const QPoint& global);

    Services services_;
    Background& workers_;
    QString title_, subject_;
    ChartModel* model_;
    ChartPlot* plot_;
    ChartTableModel* table_model_;
    QHBoxLayout* head_;
    QLabel* title_label_;
    QLabel* note_;  // shown over an empty plot; explains why it is empty
    QToolButton* menu_button_;
    QMenu* menu_;
    QAction* table_action_;
    QStackedWidget* stack_;
    QTableView* table_;
    ChartLegend* legend_;
};

}  // namespace seedbed::ui
