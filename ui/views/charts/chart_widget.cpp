// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/charts/chart_widget.hpp"

#include <algorithm>
#include <cmath>

#include <QBuffer>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPageSize>
#include <QPdfWriter>
#include <QStackedWidget>
#include <QSvgGenerator>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/models/charts/chart_table_model.hpp"
#include "ui/models/run_table_model.hpp"
#include "ui/models/run_title.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/models/text/write_file.hpp"
#include "ui/views/charts/chart_legend.hpp"
#include "ui/views/charts/chart_picture.hpp"
#include "ui/views/dashboard/dashboard_link.hpp"
#include "ui/views/file_dialog.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"
#include "ui/views/watch/watch_link.hpp"

namespace seedbed::ui {
namespace {

constexpr QSize kFileSize{1200, 700};

Result<> writeText(const QString& file, ChartWidget::Format format, const QString& title,
                   const std::vector<PreparedSeries>& series, XAxis axis) {
    if (format == ChartWidget::Format::csv) return writeFile(file, chartCsv(series, axis).toUtf8());
    return writeFile(file, (QStringLiteral("**%1**\n\n").arg(title) + chartMarkdown(series, axis)).toUtf8());
}

}  // namespace

ChartWidget::ChartWidget(const Services& services, Background& workers, const QString& title, QWidget* parent)
    : Card(parent), services_(services), workers_(workers), title_(title) {
    model_ = new ChartModel(*services.runs, workers, this);
    model_->setLive(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 8, 10, 12);
    column->setSpacing(2);
    head_ = new QHBoxLayout();
    title_label_ = new QLabel(title, this);
    title_label_->setFont(textFont(TextSize::body, QFont::DemiBold));
    title_label_->setTextFormat(Qt::PlainText);
    title_label_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    head_->addWidget(title_label_, 1);
    menu_button_ = new QToolButton(this);
    menu_button_->setText(QStringLiteral("⋮"));
    menu_button_->setAutoRaise(true);
    menu_button_->setPopupMode(QToolButton::InstantPopup);
    head_->addWidget(menu_button_);
    column->addLayout(head_);

    makeMenu();
    stack_ = new QStackedWidget(this);
    plot_ = new ChartPlot(*model_, *services.theme, stack_);
    stack_->addWidget(plot_);
    table_model_ = new ChartTableModel(this);
    table_ = new QTableView(stack_);
    table_->setModel(table_model_);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setAlternatingRowColors(true);
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    stack_->addWidget(table_);
    column->addWidget(stack_, 1);
    note_ = new QLabel(plot_);
    note_->setAlignment(Qt::AlignCenter);
    note_->setWordWrap(true);
    note_->setAttribute(Qt::WA_TransparentForMouseEvents);
    auto* over = new QVBoxLayout(plot_);
    over->addWidget(note_, 0, Qt::AlignCenter);
    legend_ = new ChartLegend(*model_, *services.theme, this);
    column->addWidget(legend_);

    connectParts();
    setTitle(title);
    prepared();
}

void ChartWidget::makeMenu() {
    menu_ = new QMenu(this);
    table_action_ = menu_->addAction(tr("Show as &table"));
    table_action_->setCheckable(true);
    menu_->addAction(tr("Show &all"), this, [this] { plot_->showAll(); });
    menu_->addSeparator();
    menu_->addAction(tr("Save as &PNG…"), this, [this] { askForFile(Format::png); });
    menu_->addAction(tr("Save as &SVG…"), this, [this] { askForFile(Format::svg); });
    menu_->addAction(tr("Save as PD&F…"), this, [this] { askForFile(Format::pdf); });
    menu_->addAction(tr("Save all points as &CSV…"), this, [this] { askForFile(Format::csv); });
    menu_->addAction(tr("Save statistics as &Markdown…"), this, [this] { askForFile(Format::markdown); });
    menu_button_->setMenu(menu_);
}

void ChartWidget::connectParts() {
    connect(table_action_, &QAction::toggled, this, &ChartWidget::showTable);
    connect(model_, &ChartModel::prepared, this, &ChartWidget::prepared);
    connect(model_, &ChartModel::failed, this, [this](const QString& text) {
        note_->setText(text);
        note_->show();
    });
    connect(plot_, &ChartPlot::pointClicked, this, &ChartWidget::showPointMenu);
    connect(plot_, &ChartPlot::crosshairMoved, this,
            [this](const QString& text) { plot_->setAccessibleDescription(text); });
}

void ChartWidget::setTitle(const QString& title) {
    title_ = title;
    title_label_->setText(title);
    title_label_->setToolTip(title);
    plot_->setAccessibleName(tr("Chart: %1").arg(title));
    table_->setAccessibleName(tr("Table of the chart: %1").arg(title));
    legend_->setAccessibleName(tr("Legend: %1").arg(title));
    menu_button_->setAccessibleName(tr("Menu of the chart: %1").arg(title));
    menu_button_->setToolTip(menu_button_->accessibleName());
}

void ChartWidget::showTable(bool table) {
    table_action_->setChecked(table);
    if (table) table_model_->setSeries(model_->series(), model_->options().x);
    stack_->setCurrentWidget(table ? static_cast<QWidget*>(table_) : plot_);
}

void ChartWidget::setLegendInTitle(bool on) { legend_->setShownForOne(!on); }

void ChartWidget::setLegendShown(bool shown) { legend_->setShown(shown); }

void ChartWidget::setHead(QWidget* controls) {
    title_label_->hide();
    head_->insertWidget(0, controls, 1);
}

QString ChartWidget::wholeTitle() const {
    return subject_.isEmpty() ? title_ : QStringLiteral("%1 · %2").arg(title_, subject_);
}

QString ChartWidget::fileName() const {
    return fileNameOf(subject_.isEmpty() ? title_ : QStringLiteral("%1 %2").arg(subject_, title_));
}

bool ChartWidget::showsTable() const { return stack_->currentWidget() == table_; }

QString ChartWidget::summary() const { return accessibleSummary(*model_->series(), model_->options().x); }

void ChartWidget::prepared() {
    const auto& series = *model_->series();
    const bool any = std::any_of(series.begin(), series.end(),
                                 [](const PreparedSeries& one) { return one.raw->statistics().points > 0; });
    const bool gaps = std::any_of(series.begin(), series.end(),
                                  [](const PreparedSeries& one) { return one.raw->statistics().gaps > 0; });
    const bool positive = std::any_of(series.begin(), series.end(), [](const PreparedSeries& one) {
        return one.raw->statistics().max > 0;
    });
    const bool beyond = any && model_->options().log_y && !positive;
    note_->setVisible(!any || beyond);
    if (beyond) note_->setText(tr("A logarithmic axis cannot show these values: none is positive"));
    if (!any)
        note_->setText(series.empty() ? tr("No runs selected")
                       : gaps         ? tr("All values are NaN (not a number)")
                                      : tr("No values yet"));
    plot_->setAccessibleDescription(summary());
    if (showsTable()) table_model_->setSeries(model_->series(), model_->options().x);
}

void ChartWidget::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    model_->setLive(true);
}
void ChartWidget::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    model_->setLive(false);
}

