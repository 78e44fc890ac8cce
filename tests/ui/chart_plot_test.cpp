// SPDX-License-Identifier: Apache-2.0
// Tests the plot of a chart and its controls: cached images are never outdated, and a typed x range applies
// to the plot, the table and saved files.
#include <algorithm>

#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include "tests/ui/page_fixture.hpp"
#include "ui/models/charts/chart_table_model.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/charts/axis_marks.hpp"
#include "ui/views/charts/chart_controls.hpp"
#include "ui/views/charts/chart_legend.hpp"
#include "ui/views/charts/chart_picture.hpp"
#include "ui/views/charts/chart_widget.hpp"

namespace seedbed::testing {
namespace {

using namespace ui;  // NOLINT(google-build-using-namespace): a test of one namespace

class ChartPlotTest : public PageTest {
protected:
    // Groups of two seeds.
    std::vector<SeriesSpec> groups(int count) {
        std::vector<SeriesSpec> specs;
        for (int g = 0; g < count; ++g) {
            SeriesSpec spec;
            spec.key = spec.label = QString::number(g);
            spec.metric = "episode/return";
            spec.style = g;
            for (unsigned seed = 1; seed <= 2; ++seed)
                spec.runs.push_back(makeRun(
                    {.seed = seed, .points = 120, .returns = learning(100 + 20 * g, 0.02, 10 * seed + g)}));
            specs.push_back(spec);
        }
        return specs;
    }
    static void wait(ChartModel& model, std::size_t series) {
        ASSERT_TRUE(waitFor([&] { return model.idle() && model.series()->size() == series; }));
        settle(100);
    }
    static QImage picture(ChartPlot& plot) { return plot.grab().toImage(); }
    // Turns the wheel; returns whether the plot used the event.
    static bool wheel(ChartPlot& plot, int notches, Qt::KeyboardModifiers held = Qt::ControlModifier) {
        const QPointF at = plot.rect().center();
        QWheelEvent event(at, plot.mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt::NoButton, held,
                          Qt::NoScrollPhase, false);
        event.ignore();
        QCoreApplication::sendEvent(&plot, &event);
        return event.isAccepted();
    }

