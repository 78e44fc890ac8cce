// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/watch/scene_grid.hpp"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QVBoxLayout>

#include "ui/models/charts/trace_model.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"
#include "ui/views/watch/inspector_marks.hpp"
#include "ui/views/watch/paint_canvas.hpp"
#include "ui/views/watch/scene_painter.hpp"

namespace seedbed::ui {
namespace {

constexpr int kGap = 6;
constexpr double kInspectorWidth = 300, kZoomStep = 1.2;
constexpr int kMotionInterval = 16;  // ms

}  // namespace

SceneGrid::SceneGrid(const Theme& theme, QWidget* parent, decltype(&makeCanvas) make)
    : QWidget(parent), make_(make), note_(new QLabel(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Agents"));
    setMouseTracking(true);
    note_->setAlignment(Qt::AlignCenter);
    note_->setWordWrap(true);
    note_->setMargin(24);
    note_->setAttribute(Qt::WA_TransparentForMouseEvents);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(note_);
    motion_.setInterval(kMotionInterval);
    connect(&motion_, &QTimer::timeout, this, &SceneGrid::moveView);
    connect(&theme, &Theme::changed, this, [this] {
        putOnStage();
        refresh();
    });
}

void SceneGrid::show(std::shared_ptr<const PlayerFrame> frame) {
    const bool fits = frame && frame_ && frame->cells.size() == frame_->cells.size();
    frame_ = std::move(frame);
    putOnStage();
    if (!fits) view_ = goal_ = {};
    refresh();
}

void SceneGrid::putOnStage() {
    staged_.reset();
    if (!frame_) return;
    auto staged = std::make_shared<Staged>(Staged{.frame = frame_, .scenes = {}});
    for (const PlayerCell& cell : frame_->cells)
        staged->scenes.push_back(isOnPaper(cell.scene) ? onStage(cell.scene, tokens().stage) : Scene());
    staged_ = std::move(staged);
}

const Scene& SceneGrid::sceneOf(int agent) const {
    const auto cell = static_cast<std::size_t>(agent);
    const Scene& own = frame_->cells[cell].scene;
    return isOnPaper(own) ? staged_->scenes[cell] : own;
}

void SceneGrid::setNote(const QString& text) { note_->setText(text); }

void SceneGrid::setFocusOnly(bool only) {
    if (std::exchange(focus_only_, only) == only) return;
    view_ = goal_ = {};
    refresh();
    Q_EMIT focusOnlyChanged(only);
}

void SceneGrid::setInspector(const InspectorModel* inspector) {
    inspector_ = inspector;
    refresh();
}

void SceneGrid::zoomBy(double factor) {
    if (factor == 0) goal_ = {};
    else goal_.zoomBy(factor, layout_.area.center(), layout_.area);
    moveView();
}

// A lost canvas is replaced by one that cannot be lost; the player is not affected.
CanvasReports SceneGrid::reports() {
    return {.input = [this](QEvent& event) { QCoreApplication::sendEvent(this, &event); },
            .lost =
                [this](const QString& reason) {
                    qWarning("The canvas was lost and is drawn without Vulkan: %s", qPrintable(reason));
                    useCanvas(std::make_unique<PaintCanvas>(this));
                }};
}

void SceneGrid::useCanvas(std::unique_ptr<Canvas> canvas) {
    canvas_ = std::move(canvas);
    layout()->addWidget(canvas_->widget());
    refresh();
}

QRectF SceneGrid::panelArea() const {
    if (inspector_ == nullptr) return {};
    const double wide = std::min(kInspectorWidth, width() / 2.0);
    return QRectF(width() - wide, 0, wide, height()).adjusted(kGap, kGap, -kGap, -kGap);
}

void SceneGrid::layOut() {
    const QRectF panel = panelArea();
    QRectF area(rect());
    if (!panel.isEmpty()) area.setRight(panel.left() - kGap);
    const int count = !frame_ ? 0 : focus_only_ ? 1 : static_cast<int>(frame_->cells.size());
    if (count == 0) {
        layout_ = {};
        return;
    }
    const QRectF unit = scenePlace(frame_->cells.front().scene, QRectF(0, 0, 1000, 1000));
    layout_ = layOutTiles(count, area, unit.width() / unit.height(), fontMetrics().height() + 4 + kGap);
    for (CanvasView* each : {&view_, &goal_}) each->limit(area);
}

void SceneGrid::moveView() {
    const double seconds = motion_.isActive() ? static_cast<double>(since_.restart()) / 1000 : 0;
    const bool animated = style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) > 0;
    if (!animated) view_ = goal_;
    if (!view_.approach(goal_, seconds)) motion_.stop();
    else if (!motion_.isActive()) {
        since_.start();
        motion_.start();
    }
    refresh();
}

QRect SceneGrid::cellAt(int agent) const {
    if (!frame_ || agent < 0 || static_cast<std::size_t>(agent) >= frame_->cells.size() ||
        (focus_only_ && agent != frame_->focus))
        return {};
    return view_.map(layout_.tile(focus_only_ ? 0 : agent), layout_.area)
        .toRect()
        .adjusted(kGap / 2, kGap / 2, -kGap / 2, -kGap / 2);
}

int SceneGrid::agentAt(const QPointF& point) const {
    if (!frame_ || !layout_.area.contains(point)) return -1;
    const int place = layout_.at(view_.unmap(point, layout_.area));
    return focus_only_ && place == 0 ? frame_->focus : place;
}

// Above a single picture is its caption, below others.
QRectF SceneGrid::pictureAt(int agent) const {
    const int caption = fontMetrics().height() + 4;
    const bool alone = frame_->cells.size() == 1 || focus_only_;
    return scenePlace(frame_->cells[static_cast<std::size_t>(agent)].scene,
                      cellAt(agent).adjusted(0, alone ? caption + 2 * kGap : 0, 0, alone ? -kGap : -caption));
}

void SceneGrid::setAreas(int agent, std::vector<QRectF> areas) {
    if (agent == areas_of_ && areas == areas_) return;
    areas_of_ = agent;
    areas_ = std::move(areas);
    const int number = underMouse() ? areaUnder(mapFromGlobal(QPointF(QCursor::pos()))) : -1;
    if (number == hovered_area_) refresh();
    else hoverArea(number);
}

QRectF SceneGrid::areaAt(std::size_t number) const {
    if (cellAt(areas_of_).isEmpty() || number >= areas_.size()) return {};
    const Scene& scene = frame_->cells[static_cast<std::size_t>(areas_of_)].scene;
    const QRectF place = pictureAt(areas_of_), &area = areas_[number];
    const double x = place.width() / static_cast<double>(scene.right - scene.left),
                 y = place.height() / static_cast<double>(scene.top - scene.bottom);
    return {place.left() + (area.left() - static_cast<double>(scene.left)) * x,
            place.bottom() - (area.bottom() - static_cast<double>(scene.bottom)) * y, area.width() * x,
            area.height() * y};
}

int SceneGrid::areaUnder(const QPointF& point) const {
    if (!layout_.area.contains(point)) return -1;
    for (std::size_t number = 0; number < areas_.size(); ++number)
        if (areaAt(number).contains(point)) return static_cast<int>(number);
    return -1;
}

void SceneGrid::hoverArea(int number) {
    if (std::exchange(hovered_area_, number) == number) return;
    if (number >= 0) setCursor(Qt::PointingHandCursor);
    else unsetCursor();
    refresh();
}

void SceneGrid::addCell(CanvasPicture& picture, int agent) const {
    const QRect area = cellAt(agent);
    if (area.isEmpty() || !layout_.area.intersects(area)) return;
    const PlayerCell& cell = frame_->cells[static_cast<std::size_t>(agent)];
    const int caption = fontMetrics().height() + 4;
    const bool alone = frame_->cells.size() == 1 || focus_only_;
    const QRectF place = pictureAt(agent);
    picture.tiles.push_back({&sceneOf(agent), place});
    const bool focus = agent == frame_->focus;
    if (!alone) {
        const QColor highlight = stageTokens().accent;
        picture.marks.push_back({.kind = CanvasMark::Kind::outline,
                                 .area = place.adjusted(-1, -1, 1, 1),
                                 .colour = focus || agent == hovered_ ? highlight : stageTokens().line,
                                 .width = focus ? 3.0 : 1.0});
    }
    if (agent == areas_of_ && hovered_area_ >= 0)
        picture.marks.push_back({.kind = CanvasMark::Kind::outline,
                                 .area = areaAt(static_cast<std::size_t>(hovered_area_)),
                                 .colour = stageTokens().accent,
                                 .width = 2});
    // Marks the end of an episode while its last state is shown.
    const bool over = !cell.now.decided || (cell.now.step == 0 && cell.last_end == EpisodeMark::terminated);
    // For games with several agents, shows the returns of all agents.
    QStringList returns;
    for (int each = 0; each < cell.agents(); ++each)
        returns << shortNumber(over ? cell.lastReturnOf(each) : cell.nowOf(each).return_so_far);
    const QString all = returns.join(QStringLiteral(" / "));
    // Next to branches, the result of the previous game stays for comparison.
    const bool has_branches = envs_ < static_cast<int>(frame_->cells.size());
    const QString reached =
        over || !has_branches || cell.last_end == EpisodeMark::none
            ? QString()
            : QStringLiteral(" · ") + tr("last game %1").arg(shortNumber(cell.last_return));
    const bool plays = std::find(persons_.begin(), persons_.end(), agent) != persons_.end();
    QStringList head;
    if (frame_->cells.size() > 1) head << QString::number(agent + 1);
    if (plays) head << tr("you");
    else if (agent >= envs_) head << tr("branch");
    const auto captioned = [&](const QString& end) {
        return (head + QStringList(end)).join(QStringLiteral(" · "));
    };
    // The longest one that fits.
    QString text;
    for (const QString& each :
         {captioned((over ? tr("episode %1 · return %2").arg(endText(cell.last_end), all)
                          : tr("step %1 · return %2").arg(countText(cell.now.step), all)) +
                    reached),
          captioned(tr("return %1").arg(all) + reached), captioned(tr("return %1").arg(all)),
          QStringLiteral("%1 · %2").arg(agent + 1).arg(all)}) {
        text = each;
        if (fontMetrics().horizontalAdvance(text) <= area.width()) break;
    }
    // Below the game, or in the corner if there is only one.
    QRectF at(area.left(), std::floor(place.bottom()) + 2, area.width(), caption);
    if (alone) {
        const double wide =
            std::min<double>(fontMetrics().horizontalAdvance(text) + 20, layout_.area.width());
        at = {layout_.area.right() - wide - kGap, layout_.area.top() + kGap, wide, caption + 2.0};
        picture.marks.push_back({.area = at,
                                 .colour = mixed(tokens().stage, stageTokens().text, 0.14),
                                 .radius = at.height() / 2});
    }
    picture.marks.push_back(
        {.kind = CanvasMark::Kind::text,
         .area = at,
         .colour = over ? stageTokens().warning : stageTokens().text,
         .text = fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(at.width())),
         .alignment = Qt::AlignHCenter});
}