void ChartWidget::askForFile(Format format) {
    static constexpr std::array<const char*, 5> kEndings{"png", "svg", "pdf", "csv", "md"};
    const QString ending = QLatin1String(kEndings[static_cast<std::size_t>(format)]);
    const auto prepare = [&](QFileDialog& dialog) {
        dialog.setAcceptMode(QFileDialog::AcceptSave);
        dialog.setNameFilter(QStringLiteral("*.") + ending);
        dialog.setDefaultSuffix(ending);
        dialog.selectFile(fileName() + QLatin1Char('.') + ending);
    };
    ui::askForFile(this, tr("Save chart"), prepare,
                   [this, format](const QString& file) { save(file, format); });
}

void ChartWidget::saved(const QString& file, const Result<>& written) {
    if (services_.navigator == nullptr) return;
    if (written) services_.navigator->showStatus(tr("Saved %1").arg(file));
    else services_.navigator->showProblem(QString::fromStdString(written.error().text()));
}

void ChartWidget::save(const QString& file, Format format) {
    if (format != Format::csv && format != Format::markdown) return saved(file, exportTo(file, format));
    workers_.run(
        this, QString(),
        [file, format, title = wholeTitle(), series = model_->series(), axis = model_->options().x](
            const std::stop_token&) { return writeText(file, format, title, *series, axis); },
        [this, file](const Result<>& written) { saved(file, written); });
}

