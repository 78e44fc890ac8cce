// SPDX-License-Identifier: Apache-2.0
// The parts of the canvas without pictures: layout, zoom, input, the inspector's marks and the choice of the
// canvas. They need no Vulkan.
#include <algorithm>
#include <set>

#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <gtest/gtest.h>

#include "ui/models/charts/inspector_model.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"
#include "ui/views/watch/inspector_marks.hpp"
#include "ui/views/watch/scene_grid.hpp"
#include "ui/views/watch/tile_layout.hpp"

namespace seedbed::ui {
namespace {

TEST(TileLayout, OneTo64TilesFitWithoutOverlapAndAreFoundByTheirCentre) {
    const QRectF area(5, 7, 800, 500);
    for (int count = 1; count <= 64; ++count) {
        const TileLayout layout = layOutTiles(count, area, 1.5, 20);
        EXPECT_GE(layout.columns * layout.rows, count);
        for (int tile = 0; tile < count; ++tile) {
            EXPECT_TRUE(area.adjusted(-0.01, -0.01, 0.01, 0.01).contains(layout.tile(tile)));
            EXPECT_EQ(layout.at(layout.tile(tile).center()), tile);
        }
        if (layout.columns * layout.rows > count) {
            EXPECT_EQ(layout.at(layout.tile(count).center()), -1) << "an empty place";
        }
    }
    EXPECT_EQ(layOutTiles(4, area, 8, 20).columns, 1) << "wide pictures are below each other";
    EXPECT_EQ(layOutTiles(4, area, 0.2, 20).columns, 4) << "high ones side by side";
    EXPECT_EQ(layOutTiles(4, area, 1, 20).at({0, 0}), -1) << "outside";
}

TEST(CanvasView, ZoomKeepsThePointUnderThePointerAndAlwaysCoversTheArea) {
    const QRectF area(0, 0, 800, 500);
    CanvasView view;
    const QPointF pointer(600, 100), before = view.unmap(pointer, area);
    view.zoomBy(3, pointer, area);
    EXPECT_NEAR(view.unmap(pointer, area).x(), before.x(), 1e-9);
    EXPECT_NEAR(view.unmap(pointer, area).y(), before.y(), 1e-9);
    view.panBy({1e6, -1e6}, area);
    EXPECT_TRUE(view.map(area, area).contains(area)) << "limits of moving";
    EXPECT_EQ(view.offset, QPointF(0, -1000));
    view.zoomBy(1e9, pointer, area);
    EXPECT_EQ(view.zoom, CanvasView::kMaxZoom);
    view.zoomBy(1e-9, pointer, area);
    EXPECT_EQ(view, CanvasView()) << "everything is visible";
}

TEST(CanvasView, AMotionKeepsThePointUnderThePointerAndEnds) {
    const QRectF area(0, 0, 800, 500);
    const QPointF pointer(600, 100);
    CanvasView goal, view;
    goal.zoomBy(4, pointer, area);
    int steps = 0;
    while (view.approach(goal, 0.016) && ++steps < 100)
        EXPECT_LT((view.map(pointer, area) - pointer).manhattanLength(), 1e-6);
    EXPECT_EQ(view, goal);
    EXPECT_GT(steps, 5);
    EXPECT_LT(steps, 60) << "less than a second";
}

// Counts pictures instead of drawing them.
class FakeCanvas : public Canvas {
public:
    FakeCanvas(QWidget* parent, CanvasReports reports)
        : reports_(std::move(reports)), widget_(new QWidget(parent)) {
        newest = this;
    }
    ~FakeCanvas() override {
        delete widget_;
        newest = nullptr;
    }
    QWidget* widget() override { return widget_; }
    void show(std::shared_ptr<const CanvasPicture> shown) override {
        picture = std::move(shown);
        ++drawn_;
    }
    std::uint64_t drawn() const override { return drawn_; }
    void lose() override {
        const auto lost = reports_.lost;
        lost(QStringLiteral("test"));
    }
    void report(QEvent& event) { reports_.input(event); }

    static inline FakeCanvas* newest = nullptr;
    std::shared_ptr<const CanvasPicture> picture;

private:
    CanvasReports reports_;
    QWidget* widget_;
    std::uint64_t drawn_ = 0;
};

std::unique_ptr<Canvas> makeFake(QWidget* parent, CanvasReports reports) {
    return std::make_unique<FakeCanvas>(parent, std::move(reports));
}

std::shared_ptr<PlayerFrame> frameWith(std::size_t cells) {
    auto frame = std::make_shared<PlayerFrame>();
    frame->cells.resize(cells);
    for (PlayerCell& cell : frame->cells) cell.scene.clear(0, 0, 2, 1);
    return frame;
}

class SceneGridTest : public ::testing::Test {
protected:
    SceneGridTest() : grid_(theme_, nullptr, &makeFake) {
        grid_.resize(640, 480);
        grid_.QWidget::show();
        grid_.show(frameWith(12));
    }
    static void send(QEvent::Type type, const QPointF& at, Qt::MouseButton button, Qt::MouseButtons held) {
        QMouseEvent event(type, at, at, button, held, Qt::NoModifier);
        FakeCanvas::newest->report(event);
    }
    static void drag(const QPointF& from, const QPointF& to) {
        send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
        send(QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton);
        send(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton);
    }

