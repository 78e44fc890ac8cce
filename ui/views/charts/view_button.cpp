// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/charts/view_button.hpp"

#include <algorithm>
#include <chrono>

#include <QAbstractItemView>
#include <QBasicTimer>
#include <QComboBox>
#include <QFrame>
#include <QKeyEvent>
#include <QScreen>
#include <QStyleOption>
#include <QVBoxLayout>

namespace seedbed::ui {
namespace {

constexpr int kPanelWidth = 480;
constexpr std::chrono::milliseconds kSameKey{50};

// Escape closes the list of a field and then reaches the field, too: the panel stays open.
class FieldPanel : public QFrame {
public:
    explicit FieldPanel(QWidget* parent) : QFrame(parent, Qt::Popup) {}

protected:
    void showEvent(QShowEvent* event) override {
        QFrame::showEvent(event);
        for (QComboBox* box : findChildren<QComboBox*>()) box->view()->window()->installEventFilter(this);
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Hide) list_closed_.start(static_cast<int>(kSameKey.count()), this);
        return QFrame::eventFilter(watched, event);
    }
    void timerEvent(QTimerEvent*) override { list_closed_.stop(); }
    void keyPressEvent(QKeyEvent* event) override {
        if (list_closed_.isActive() && event->matches(QKeySequence::Cancel)) return event->accept();
        QFrame::keyPressEvent(event);
    }

private:
    QBasicTimer list_closed_;
};

}  // namespace

ViewButton::ViewButton(const QString& text, QWidget* controls, QWidget* parent)
    : QToolButton(parent), panel_(new FieldPanel(this)) {
    setText(text);
    setAccessibleName(text);
    setFocusPolicy(Qt::StrongFocus);
    panel_->setAttribute(Qt::WA_NoMouseReplay);  // a click on the button closes the panel only
    panel_->setFrameShape(QFrame::StyledPanel);
    panel_->setAccessibleName(text);
    panel_->setBackgroundRole(QPalette::Base);
    panel_->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(panel_);
    column->setContentsMargins(14, 14, 14, 14);
    controls->setParent(panel_);
    column->addWidget(controls);
    connect(this, &QToolButton::clicked, this, &ViewButton::toggle);
}

// Like a button with a menu.
void ViewButton::initStyleOption(QStyleOptionToolButton* option) const {
    QToolButton::initStyleOption(option);
    option->features |= QStyleOptionToolButton::HasMenu;
}

void ViewButton::toggle() {
    if (panel_->isVisible()) return panel_->hide();
    const QRect room = screen()->availableGeometry();
    panel_->setFixedWidth(std::min(kPanelWidth, room.width()));
    panel_->adjustSize();
    if (const int tall = panel_->layout()->heightForWidth(panel_->width()); tall > 0)
        panel_->resize(panel_->width(), tall);
    // Below the button and aligned with the edge that is nearer to the window's, unless the screen ends
    // there.
    const bool on_left = mapTo(window(), rect().center()).x() < window()->width() / 2;
    QPoint at = mapToGlobal(QPoint(on_left ? 0 : width() - panel_->width(), height() + 4));
    at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - panel_->width())));
    at.setY(std::clamp(at.y(), room.top(), std::max(room.top(), room.bottom() - panel_->height())));
    panel_->move(at);
    panel_->show();
    panel_->setFocus(Qt::PopupFocusReason);
}

}  // namespace seedbed::ui
