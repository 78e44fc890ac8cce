// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/watch/scene_grid.hpp"

#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "ui/models/charts/trace_model.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/game_picture.hpp"
#include "ui/views/theme.hpp"
#include "ui/views/watch/scene_painter.hpp"

namespace seedbed::ui {
namespace {

constexpr int kGap = 6, kCaptionLines = 1;

}  // namespace

SceneGrid::SceneGrid(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Agents"));
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void SceneGrid::show(std::shared_ptr<const PlayerFrame> frame) {
    frame_ = std::move(frame);
    update();
}

void SceneGrid::setNote(const QString& text) {
    note_ = text;
    update();
}

void SceneGrid::setFocusOnly(bool only) {
    if (std::exchange(focus_only_, only) == only) return;
    update();
    Q_EMIT focusOnlyChanged(only);
}

int SceneGrid::shownCells() const {
    if (!frame_) return 0;
    return focus_only_ ? 1 : static_cast<int>(frame_->cells.size());
}

// The number of columns that maximizes the cell size.
int SceneGrid::columns() const {
    const int cells = shownCells();
    if (cells <= 1) return 1;
    int best = 1;
    double largest = 0;
    const int caption = fontMetrics().height() * kCaptionLines + 4;
    for (int columns = 1; columns <= cells; ++columns) {
        const int rows = (cells + columns - 1) / columns;
        const QRectF area(0, 0, static_cast<double>(width()) / columns - kGap,
                          static_cast<double>(height()) / rows - kGap - caption);
        if (area.width() <= 0 || area.height() <= 0) continue;
        const double size = scenePlace(frame_->cells.front().scene, area).width();
        if (size > largest) {
            largest = size;
            best = columns;
        }
    }
    return best;
}

QRect SceneGrid::cellAt(int agent) const {
    const int cells = shownCells();
    if (cells == 0 || (focus_only_ && agent != frame_->focus) || agent < 0 ||
        static_cast<std::size_t>(agent) >= frame_->cells.size())
        return {};
    const int across = columns(), down = (cells + across - 1) / across, place = focus_only_ ? 0 : agent;
    const int w = width() / across, h = height() / down;
    return QRect((place % across) * w, (place / across) * h, w, h)
        .adjusted(kGap / 2, kGap / 2, -kGap / 2, -kGap / 2);
}

void SceneGrid::paintCell(QPainter& painter, int agent, const QRect& area) const {
    const PlayerCell& cell = frame_->cells[static_cast<std::size_t>(agent)];
    const int caption = painter.fontMetrics().height() + 4;
    const QRect picture = area.adjusted(0, 0, 0, -caption);
    paintScene(painter, cell.scene, picture, paperColour(theme_));
    const QRectF place = scenePlace(cell.scene, picture);
    const bool focus = agent == frame_->focus;
    if (frame_->cells.size() > 1 && !focus_only_) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(focus ? palette().color(QPalette::Highlight) : theme_.line(), focus ? 3 : 1));
        painter.drawRect(place.adjusted(-1, -1, 1, 1));
    }
    // Marks the end of an episode while its last state is shown.
    const bool over = !cell.now.decided || (cell.now.step == 0 && cell.last_end == EpisodeMark::terminated);
    // For games with several agents, shows the returns of all agents.
    QStringList returns;
    for (int each = 0; each < cell.agents(); ++each)
        returns << shortNumber(over ? cell.lastReturnOf(each) : cell.nowOf(each).return_so_far);
    const QString all = returns.join(QStringLiteral(" / "));
    const QString text =
        over ? tr("%1 · episode %2 · return %3").arg(agent + 1).arg(endText(cell.last_end), all)
             : tr("%1 · step %2 · return %3").arg(agent + 1).arg(countText(cell.now.step), all);
    painter.setPen(over ? theme_.warning() : palette().color(QPalette::WindowText));
    const QRect line(area.left(), static_cast<int>(place.bottom()) + 2, area.width(), caption);
    painter.drawText(line, Qt::AlignHCenter | Qt::AlignTop,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, area.width()));
}

void SceneGrid::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!frame_) {
        painter.setPen(theme_.quiet());
        painter.drawText(rect().adjusted(24, 24, -24, -24), Qt::AlignCenter | Qt::TextWordWrap, note_);
    } else {
        for (int agent = 0; static_cast<std::size_t>(agent) < frame_->cells.size(); ++agent)
            if (const QRect area = cellAt(agent); !area.isEmpty()) paintCell(painter, agent, area);
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void SceneGrid::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (!frame_ || focus_only_) return;
    for (int agent = 0; static_cast<std::size_t>(agent) < frame_->cells.size(); ++agent)
        if (cellAt(agent).contains(event->position().toPoint())) Q_EMIT focusRequested(agent);
}

void SceneGrid::mouseDoubleClickEvent(QMouseEvent*) { setFocusOnly(!focus_only_); }

void SceneGrid::keyPressEvent(QKeyEvent* event) {
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