void SceneGrid::setRoles(int envs, const std::vector<int>& persons) {
    if (envs == envs_ && persons == persons_) return;
    envs_ = envs;
    persons_ = persons;
    refresh();
}

void SceneGrid::refresh() {
    layOut();
    QPalette quiet = palette();
    quiet.setColor(QPalette::WindowText, stageTokens().muted);
    note_->setPalette(quiet);
    note_->setVisible(!frame_);
    if (!canvas_) return;
    canvas_->widget()->setVisible(frame_ != nullptr);
    if (!frame_) return update();
    auto picture = std::make_shared<CanvasPicture>();
    picture->owner = staged_;
    picture->background = tokens().stage;
    picture->font = font();
    for (int agent = 0; static_cast<std::size_t>(agent) < frame_->cells.size(); ++agent)
        addCell(*picture, agent);
    if (const QRectF panel = panelArea(); !panel.isEmpty()) {
        // Covers tiles that exceed their part of the canvas.
        picture->marks.push_back(
            {.area = QRectF(layout_.area.right(), 0, width() - layout_.area.right(), height()),
             .colour = picture->background});
        for (CanvasMark& mark : inspectorMarks(*inspector_, panel, QFontMetricsF(font()), stageTokens()))
            picture->marks.push_back(std::move(mark));
    }
    if (hasFocus() && shows_focus_)
        picture->marks.push_back({.kind = CanvasMark::Kind::outline,
                                  .area = QRectF(rect()).adjusted(1, 1, -1, -1),
                                  .colour = stageTokens().accent,
                                  .width = 2});
    canvas_->show(std::move(picture));
}