    Theme theme_;
    SceneGrid grid_;
};

TEST_F(SceneGridTest, ClicksSelectAndDraggingMovesTheEnlargedPicture) {
    QSignalSpy wanted(&grid_, &SceneGrid::focusRequested);
    const QPointF centre = grid_.cellAt(7).center();
    drag(centre, centre);
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_EQ(wanted[0][0].toInt(), 7);

    QWheelEvent wheel(centre, centre, {}, {0, 480}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    FakeCanvas::newest->report(wheel);
    EXPECT_GT(grid_.zoom(), 1.5);
    const int width = grid_.cellAt(7).width();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return grid_.cellAt(7).contains(centre.toPoint()) && width > 0; }, 5000));
    const QRect before = grid_.cellAt(7);
    drag(centre, centre + QPointF(-40, 30));
    EXPECT_EQ(wanted.size(), 1) << "dragging selects nothing";
    EXPECT_NE(grid_.cellAt(7).topLeft(), before.topLeft());
    drag(grid_.cellAt(7).center(), grid_.cellAt(7).center());
    ASSERT_EQ(wanted.size(), 2);
    EXPECT_EQ(wanted[1][0].toInt(), 7) << "the tile where it is now";
    grid_.zoomBy(0);
    EXPECT_EQ(grid_.zoom(), 1);
}

TEST_F(SceneGridTest, OnlyVisibleTilesAreDrawnAndTheFocusAlone) {
    EXPECT_EQ(FakeCanvas::newest->picture->tiles.size(), 12U);
    grid_.setFocusOnly(true);
    EXPECT_EQ(FakeCanvas::newest->picture->tiles.size(), 1U);
    EXPECT_TRUE(grid_.cellAt(3).isEmpty());
    grid_.setFocusOnly(false);
    send(QEvent::MouseMove, grid_.cellAt(0).center(), Qt::NoButton, Qt::NoButton);
    const auto outlines = [&](const QColor& colour) {
        int count = 0;
        for (const CanvasMark& mark : FakeCanvas::newest->picture->marks)
            count += mark.kind == CanvasMark::Kind::outline && mark.colour == colour;
        return count;
    };
    send(QEvent::MouseMove, grid_.cellAt(5).center(), Qt::NoButton, Qt::NoButton);
    EXPECT_EQ(outlines(tokens().accent), 2) << "the focus and the one below the pointer";
}

TEST_F(SceneGridTest, CaptionsNameBranchesThePersonAndTheResultBefore) {
    const auto captions = [] {
        QStringList texts;
        for (const CanvasMark& mark : FakeCanvas::newest->picture->marks)
            if (mark.kind == CanvasMark::Kind::text) texts << mark.text;
        return texts.join(QStringLiteral("; ")).toStdString();
    };
    auto frame = frameWith(3);
    for (PlayerCell& cell : frame->cells) {
        cell.now.step = 7;
        cell.now.return_so_far = 7;
        cell.last_end = EpisodeMark::none;
    }
    frame->cells[0].last_end = EpisodeMark::terminated;
    frame->cells[0].last_return = 42;
    grid_.resize(900, 480);
    grid_.setRoles(1, {2});
    grid_.show(frame);
    EXPECT_EQ(captions(),
              "1 · step 7 · return 7 · last game 42; 2 · branch · step 7 · return 7; 3 · you · "
              "step 7 · return 7");
    grid_.setRoles(3, {});
    EXPECT_EQ(captions(), "1 · step 7 · return 7; 2 · step 7 · return 7; 3 · step 7 · return 7");
}

TEST_F(SceneGridTest, ALostCanvasIsReplaced) {
    FakeCanvas::newest->lose();
    EXPECT_EQ(FakeCanvas::newest, nullptr);
    ASSERT_NE(grid_.canvas(), nullptr);
    EXPECT_TRUE(QTest::qWaitFor([&] { return grid_.canvas()->drawn() > 0; }, 5000));
    EXPECT_FALSE(grid_.grab().toImage().isNull());
}