Result<> ChartWidget::exportTo(const QString& file, Format format) {
    switch (format) {
        case Format::png: {
            QImage image(kFileSize * 2, QImage::Format_RGB32);
            image.setDevicePixelRatio(2);
            paintChart(image, kFileSize, wholeTitle(), *plot_, *model_, *services_.theme);
            QByteArray bytes;
            QBuffer buffer(&bytes);
            if (!buffer.open(QIODevice::WriteOnly) || !image.save(&buffer, "PNG"))
                return fail("the picture cannot be created");
            return writeFile(file, bytes);
        }
        case Format::svg: {
            QByteArray bytes;
            QBuffer buffer(&bytes);
            QSvgGenerator generator;
            generator.setOutputDevice(&buffer);
            generator.setSize(kFileSize);
            generator.setViewBox(QRect(QPoint(), kFileSize));
            generator.setTitle(wholeTitle());
            generator.setDescription(summary());
            paintChart(generator, kFileSize, wholeTitle(), *plot_, *model_, *services_.theme);
            return writeFile(file, bytes);
        }
        case Format::pdf: {
            QByteArray bytes;
            QBuffer buffer(&bytes);
            if (!buffer.open(QIODevice::WriteOnly)) return fail("the picture cannot be created");
            {
                QPdfWriter writer(&buffer);
                // At 96 pixels per inch, so that a pixel is three quarters of a point.
                writer.setPageSize(QPageSize(QSizeF(kFileSize) * 0.75, QPageSize::Point));
                writer.setPageMargins(QMarginsF());
                writer.setResolution(96);
                writer.setTitle(wholeTitle());
                paintChart(writer, kFileSize, wholeTitle(), *plot_, *model_, *services_.theme);
            }
            return writeFile(file, bytes);
        }
        case Format::csv:
        case Format::markdown:
            return writeText(file, format, wholeTitle(), *model_->series(), model_->options().x);
    }
    return fail("unknown format");
}

// Opens a menu at the point, with links to the run and to the agent at that step.
void ChartWidget::showPointMenu(const NearPoint& point, const QPoint& global) {
    const PreparedSeries& series = (*point.chart)[point.series];
    if (series.runs.empty()) return;
    const RunId run = series.runs[point.run].run;
    const RunRecord* record = services_.runs->find(run);
    const QString name = record == nullptr ? QString::number(run) : runTitle(*record);
    auto* offer = new QMenu(this);
    offer->setAttribute(Qt::WA_DeleteOnClose);
    offer->addSection(
        tr("%1, step %2: %3")
            .arg(name.left(60), countText(static_cast<std::int64_t>(point.step)), shortNumber(point.y)));
    QAction* watch = offer->addAction(tr("Watch the agent at this step"));
    watch->setEnabled(false);
    offer->addAction(tr("Show this run"), this,
                     [this, run] { services_.navigator->open(DashboardLink{run}); });
    services_.runs->read(
        offer, QString(), [run](StoreReader& reader) { return reader.checkpoints(run); },
        [this, watch, run, step = point.step](const Result<std::vector<CheckpointRecord>>& checkpoints) {
            const CheckpointRecord* nearest = nullptr;
            const std::vector<CheckpointRecord> all = checkpoints.value_or(std::vector<CheckpointRecord>());
            for (const CheckpointRecord& checkpoint : all) {
                const double off = std::abs(static_cast<double>(checkpoint.step) - step);
                if (!checkpoint.removed &&
                    (nearest == nullptr || off < std::abs(static_cast<double>(nearest->step) - step)))
                    nearest = &checkpoint;
            }
            if (nearest == nullptr) {
                watch->setText(ChartWidget::tr("Watch the agent at this step (no checkpoint is stored)"));
                return;
            }
            watch->setText(ChartWidget::tr("Watch the agent at this step (checkpoint at step %1)")
                               .arg(countText(nearest->step)));
            watch->setEnabled(true);
            QObject::connect(watch, &QAction::triggered, this, [this, run, at = nearest->step] {
                services_.navigator->open(WatchLink{run, at});
            });
        });
    offer->popup(global);
}

}  // namespace seedbed::ui