void SceneGrid::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!canvas_) useCanvas(make_(this, reports()));
}

// The stage while no canvas is visible.
void SceneGrid::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const qreal radius = on_card_ ? kCardRadius - 1 : 0;
    drawRounded(painter, QRectF(rect()).adjusted(0, 0, 0, radius), radius, tokens().stage);
    if (!hasFocus() || !shows_focus_) return;
    painter.setPen(QPen(stageTokens().accent, 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

void SceneGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    refresh();
}

void SceneGrid::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    shows_focus_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    refresh();
}

void SceneGrid::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    refresh();
}

void SceneGrid::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) refresh();
}

void SceneGrid::leaveEvent(QEvent*) {
    hoverArea(-1);
    if (std::exchange(hovered_, -1) != -1) refresh();
}

void SceneGrid::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    pressed_ = event->position();
    dragged_ = false;
}

void SceneGrid::mouseMoveEvent(QMouseEvent* event) {
    const QPointF moved = event->position() - pressed_;
    if (event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) {
        if (!dragged_ && moved.manhattanLength() < QApplication::startDragDistance()) return;
        dragged_ = true;
        pressed_ = event->position();
        goal_.panBy(moved, layout_.area);
        view_ = goal_;  // follows the pointer
        return refresh();
    }
    hoverArea(areaUnder(event->position()));
    const int agent = agentAt(event->position());
    if (std::exchange(hovered_, agent) != agent) refresh();
}