TEST_F(SceneGridTest, TheInspectorCoversNoTileAndItsNumbersAreInTheTable) {
    auto frame = frameWith(2);
    frame->focus = 1;
    for (int row = 0; row < 5; ++row) frame->trace.push_back({});
    for (PlayerRecord& record : frame->trace) record.value = static_cast<float>(record.row) + 1;
    PlayerRecord& now = frame->cells[1].now;
    now.value = 2.5F;
    now.action = {1};
    now.shown = {0.25F, 0.75F};
    TraceModel trace;
    ActionLeaf leaf;
    leaf.n = 2;
    leaf.labels = {"left", "right"};
    trace.setActions({leaf});
    trace.show(frame);
    Inspection inspection;
    inspection.env = 1;
    inspection.state_after = {-1, 0, 0.5F};
    inspection.leaves.resize(2);
    inspection.leaves[0].name = "obs";
    inspection.leaves[0].seen = {3, 4};
    inspection.leaves[0].of_action = {0.5F, -0.5F};
    inspection.leaves[1].name = "image";
    inspection.leaves[1].seen.assign(100, 0.5F);
    InspectorModel model(trace);
    model.show(std::make_shared<Inspection>(inspection));
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row)
        lines << model.index(row, 0).data().toString() + QStringLiteral(": ") +
                     model.index(row, 1).data().toString();
    EXPECT_EQ(
        lines.join(QStringLiteral("; ")).toStdString(),
        "Value: 2.5; Entropy: –; Return: 0; left: 0.25; right (chosen): 0.75; obs[0]: 3 (saliency +0.5); "
        "obs[1]: 4 (saliency −0.5); image: 100 numbers from 0.5 to 0.5; Memory 1: -1; Memory 2: 0; Memory 3: "
        "0.5");

    grid_.show(frame);
    grid_.setInspector(&model);
    const std::vector<CanvasMark>& marks = FakeCanvas::newest->picture->marks;
    for (const CanvasMark& mark : marks)
        if (mark.text == QLatin1String("right")) {
            EXPECT_GT(mark.area.left(), grid_.cellAt(1).right());
        }
    const auto shows = [&](const QString& text) {
        return std::any_of(marks.begin(), marks.end(),
                           [&](const CanvasMark& mark) { return mark.text == text; });
    };
    for (const char* text : {"Agent 2", "left", "0.75", "2.5"})
        EXPECT_TRUE(shows(QLatin1String(text))) << text;
    // Choices are shown in full before observations.
    bool shows_choices_only = false, counts_choices = false;
    for (int height = 60; height < 500; height += 5) {
        const auto low =
            inspectorMarks(model, QRectF(0, 0, 300, height), QFontMetricsF(grid_.font()), stageTokens());
        const auto has = [&](const char* text) {
            return std::any_of(low.begin(), low.end(), [&](const CanvasMark& mark) {
                return mark.text.startsWith(QLatin1String(text));
            });
        };
        EXPECT_TRUE(!has("Sees") || has("right")) << height;
        EXPECT_TRUE(!has("Sees") || has("Value")) << height;
        // Choices that do not fit are counted, not cut.
        EXPECT_EQ(has("left"), has("right")) << height;
        EXPECT_FALSE(has("left") && has("+2 more")) << height;
        counts_choices |= has("+2 more");
        shows_choices_only |= has("right") && !has("Sees");
    }
    EXPECT_TRUE(shows_choices_only);
    EXPECT_TRUE(counts_choices);
    inspection.agent = 1;
    model.show(std::make_shared<Inspection>(inspection));
    EXPECT_EQ(model.rowCount(), 5) << "the inspection of another agent is not shown";
    EXPECT_LT(inspectorMarks(model, {0, 0, 300, 60}, QFontMetricsF(grid_.font()), stageTokens()).size(), 6U)
        << "a low area";
}

TEST_F(SceneGridTest, AtTheEndOfAGameTheInspectorShowsTheSameInputs) {
    auto frame = frameWith(1);
    frame->cells[0].now.step = 0;
    frame->cells[0].now.shown = {0.25F, 0.75F};
    frame->cells[0].last_end = EpisodeMark::terminated;
    TraceModel trace;
    ActionLeaf leaf;
    leaf.n = 2;
    trace.setActions({leaf});
    Inspection inspection;
    inspection.leaves.resize(1);
    inspection.leaves[0].seen = {1, 2, 3, 4};
    InspectorModel model(trace);
    ObsLeaf numbers;
    numbers.kind = ObsLeaf::Kind::vector;
    numbers.shape = {4};
    numbers.labels = {"input 1", "input 2", "input 3", "input 4"};
    model.setObservations({numbers});
    const auto inputs = [&](bool has_ended, int height) {
        frame->paused = has_ended;
        trace.show(frame);
        model.show(std::make_shared<Inspection>(inspection));
        EXPECT_EQ(model.content().ended.isEmpty(), !has_ended);
        const auto marks =
            inspectorMarks(model, QRectF(0, 0, 300, height), QFontMetricsF(grid_.font()), stageTokens());
        return std::count_if(marks.begin(), marks.end(), [](const CanvasMark& mark) {
            return mark.text.startsWith(QStringLiteral("input"));
        });
    };
    std::set<std::ptrdiff_t> counts;
    for (int height = 100; height < 400; height += 5) {
        EXPECT_EQ(inputs(true, height), inputs(false, height)) << height;
        counts.insert(inputs(false, height));
    }
    EXPECT_EQ(counts.count(2), 1U) << "heights at which some inputs do not fit";
    EXPECT_EQ(*counts.rbegin(), 4);
}

}  // namespace
}  // namespace seedbed::ui
