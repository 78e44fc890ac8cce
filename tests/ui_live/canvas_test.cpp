// SPDX-License-Identifier: Apache-2.0
// Pictures of the canvas in Vulkan on a real X server, its loss, and the page that contains it.
#include <QAction>
#include <QPaintEvent>
#include <QPixmap>
#include <QScreen>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QWindow>

#include <gtest/gtest.h>

#include "tests/ui/program_fixture.hpp"
#include "ui/views/watch/paint_canvas.hpp"
#include "ui/views/watch/scene_grid.hpp"
#include "ui/views/watch/watch_link.hpp"
#include "ui/views/watch/watch_page.hpp"

namespace seedbed::ui {
namespace {

QStringList* g_messages = nullptr;  // of the validation layer

void onMessage(QtMsgType, const QMessageLogContext&, const QString& text) {
    fprintf(stderr, "%s\n", qPrintable(text));
    if (text.contains(QLatin1String("vkDebug")) || text.contains(QLatin1String("VUID"))) *g_messages << text;
}

bool isPainter(const SceneGrid& grid) { return dynamic_cast<const PaintCanvas*>(grid.canvas()) != nullptr; }

// The pixels on the screen, including native windows inside the widget.
QImage onScreen(const QWidget& widget) {
    const QRect place(widget.mapToGlobal(QPoint()), widget.size());
    return widget.screen()->grabWindow(0, place.x(), place.y(), place.width(), place.height()).toImage();
}

bool near(const QColor& a, const QColor& b) {
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) < 12;
}

class CanvasTest : public ProgramTest {
protected:
    CanvasTest() {
        g_messages = &messages_;
        before_ = qInstallMessageHandler(onMessage);
        theme_.setMode(Theme::Mode::dark);
    }
    ~CanvasTest() override {
        qInstallMessageHandler(before_);
        EXPECT_EQ(messages_.join(QLatin1Char('\n')).toStdString(), "") << "messages of the validation layer";
    }
    static void keep(const QWidget& widget, const char* name) {
        const QByteArray folder = qgetenv("SEEDBED_SCREENSHOTS");
        if (!folder.isEmpty()) onScreen(widget).save(QString::fromLocal8Bit(folder + '/' + name + ".png"));
    }

    QStringList messages_;
    QtMessageHandler before_ = nullptr;
};

// Red above left, a blue circle in the middle, a green triangle below right.
Scene knownScene() {
    Scene scene;
    scene.clear(0, 0, 10, 10, {20, 20, 30, 255});
    scene.rectangle(2, 8, 2, 2, {255, 0, 0, 255});
    scene.circle(5, 5, 1.5F, {0, 0, 255, 255});
    scene.polygon({7, 1, 9, 1, 9, 4}, {0, 255, 0, 255});
    scene.line(1, 1, 4, 1, 0.5F, {255, 255, 0, 255});
    scene.label(5, 9, 0.8F, "score 7", {255, 255, 255, 255});
    return scene;
}

// Left half red, right half blue.
Scene knownPicture() {
    Scene scene;
    scene.frame_width = scene.frame_height = 2;
    scene.frame = {255, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 255};
    return scene;
}

std::shared_ptr<PlayerFrame> frameOf(const std::vector<Scene>& scenes) {
    auto frame = std::make_shared<PlayerFrame>();
    for (const Scene& scene : scenes) frame->cells.emplace_back().scene = scene;
    return frame;
}

TEST_F(CanvasTest, KnownScenesHaveTheirColoursOnTheScreenAlsoAfterALoss) {
    SceneGrid grid(theme_);
    grid.resize(800, 430);
    grid.QWidget::show();
    grid.show(frameOf({knownScene(), knownPicture()}));
    if (isPainter(grid)) GTEST_SKIP() << "no X server, Vulkan device or module";
    // Colour at a point of an agent's picture, from its left and its top, 0 to 1.
    const auto at = [&](int agent, double x, double y) {
        const QRectF cell = grid.cellAt(agent).adjusted(0, 0, 0, -grid.fontMetrics().height() - 4);
        const double side = std::min(cell.width(), cell.height());
        const QPointF corner = cell.center() - QPointF(side, side) / 2;
        const QImage shown = onScreen(grid);
        return shown.pixelColor(((corner + QPointF(x, y) * side) * shown.devicePixelRatio()).toPoint());
    };
    const auto shown = [&] {
        return near(at(0, 0.2, 0.2), {255, 0, 0}) && near(at(0, 0.5, 0.5), {0, 0, 255}) &&
               near(at(0, 0.85, 0.82), {0, 255, 0}) && near(at(0, 0.25, 0.9), {255, 255, 0}) &&
               near(at(0, 0.5, 0.75), {20, 20, 30}) && near(at(1, 0.45, 0.5), {255, 0, 0}) &&
               near(at(1, 0.55, 0.5), {0, 0, 255});
    };
    EXPECT_TRUE(QTest::qWaitFor(shown, kTimeoutMs));
    keep(grid, "canvas-vulkan");
    grid.resize(820, 500);
    EXPECT_TRUE(QTest::qWaitFor(shown, kTimeoutMs)) << "after a change of size";
    grid.hide();
    grid.QWidget::show();
    EXPECT_TRUE(QTest::qWaitFor(shown, kTimeoutMs)) << "after hiding and showing";

    // Mouse events of the native window select agents.
    QSignalSpy wanted(&grid, &SceneGrid::focusRequested);
    const auto windows = grid.windowHandle()->findChildren<QWindow*>();
    ASSERT_EQ(windows.size(), 1);
    QTest::mouseClick(windows.front(), Qt::LeftButton, {}, grid.cellAt(1).center());
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_EQ(wanted[0][0].toInt(), 1);

    grid.canvas()->lose();
    EXPECT_TRUE(QTest::qWaitFor([&] { return isPainter(grid) && shown(); }, kTimeoutMs));
    keep(grid, "canvas-painter");
}

TEST_F(CanvasTest, ThePageInspectsAndKeepsItsPlayerWhenTheCanvasIsLost) {
    seedbed({QStringLiteral("train"), QStringLiteral("cartpole"), QStringLiteral("--steps"),
             QStringLiteral("3000"), QStringLiteral("--quiet"), QStringLiteral("--eval.final_episodes=5"),
             QStringLiteral("--network.core=lstm")});
    openStore();
    auto page = std::make_unique<WatchPage>(services_);
    page->resize(1100, 800);
    page->open(WatchLink{1});
    page->show();
    auto& grid = *page->findChild<SceneGrid*>();
    if (isPainter(grid)) GTEST_SKIP() << "no X server, Vulkan device or module";
    PlayerClient& client = page->client();
    ASSERT_TRUE(QTest::qWaitFor([&] { return client.frame() && client.frame()->row > 5; }, kTimeoutMs));
    client.ask(QStringLiteral("envs"), {{QStringLiteral("count"), 6}});
    auto* inspect = page->findChild<QAction*>(QStringLiteral("watch-inspect"));
    inspect->trigger();  // it is open at first
    EXPECT_EQ(client.inspection(), nullptr) << "only while it is requested";
    inspect->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return client.inspection() != nullptr; }, kTimeoutMs));
    page->findChild<QAction*>(QStringLiteral("watch-table"))->trigger();
    auto* table = page->findChild<QTableView*>(QStringLiteral("watch-inspected"));
    EXPECT_TRUE(table->isVisible());
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->model()->rowCount() > 60; }, kTimeoutMs))
        << "value, entropy, return, choices, inputs and the recurrent state";
    const std::uint64_t drawn = grid.canvas()->drawn();
    EXPECT_TRUE(QTest::qWaitFor([&] { return grid.canvas()->drawn() > drawn + 30; }, kTimeoutMs));
    keep(*page, "watch-vulkan");

    const qint64 process = client.about().process;
    grid.canvas()->lose();
    ASSERT_TRUE(QTest::qWaitFor([&] { return isPainter(grid); }, kTimeoutMs));
    const quint64 row = client.frame()->row;
    EXPECT_TRUE(QTest::qWaitFor([&] { return client.frame()->row > row + 3; }, kTimeoutMs));
    EXPECT_EQ(client.about().process, process);
    keep(*page, "watch-painter");
    inspect->trigger();
    EXPECT_FALSE(table->isVisible());
    EXPECT_EQ(client.inspection(), nullptr);
    page.reset();
}