void SceneGrid::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || dragged_) return;
    if (const int area = areaUnder(event->position()); area >= 0)
        return Q_EMIT areaClicked(static_cast<std::size_t>(area));
    if (focus_only_) return;
    if (const int agent = agentAt(event->position()); agent >= 0) Q_EMIT focusRequested(agent);
}

void SceneGrid::mouseDoubleClickEvent(QMouseEvent* event) {
    if (areaUnder(event->position()) >= 0) return mousePressEvent(event);  // the second of two fast clicks
    dragged_ = true;  // the release that follows selects no agent
    setFocusOnly(!focus_only_);
}

void SceneGrid::wheelEvent(QWheelEvent* event) {
    constexpr double kNotch = 120;  // units of a wheel's step
    if (on_card_ && !(event->modifiers() & Qt::ControlModifier)) return event->ignore();
    goal_.zoomBy(std::pow(kZoomStep, event->angleDelta().y() / kNotch), event->position(), layout_.area);
    moveView();
    event->accept();
}

void SceneGrid::keyPressEvent(QKeyEvent* event) {
    shows_focus_ = true;
    const int agents = frame_ ? static_cast<int>(frame_->cells.size()) : 0;
    const int focus = frame_ ? frame_->focus : 0;
    switch (event->key()) {
        case Qt::Key_PageDown: return agents > 0 ? Q_EMIT focusRequested((focus + 1) % agents) : void();
        case Qt::Key_PageUp:
            return agents > 0 ? Q_EMIT focusRequested((focus + agents - 1) % agents) : void();
        case Qt::Key_Home: return Q_EMIT focusRequested(0);
        case Qt::Key_End: return agents > 0 ? Q_EMIT focusRequested(agents - 1) : void();
        case Qt::Key_Return:
        case Qt::Key_Enter: return setFocusOnly(!focus_only_);
        default: QWidget::keyPressEvent(event);
    }
}

}  // namespace seedbed::ui