    Background workers{QStringLiteral("test"), 2};
};

TEST_F(ChartPlotTest, AfterZoomingHidingAndResizingThePictureEqualsANewOne) {
    for (const int count : {2, 7}) {  // drawn by QPainter (2 series) and by CurveRaster (7)
        const std::vector<SeriesSpec> specs = groups(count);
        ChartModel model(store(), workers);
        ChartPlot plot(model, theme);
        plot.resize(600, 400);
        plot.show();
        model.setSeries(specs);
        wait(model, specs.size());
        const QImage before = picture(plot);
        wheel(plot, 3);
        wait(model, specs.size());
        const QImage zoomed = picture(plot);
        EXPECT_NE(zoomed, before);
        model.setVisible(specs[0].key, false);
        wait(model, specs.size());
        EXPECT_NE(picture(plot), zoomed);
        model.setVisible(specs[0].key, true);
        plot.resize(500, 300);
        wait(model, specs.size());
        plot.resize(600, 400);
        wait(model, specs.size());
        EXPECT_EQ(picture(plot), zoomed);
        plot.showAll();
        wait(model, specs.size());
        EXPECT_EQ(picture(plot), before);
        // A new widget draws the same chart.
        ChartPlot other(model, theme);
        other.resize(600, 400);
        other.show();
        other.showAll();
        wait(model, specs.size());
        EXPECT_EQ(picture(other), before);
        theme.setMode(Theme::Mode::dark);
        settle(100);
        EXPECT_NE(picture(plot), before);
        theme.setMode(Theme::Mode::light);
        settle(100);
        EXPECT_EQ(picture(plot), before);
    }
}

TEST_F(ChartPlotTest, LevelsAreInTheRangeAndInThePicture) {
    ChartModel model(store(), workers);
    ChartPlot plot(model, theme);
    plot.resize(600, 400);
    plot.show();
    model.setSeries(groups(1));
    wait(model, 1);
    const double highest = plot.yAxis->range().upper;
    const QImage before = picture(plot);
    plot.setLevels({{-20, QStringLiteral("random play -20")}, {2 * highest, QStringLiteral("goal"), true}});
    settle(100);
    EXPECT_GT(plot.yAxis->range().upper, 2 * highest);
    EXPECT_LT(plot.yAxis->range().lower, -20);
    const QImage shown = picture(plot);
    const int goal = qRound(plot.yAxis->coordToPixel(2 * highest) * shown.devicePixelRatio());
    // The edges of the line are blended with the background, which is at least twice as far off.
    const QColor wanted = theme.good();
    int off = 765;
    for (int x = 100; x < 130; ++x)  // longer than a dash and a gap
        for (int y = goal - 1; y <= goal + 1; ++y) {
            const QColor at = shown.pixelColor(x, y);
            off = std::min(off, std::abs(at.red() - wanted.red()) + std::abs(at.green() - wanted.green()) +
                                    std::abs(at.blue() - wanted.blue()));
        }
    EXPECT_LT(off, 265) << "a line in the colour of success";
    ChartOptions options = model.options();
    options.log_y = true;
    model.setOptions(options);
    wait(model, 1);
    EXPECT_GT(plot.yAxis->range().lower, 0) << "a level below zero has no place on a logarithmic axis";
    options.log_y = false;
    model.setOptions(options);
    plot.setLevels({});
    wait(model, 1);
    EXPECT_EQ(picture(plot), before);
}

TEST_F(ChartPlotTest, ATypedRangeAppliesToPictureTableAndFiles) {
    const RunId run = makeRun({.points = 300});
    ChartWidget chart(services(), workers, QStringLiteral("return"));
    chart.resize(700, 500);
    ChartControls controls(nullptr, QStringLiteral("x"), true);
    QObject::connect(&controls, &ChartControls::changed, &chart,
                     [&](const ChartOptions& options) { chart.model().setOptions(options); });
    chart.model().setOptions(controls.options());
    chart.model().setSeries({{.key = QStringLiteral("a"),
                              .label = QStringLiteral("a"),
                              .runs = {run},
                              .metric = "episode/return"}});
    chart.show();
    controls.setVisible(true);
    wait(chart.model(), 1);
    const auto edits = controls.findChildren<QLineEdit*>();
    ASSERT_EQ(edits.size(), 2);
    const auto type = [&](int which, const QString& text) {
        edits[which]->setText(text);
        Q_EMIT edits[which]->editingFinished();
        wait(chart.model(), 1);
    };
    const auto points = [&] { return (*chart.model().series())[0].raw->curve().size(); };
    EXPECT_EQ(points(), 300U);
    type(0, QStringLiteral("6.4k"));
    type(1, QStringLiteral("12800"));
    // 64 steps per point: from the 100th to the 200th point.
    EXPECT_EQ(points(), 101U);
    EXPECT_EQ(chart.model().extent(), std::make_pair(6400.0, 12800.0));
    const double air = 0.02 * 6400;  // margin for the markers of the first and last point
    EXPECT_EQ((*chart.model().series())[0].raw->statistics().first, 109);
    EXPECT_NEAR(chart.plot().xAxis->range().lower, 6400, air);
    // Smoothing uses only these points.
    EXPECT_EQ((*chart.model().series())[0].line->curve().y.front(), 109);
    const QTemporaryDir to;
    const QString file = to.filePath(QStringLiteral("points.csv"));
    must(chart.exportTo(file, ChartWidget::Format::csv));
    QFile csv(file);
    ASSERT_TRUE(csv.open(QIODevice::ReadOnly));
    const QByteArrayList lines = csv.readAll().trimmed().split('\n');
    EXPECT_EQ(lines.size(), 102);
    EXPECT_TRUE(lines[1].startsWith("a,episode/return,6400,6400,109,")) << lines[1].toStdString();
    // An invalid range changes nothing and is reported.
    for (const QString& bad : {QStringLiteral("many"), QStringLiteral("20k")}) {
        type(0, bad);
        EXPECT_EQ(points(), 101U) << bad.toStdString();
        EXPECT_TRUE(edits[0]->accessibleDescription().contains(QStringLiteral("was not changed")));
    }
    type(0, QString());
    EXPECT_EQ(points(), 200U);
    EXPECT_FALSE(edits[0]->accessibleDescription().contains(QStringLiteral("was not changed")));
    // Selecting another axis clears the range.
    controls.findChild<QComboBox*>()->setCurrentIndex(static_cast<int>(XAxis::updates));
    wait(chart.model(), 1);
    EXPECT_EQ(points(), 300U);
    EXPECT_TRUE(edits[1]->text().isEmpty());
}

TEST_F(ChartPlotTest, OnTimeAxesAFilteredTableStillHasSteps) {
    const RunId run = makeRun({.points = 40});
    ChartModel model(store(), workers);
    ChartOptions options;
    options.x = XAxis::updates;
    options.filter = {11, 20};
    model.setOptions(options);
    model.setSeries({{.key = QStringLiteral("a"), .runs = {run}, .metric = "episode/return"}});
    wait(model, 1);
    ChartTableModel table;
    table.setSeries(model.series(), XAxis::updates);
    ASSERT_EQ(table.rowCount(), 10);
    EXPECT_EQ(table.data(table.index(0, ChartTableModel::kStep), Qt::DisplayRole).toString(), countText(704));
    EXPECT_EQ(table.data(table.index(9, ChartTableModel::kStep), Qt::DisplayRole).toString(),
              countText(1280));
}

TEST_F(ChartPlotTest, APictureFileDescribesItsContents) {
    const std::vector<SeriesSpec> specs = groups(2);
    ChartWidget chart(services(), workers, QStringLiteral("return of <two> groups"));
    chart.resize(700, 500);
    ChartOptions options;
    options.smoothing = {Smoothing::gaussian, 1400};
    chart.model().setOptions(options);
    chart.model().setSeries(specs);
    chart.show();
    wait(chart.model(), 2);
    const QTemporaryDir to;
    must(chart.exportTo(to.filePath(QStringLiteral("a.svg")), ChartWidget::Format::svg));
    must(chart.exportTo(to.filePath(QStringLiteral("a.pdf")), ChartWidget::Format::pdf));
    QFile pdf(to.filePath(QStringLiteral("a.pdf")));
    ASSERT_TRUE(pdf.open(QIODevice::ReadOnly));
    const QByteArray page = pdf.readAll();
    EXPECT_TRUE(page.startsWith("%PDF"));
    static const QRegularExpression size(QStringLiteral(R"(/MediaBox \[0 0 900(\.0+)? 525(\.0+)?\])"));
    EXPECT_TRUE(size.match(QString::fromLatin1(page)).hasMatch()) << "1200 x 700 pixels at 96 per inch";
    QFile svg(to.filePath(QStringLiteral("a.svg")));
    ASSERT_TRUE(svg.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(svg.readAll());
    for (const char* said : {"return of &lt;two&gt; groups", "0 (n=2)", "1 (n=2)", "bootstrap", "Gaussian"})
        EXPECT_TRUE(text.contains(QLatin1String(said))) << said;
    EXPECT_FALSE(text.contains(QString::fromStdString(folder().string())))
        << "contains a path of this machine";
    must(chart.exportTo(to.filePath(QStringLiteral("a.png")), ChartWidget::Format::png));
    const QImage whole(to.filePath(QStringLiteral("a.png")));
    // A hidden series appears in neither the curves nor the legend.
    chart.model().setVisible(specs[1].key, false);
    wait(chart.model(), 2);
    must(chart.exportTo(to.filePath(QStringLiteral("a.png")), ChartWidget::Format::png));
    const QImage half(to.filePath(QStringLiteral("a.png")));
    EXPECT_EQ(half.size(), whole.size());
    EXPECT_NE(half.copy(0, half.height() - 120, half.width(), 120),
              whole.copy(0, whole.height() - 120, whole.width(), 120));
}

TEST_F(ChartPlotTest, LongTextsAreWrittenByAWorkerAndFailuresAreReported) {
    const RunId run = makeRun({.points = 50});
    ChartWidget chart(services(), workers, QStringLiteral("return"));
    chart.model().setSeries({{.key = QStringLiteral("a"),
                              .label = QStringLiteral("a"),
                              .runs = {run},
                              .metric = "episode/return"}});
    chart.show();
    wait(chart.model(), 1);
    const QTemporaryDir to;
    for (const auto& [name, format] :
         {std::pair{"a.csv", ChartWidget::Format::csv}, std::pair{"a.md", ChartWidget::Format::markdown}}) {
        navigator.status.clear();
        const QString file = to.filePath(QLatin1String(name));
        chart.save(file, format);
        EXPECT_TRUE(navigator.status.isEmpty()) << "save() waited for the file";
        ASSERT_TRUE(waitFor([&] { return navigator.status.contains(file); }));
        EXPECT_GT(QFileInfo(file).size(), 100);
    }
    chart.save(QStringLiteral("/nonexistent/a.csv"), ChartWidget::Format::csv);
    ASSERT_TRUE(waitFor([&] { return navigator.problem.contains(QStringLiteral("cannot be written")); }));
}

TEST_F(ChartPlotTest, ALogarithmicAxisBeginsAtTheFirstPositivePoint) {
    const RunId run = makeRun({.points = 40});
    ChartModel model(store(), workers);
    ChartPlot plot(model, theme);
    plot.resize(400, 300);
    plot.show();
    ChartOptions options;
    options.log_x = true;
    options.x = XAxis::wall_time;
    model.setOptions(options);
    model.setSeries({{.key = QStringLiteral("a"), .runs = {run}, .metric = "episode/return"}});
    wait(model, 1);
    const std::vector<double>& x = (*model.series())[0].raw->curve().x;
    const auto least = std::upper_bound(x.begin(), x.end(), 0.0);
    if (least != x.end()) {
        EXPECT_LE(plot.xAxis->range().lower, *least);
        EXPECT_GT(plot.xAxis->range().lower, 0.8 * *least) << "leaves too much space for the marker";
    } else {
        EXPECT_NEAR(plot.xAxis->range().lower, 1, 0.2);
    }
    EXPECT_GT(plot.xAxis->range().upper, plot.xAxis->range().lower);
}

TEST_F(ChartPlotTest, ALogarithmicValueAxisAlwaysHasLabels) {
    ChartModel model(store(), workers);
    ChartPlot plot(model, theme);
    plot.resize(400, 300);
    plot.show();
    ChartOptions options;
    options.log_y = true;
    model.setOptions(options);
    for (const auto& [low, high] :
         {std::pair{30.0, 520.0}, {90.0, 480.0}, {470.0, 505.0}, {0.002, 0.03}, {1.0, 1e6}, {18.0, 2100.0}}) {
        const double returns_low = low, returns_high = high;
        const RunId run =
            makeRun({.seed = static_cast<std::uint64_t>(high), .points = 40, .returns = [=](int i) {
                         return returns_low + (returns_high - returns_low) * i / 39.0;
                     }});
        store().refresh();
        ASSERT_TRUE(waitFor([&] { return store().find(run) != nullptr; }));
        model.setSeries({{.key = QString::number(run), .runs = {run}, .metric = "episode/return"}});
        wait(model, 1);
        settle();
        plot.replot();
        int labels = 0;
        const QVector<double> ticks = plot.yAxis->tickVector();
        const QVector<QString> texts = plot.yAxis->tickVectorLabels();
        for (qsizetype i = 0; i < ticks.size(); ++i)
            labels += plot.yAxis->range().contains(ticks[i]) && !texts[i].isEmpty();
        EXPECT_GE(labels, 2) << low << " to " << high;
        EXPECT_LE(labels, 12) << low << " to " << high;
        EXPECT_EQ(QSet<QString>(texts.begin(), texts.end()).size(), texts.size())
            << "some labels are equal: " << QStringList(texts).join(QLatin1Char(' ')).toStdString();
    }
}

TEST_F(ChartPlotTest, TheWheelScrollsThePageUnlessFocusedAndZoomStaysInTheData) {
    QScrollArea area;
    auto* inner = new QWidget(&area);
    inner->setFixedSize(380, 2000);
    const RunId run = makeRun({.points = 300});
    ChartModel model(store(), workers);
    ChartPlot plot(model, theme, inner);
    plot.setGeometry(0, 0, 380, 300);
    auto* elsewhere = new QLineEdit(inner);
    elsewhere->move(0, 320);
    area.setWidget(inner);
    area.resize(400, 400);
    area.show();
    model.setSeries({{.key = QStringLiteral("a"), .runs = {run}, .metric = "episode/return"}});
    wait(model, 1);
    const QCPRange whole = plot.xAxis->range(), values = plot.yAxis->range();
    area.activateWindow();
    elsewhere->setFocus();
    ASSERT_TRUE(waitFor([&] { return elsewhere->hasFocus(); }));
    // Qt propagates only real wheel events to parents, so this is tested in two parts.
    EXPECT_FALSE(wheel(plot, -3, Qt::NoModifier));
    EXPECT_FALSE(plot.testAttribute(Qt::WA_NoMousePropagation));
    EXPECT_EQ(plot.xAxis->range(), whole);
    EXPECT_FALSE(plot.zoomed());
    // Zooming out stops at the limits of the data.
    EXPECT_TRUE(wheel(plot, -10));
    EXPECT_EQ(plot.xAxis->range(), whole);
    EXPECT_FALSE(plot.zoomed()) << "a plot that shows all data follows new points";
    EXPECT_TRUE(wheel(plot, 5));
    EXPECT_LT(plot.xAxis->range().size(), whole.size());
    EXPECT_TRUE(plot.zoomed());
    for (int i = 0; i < 40; ++i) wheel(plot, 3, Qt::ShiftModifier);  // to the left
    EXPECT_EQ(plot.xAxis->range().lower, whole.lower);
    for (int i = 0; i < 200; ++i) wheel(plot, 3);
    EXPECT_GT(plot.xAxis->range().size(), 1e-7 * whole.size());
    for (int i = 0; i < 200; ++i) wheel(plot, -3);
    EXPECT_EQ(plot.xAxis->range(), whole);
    EXPECT_FALSE(plot.zoomed());
    // The same for the y axis.
    for (int i = 0; i < 20; ++i) wheel(plot, -3, Qt::ControlModifier | Qt::ShiftModifier);
    wait(model, 1);
    EXPECT_EQ(plot.yAxis->range(), values);
    EXPECT_FALSE(plot.zoomed());
    // When the plot has the focus, the wheel zooms without a modifier key.
    area.activateWindow();
    plot.setFocus();
    ASSERT_TRUE(waitFor([&] { return plot.hasFocus(); }));
    EXPECT_TRUE(wheel(plot, 5, Qt::NoModifier));
    EXPECT_TRUE(plot.zoomed());
    QTest::mouseDClick(&plot, Qt::LeftButton, Qt::NoModifier, plot.rect().center());
    EXPECT_EQ(plot.xAxis->range(), whole);
    EXPECT_FALSE(plot.zoomed());
}

TEST_F(ChartPlotTest, RoundingNoiseOfAConstantIsDrawnAsAConstant) {
    const RunId run = makeRun({.points = 60, .returns = [](int i) { return 200 + (i % 3) * 3e-14; }});
    const RunId below = makeRun({.points = 60, .returns = [](int i) { return -5.0 - i; }});
    ChartWidget chart(services(), workers, QStringLiteral("length"));
    chart.resize(500, 300);
    chart.model().setSeries({{.key = QStringLiteral("a"),
                              .label = QStringLiteral("a"),
                              .runs = {run},
                              .metric = "episode/return"}});
    chart.show();
    wait(chart.model(), 1);
    EXPECT_GT(chart.plot().yAxis->range().size(), 1);
    // A constant far below 1 is not drawn as 0.
    const RunId rate = makeRun({.points = 60, .returns = [](int) { return 3e-4; }});
    chart.model().setSeries({{.key = QStringLiteral("c"),
                              .label = QStringLiteral("c"),
                              .runs = {rate},
                              .metric = "episode/return"}});
    wait(chart.model(), 1);
    ASSERT_TRUE(waitFor([&] { return chart.plot().yAxis->range().upper < 1; }));
    EXPECT_GT(chart.plot().yAxis->range().lower, 2e-4);
    EXPECT_LT(chart.plot().yAxis->range().upper, 4e-4);
    // A plot without values for a logarithmic axis shows an explanation.
    ChartOptions options;
    options.log_y = true;
    chart.model().setOptions(options);
    chart.model().setSeries({{.key = QStringLiteral("b"),
                              .label = QStringLiteral("b"),
                              .runs = {below},
                              .metric = "episode/return"}});
    ASSERT_TRUE(waitFor([&] {
        for (const QLabel* label : chart.plot().findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(QStringLiteral("none is positive"))) return true;
        return false;
    }));
}

TEST_F(ChartPlotTest, TheNearestMarkOfEachKindIsShownOnce) {
    const RunId run = makeRun({.points = 300});
    ChartModel model(store(), workers);
    ChartPlot plot(model, theme);
    plot.resize(300, 200);
    plot.show();
    model.setSeries({{.key = QStringLiteral("a"),
                      .label = QStringLiteral("a"),
                      .runs = {run},
                      .metric = "episode/return"}});
    wait(model, 1);
    using Kind = ChartMark::Kind;
    plot.setMarks({{Kind::evaluation, 9000, QStringLiteral("evaluated: 7")},
                   {Kind::evaluation, 9010, QStringLiteral("evaluated: 8")},
                   {Kind::evaluation, 9020, QStringLiteral("evaluated: 8")},
                   {Kind::checkpoint, 9010, QStringLiteral("saved")}});
    plot.moveCrosshair(9010);
    const QString text = plot.findChild<QLabel*>()->text();
    EXPECT_EQ(text.count(QStringLiteral("evaluated")), 1) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("evaluated: 8"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("saved")));
}

TEST_F(ChartPlotTest, FilesAndTheirNamesContainTheRun) {
    const RunId run = makeRun({.points = 30});
    ChartWidget chart(services(), workers, QStringLiteral("Speed (steps/s)"));
    chart.setSubject(QStringLiteral("cartpole · run 7 · lr=5e-3 · seed 3"));
    EXPECT_EQ(chart.fileName(), QStringLiteral("cartpole-run-7-lr=5e-3-seed-3-Speed-steps-s"));
    chart.model().setSeries({{.key = QStringLiteral("a"),
                              .label = QStringLiteral("a"),
                              .runs = {run},
                              .metric = "episode/return"}});
    chart.show();
    wait(chart.model(), 1);
    const QTemporaryDir to;
    for (const auto& [name, format] :
         {std::pair{"a.svg", ChartWidget::Format::svg}, std::pair{"a.md", ChartWidget::Format::markdown}}) {
        must(chart.exportTo(to.filePath(QLatin1String(name)), format));
        QFile file(to.filePath(QLatin1String(name)));
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        EXPECT_TRUE(text.contains(QStringLiteral("Speed (steps/s) · cartpole · run 7 · lr=5e-3 · seed 3")))
            << text.left(300).toStdString();
    }
    // Long names are shortened in the middle.
    chart.setSubject(QString(200, QLatin1Char('x')) + QStringLiteral(" seed 9"));
    EXPECT_LE(chart.fileName().size(), 80);
    EXPECT_TRUE(chart.fileName().endsWith(QStringLiteral("seed-9-Speed-steps-s")));
}

TEST_F(ChartPlotTest, ALegendOfOneVisibleLineIsOmittedIfTheTitleNamesIt) {
    const RunId run = makeRun({.points = 30});
    ChartWidget chart(services(), workers, QStringLiteral("Entropy"));
    chart.setLegendInTitle(true);
    chart.model().setSeries({{.key = QStringLiteral("a"),
                              .label = QStringLiteral("a"),
                              .runs = {run},
                              .metric = "episode/return"}});
    chart.show();
    wait(chart.model(), 1);
    auto* legend = chart.findChild<ChartLegend*>();
    EXPECT_FALSE(legend->isVisible());
    chart.model().setVisible(QStringLiteral("a"), false);
    wait(chart.model(), 1);
    EXPECT_TRUE(legend->isVisible()) << "the legend is needed to show the curve again";
    chart.setLegendInTitle(false);
    chart.model().setVisible(QStringLiteral("a"), true);
    wait(chart.model(), 1);
    EXPECT_TRUE(legend->isVisible());
}

TEST_F(ChartPlotTest, TheCrosshairShowsValuesOfTheCurrentDrawing) {
    const std::vector<SeriesSpec> specs = groups(2);
    ChartModel model(store(), workers);
    ChartPlot plot(model, theme);
    plot.resize(500, 300);
    plot.show();
    model.setSeries(specs);
    wait(model, 2);
    plot.moveCrosshair(3000);
    const auto* readout = plot.findChild<QLabel*>();
    ASSERT_EQ(readout->text().count(QStringLiteral("n=2")), 2);
    const auto point = plot.pointAt(
        {plot.xAxis->coordToPixel(3008), plot.yAxis->coordToPixel((*model.series())[1].line->curve().y[46])});
    ASSERT_TRUE(point);
    model.setSeries({specs[0]});
    wait(model, 1);
    EXPECT_EQ(readout->text().count(QStringLiteral("n=2")), 1);
    // A point that was found earlier still refers to its chart.
    EXPECT_EQ((*point->chart)[point->series].spec.key, specs[1].key);
}

TEST_F(ChartPlotTest, AChartOfSizeZeroIsDrawnOnceResized) {
    static QStringList said;
    said.clear();
    ChartWidget chart(services(), workers, QStringLiteral("return"));
    const auto before = qInstallMessageHandler(
        [](QtMsgType, const QMessageLogContext&, const QString& text) { said << text; });
    chart.resize(600, 400);
    chart.model().setSeries(groups(2));
    chart.show();
    wait(chart.model(), 2);
    const QImage whole = picture(chart.plot());
    for (const QSize size : {QSize(600, 0), QSize(0, 0), QSize(0, 300)}) {
        chart.plot().setMinimumSize(0, 0);
        chart.plot().resize(size);
        chart.plot().setMarks({{ChartMark::Kind::resume, 100, QStringLiteral("resumed")}});
        chart.model().setVisible(QStringLiteral("0"), false);
        chart.model().setVisible(QStringLiteral("0"), true);
        wait(chart.model(), 2);
        QCoreApplication::sendEvent(&chart.plot(), std::make_unique<QEvent>(QEvent::Leave).get());
    }
    chart.plot().setMarks({});
    chart.resize(601, 400);
    chart.resize(600, 400);
    chart.plot().resize(whole.size() / whole.devicePixelRatio());
    settle(200);
    qInstallMessageHandler(before);
    said.removeIf([](const QString& text) {
        return text.startsWith(QStringLiteral("This plugin does not support"));
    });  // a warning of the offscreen plugin
    EXPECT_TRUE(said.isEmpty()) << said.join(QLatin1Char('\n')).toStdString();
    EXPECT_EQ(picture(chart.plot()), whole);
}

TEST_F(ChartPlotTest, TheLegendStatesTheCoverageOfABandOverFewRuns) {
    ChartWidget chart(services(), workers, QStringLiteral("return"));
    auto specs = groups(1);
    specs.push_back({.key = QStringLiteral("one"),
                     .label = QStringLiteral("one"),
                     .runs = {specs[0].runs[0]},
                     .metric = "episode/return"});
    chart.model().setSeries(specs);
    chart.show();
    wait(chart.model(), 2);
    const auto* legend = chart.findChild<ChartLegend*>();
    const QString band = legend->item(0)->toolTip();
    EXPECT_TRUE(band.contains(QStringLiteral("over 2 run"))) << band.toStdString();
    EXPECT_TRUE(band.contains(QStringLiteral("about 50 of 100 cases"))) << band.toStdString();
    EXPECT_EQ(legend->item(1)->toolTip(), QStringLiteral("one")) << "a single run has no band to explain";
    EXPECT_TRUE(chartDescription(chart.model()).contains(QStringLiteral("too narrow")))
        << "saved pictures describe it too";
}

TEST_F(ChartPlotTest, NarrowControlsTakeMoreLinesAndKeepTheirSizes) {
    ChartControls controls(nullptr, QStringLiteral("x"), true);
    controls.setVisible(true);
    const auto* slider = controls.findChild<QSlider*>();
    for (const int width : {1400, 700, 420}) {
        controls.resize(width, controls.heightForWidth(width));
        settle(30);
        EXPECT_GE(slider->width(), 100) << width;
        for (const QWidget* child : controls.findChildren<QWidget*>()) {
            if (!child->isVisible() || child->parentWidget() == nullptr ||
                qobject_cast<const QLineEdit*>(child->parentWidget()) != nullptr)
                continue;
            const QRect place(child->mapTo(&controls, QPoint()), child->size());
            EXPECT_TRUE(controls.rect().contains(place)) << width << ": " << child->metaObject()->className();
        }
    }
    EXPECT_GT(controls.heightForWidth(420), controls.heightForWidth(1400));
}

}  // namespace
}  // namespace seedbed::testing