// Keeps the region of the last paint event.
class PaintedRegion : public QObject {
public:
    QRegion region;

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint) region = static_cast<QPaintEvent*>(event)->region();
        return false;
    }
};

TEST_F(CanvasTest, ThePainterRepaintsOnlyWhatChanged) {
    Scene first = knownScene(), second = knownScene();
    second.circle(8, 8, 1, {255, 0, 255, 255});
    const auto picture = [](const Scene& scene, const QString& text, double end) {
        auto made = std::make_shared<CanvasPicture>();
        made->background = QColor(16, 20, 28);
        made->tiles = {{&scene, QRectF(10, 10, 150, 150)}};
        made->marks = {{.area = QRectF(300, 0, 20, 200), .colour = Qt::darkGreen},
                       {.kind = CanvasMark::Kind::text,
                        .area = QRectF(200, 20, 80, 20),
                        .colour = Qt::white,
                        .text = text},
                       {.kind = CanvasMark::Kind::line,
                        .colour = Qt::yellow,
                        .width = 3,
                        .points = {{200, 150}, {280, end}}}};
        return made;
    };
    PaintCanvas canvas(nullptr), whole(nullptr);
    PaintedRegion painted;
    canvas.installEventFilter(&painted);
    const auto show = [](PaintCanvas& on, std::shared_ptr<const CanvasPicture> made) {
        const std::uint64_t before = on.drawn();
        on.show(std::move(made));
        return QTest::qWaitFor([&] { return on.drawn() > before; }, kTimeoutMs);
    };
    for (PaintCanvas* each : {&canvas, &whole}) {
        each->resize(340, 200);
        each->QWidget::show();
    }
    whole.move(400, 0);
    ASSERT_TRUE(show(canvas, picture(first, QStringLiteral("before"), 120)));
    ASSERT_TRUE(show(canvas, picture(second, QStringLiteral("now"), 190)));
    for (const QPoint changed : {QPoint(100, 60), QPoint(210, 30), QPoint(270, 124), QPoint(270, 184)})
        EXPECT_TRUE(painted.region.contains(changed)) << changed.x() << ' ' << changed.y();
    for (const QPoint same : {QPoint(310, 100), QPoint(190, 100), QPoint(5, 5)})
        EXPECT_FALSE(painted.region.contains(same)) << same.x() << ' ' << same.y();
    ASSERT_TRUE(show(whole, picture(second, QStringLiteral("now"), 190)));
    EXPECT_EQ(onScreen(canvas), onScreen(whole)) << "nothing of the picture before remains";
}

}  // namespace
}  // namespace seedbed::ui
