// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/style/seed_style.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>

#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {
namespace {

constexpr const char* kKind = "seedbed_button_kind";
constexpr int kScrollBarWidth = 12, kIndicator = 18, kFocusWidth = 2;
constexpr int kGroupMargin = 15;  // from the frame of a group to its title

ButtonKind kindOf(const QWidget* widget) {
    return widget == nullptr ? ButtonKind::plain : static_cast<ButtonKind>(widget->property(kKind).toInt());
}

struct ControlState {
    bool enabled, hovered, pressed, focused, on;
    explicit ControlState(const QStyleOption& option)
        : enabled((option.state & QStyle::State_Enabled) != 0),
          hovered(enabled && (option.state & QStyle::State_MouseOver) != 0),
          pressed(enabled && (option.state & QStyle::State_Sunken) != 0),
          focused((option.state & QStyle::State_HasFocus) != 0),
          on((option.state & QStyle::State_On) != 0) {}
    // Keyboard focus only: a click does not leave a ring.
    bool ring(const QStyleOption& option) const {
        return focused && (option.state & QStyle::State_KeyboardFocusChange) != 0;
    }
};

struct ButtonColours {
    QColor fill, outline, text;
};

ButtonColours coloursOf(ButtonKind kind, const ControlState& state) {
    const Tokens& t = tokens();
    ButtonColours colours{.fill = t.surface, .outline = t.line, .text = t.text};
    if (kind == ButtonKind::primary) colours = {t.accent, Qt::transparent, t.accent_text};
    else if (kind == ButtonKind::quiet) colours = {Qt::transparent, Qt::transparent, t.muted};
    else if (kind == ButtonKind::chip && state.on) colours = {t.text, t.text, t.background};
    else if (kind == ButtonKind::chip) colours.text = t.muted;
    // Without shades the outline has to show that there is a button.
    if (!state.enabled && scheme() == Scheme::high_contrast)
        return {Qt::transparent, kind == ButtonKind::quiet ? QColor(Qt::transparent) : t.faint, t.faint};
    if (!state.enabled)
        return {kind == ButtonKind::primary ? mixed(t.background, t.line, 0.7) : Qt::transparent,
                kind == ButtonKind::quiet || kind == ButtonKind::primary ? QColor(Qt::transparent)
                                                                         : mixed(t.background, t.line, 0.7),
                t.faint};
    const bool filled = kind == ButtonKind::primary || (kind == ButtonKind::chip && state.on);
    if (filled && (state.hovered || state.pressed))
        colours.fill = mixed(colours.fill, t.text, state.pressed ? 0.22 : 0.1);
    else if (!filled && (state.pressed || (state.on && kind != ButtonKind::chip)))
        colours = {t.accent_soft, kind == ButtonKind::quiet ? QColor(Qt::transparent) : t.accent, t.text};
    else if (!filled && state.hovered) {
        colours.fill = kind == ButtonKind::quiet ? mixed(t.background, t.text, 0.06) : t.raised;
        if (kind != ButtonKind::quiet) colours.outline = mixed(t.line, t.text, 0.3);
        colours.text = t.text;
    }
    return colours;
}

void setTextColour(QPalette& palette, const QColor& colour) {
    for (const auto group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled})
        palette.setColor(group, QPalette::ButtonText, colour);
}

QIcon colouredIcon(const QIcon& icon, const QSize& size, const QColor& colour, const QWidget* widget) {
    if (icon.isNull() || widget == nullptr) return icon;
    return coloured(icon.pixmap(size, widget->devicePixelRatio()), colour);
}

// Buttons that show only a symbol have no arrow.
bool hasMenuArrow(const QStyleOptionToolButton& button) {
    return (button.features & QStyleOptionToolButton::HasMenu) != 0 && !button.text.isEmpty() &&
           (button.state & QStyle::State_AutoRaise) == 0;
}

void drawFocus(QPainter& painter, const QRectF& area, qreal radius) {
    drawRounded(painter, area, radius, Qt::transparent, tokens().accent, kFocusWidth);
}

void drawField(QPainter& painter, const QRectF& area, const QStyleOption& option) {
    const Tokens& t = tokens();
    const ControlState state(option);
    const QColor fill = state.enabled ? option.palette.color(QPalette::Base) : t.background;
    if (state.focused) drawRounded(painter, area, kControlRadius, fill, t.accent, kFocusWidth);
    else
        drawRounded(painter, area, kControlRadius, fill, state.hovered ? mixed(t.line, t.text, 0.3) : t.line);
}

void drawIndicator(QPainter& painter, const QRect& area, const QStyleOption& option, bool round) {
    const Tokens& t = tokens();
    const ControlState state(option);
    const bool partly = (option.state & QStyle::State_NoChange) != 0;
    QRectF box(0, 0, kIndicator - 2, kIndicator - 2);
    box.moveCenter(QRectF(area).center());
    const qreal radius = round ? box.width() / 2 : 5;
    const QColor strong = state.enabled ? t.accent : t.faint;
    if (state.on || partly) {
        drawRounded(painter, box, radius, strong);
        const QColor mark = state.enabled ? t.accent_text : t.surface;
        if (round) drawRounded(painter, box.adjusted(5, 5, -5, -5), radius, mark);
        else if (partly) drawRounded(painter, box.adjusted(4, 7, -4, -7), 1, mark);
        else drawCheckMark(painter, box, mark);
    } else {
        drawRounded(painter, box, radius, t.surface, state.hovered ? t.accent : mixed(t.line, t.text, 0.35));
    }
    if (state.ring(option)) drawFocus(painter, QRectF(area), radius + 1);
}

void drawProgress(QPainter& painter, const QStyleOptionProgressBar& bar) {
    const Tokens& t = tokens();
    constexpr qreal kHeight = 6;
    QRectF groove(0, 0, bar.rect.width(), kHeight);
    groove.moveCenter(QRectF(bar.rect).center());
    drawRounded(painter, groove, kHeight / 2, mixed(t.background, t.text, 0.12));
    const double range = bar.maximum - bar.minimum;
    // Without a range the end is unknown: the middle is filled.
    const double part = range > 0 ? std::clamp((bar.progress - bar.minimum) / range, 0.0, 1.0) : 0.4;
    QRectF done = groove;
    done.setWidth(part * groove.width());
    if (range <= 0) done.moveLeft(0.3 * groove.width());
    else if (bar.direction == Qt::RightToLeft) done.moveRight(groove.right());
    if (part > 0) drawRounded(painter, done, kHeight / 2, t.accent);
}

void drawScrollBar(QPainter& painter, const QStyleOptionSlider& bar, const QRect& slider) {
    const Tokens& t = tokens();
    const ControlState state(bar);
    if (bar.maximum <= bar.minimum) return;
    const bool wide = state.hovered || state.pressed;
    const qreal inset = wide ? 3 : 4;
    const bool across = bar.orientation == Qt::Horizontal;
    const QRectF handle = QRectF(slider).adjusted(across ? 2 : inset, across ? inset : 2,
                                                  across ? -2 : -inset, across ? -inset : -2);
    const bool active =
        state.pressed || (state.hovered && (bar.activeSubControls & QStyle::SC_ScrollBarSlider));
    drawRounded(painter, handle, kScrollBarWidth / 2.0,
                mixed(t.background, t.text,
                      active ? 0.5
                      : wide ? 0.38
                             : 0.25));
}

void drawTab(QPainter& painter, const QStyleOptionTab& tab) {
    const Tokens& t = tokens();
    const ControlState state(tab);
    const bool selected = (tab.state & QStyle::State_Selected) != 0;
    const QRectF pill = QRectF(tab.rect).adjusted(0, 2, -6, -4);
    drawRounded(painter, pill, pill.height() / 2,
                selected        ? t.text
                : state.hovered ? t.raised
                                : t.surface,
                selected        ? t.text
                : state.hovered ? mixed(t.line, t.text, 0.3)
                                : t.line);
    if (state.focused && selected && state.ring(tab)) drawFocus(painter, pill, pill.height() / 2);
}

void drawItem(QPainter& painter, const QStyleOptionViewItem& item, bool whole_row) {
    const Tokens& t = tokens();
    if (item.backgroundBrush.style() != Qt::NoBrush) painter.fillRect(item.rect, item.backgroundBrush);
    const bool selected = (item.state & QStyle::State_Selected) != 0;
    const bool hovered = (item.state & QStyle::State_MouseOver) != 0;
    if (!selected && !hovered) return;
    const QColor fill = selected ? item.palette.color(QPalette::Highlight) : mixed(t.surface, t.text, 0.045);
    if (whole_row) drawRounded(painter, QRectF(item.rect).adjusted(2, 1, -2, -1), kControlRadius, fill);
    else painter.fillRect(item.rect, fill);
    // Black on almost black needs an outline.
    if (selected && scheme() == Scheme::high_contrast)
        drawRounded(painter, item.rect, 0, Qt::transparent, t.accent);
}

void drawHeader(QPainter& painter, const QStyleOptionHeader& header) {
    const Tokens& t = tokens();
    painter.fillRect(header.rect, ControlState(header).hovered ? mixed(t.surface, t.text, 0.045) : t.surface);
    painter.setPen(t.line);
    if (header.orientation == Qt::Horizontal)
        painter.drawLine(header.rect.bottomLeft(), header.rect.bottomRight());
    else painter.drawLine(header.rect.topRight(), header.rect.bottomRight());
}

void drawSlider(QPainter& painter, const QStyleOptionSlider& slider, const QRect& handle) {
    const Tokens& t = tokens();
    const ControlState state(slider);
    const bool across = slider.orientation == Qt::Horizontal;
    const QPointF middle = QRectF(handle).center();
    QRectF groove(slider.rect);
    if (across) groove = {groove.left() + 4, middle.y() - 2, groove.width() - 8, 4};
    else groove = {middle.x() - 2, groove.top() + 4, 4, groove.height() - 8};
    drawRounded(painter, groove, 2, mixed(t.background, t.text, 0.15));
    QRectF done = groove;
    if (across && slider.upsideDown) done.setLeft(middle.x());
    else if (across) done.setRight(middle.x());
    else if (slider.upsideDown) done.setTop(middle.y());
    else done.setBottom(middle.y());
    const QColor strong = state.enabled ? t.accent : t.faint;
    drawRounded(painter, done, 2, strong);
    QRectF knob(0, 0, 14, 14);
    knob.moveCenter(middle);
    drawRounded(painter, knob, 7, t.surface,
                state.hovered || state.pressed ? strong : mixed(strong, t.line, 0.3), 2);
    if (state.ring(slider)) drawFocus(painter, knob.adjusted(-3, -3, 3, 3), 10);
}

// Whether it covers an item of a view, which must not shine through.
bool isItemEditor(const QWidget& widget) {
    const QWidget* parent = widget.parentWidget();
    const auto* view = parent == nullptr ? nullptr : qobject_cast<QAbstractItemView*>(parent->parentWidget());
    return view != nullptr && view->viewport() == parent;
}

// Lists, tables and texts with a frame. Their corners would be outside of its rounded ones.
constexpr int kAreaFrame = 3;
bool isRoundedArea(const QStyleOptionFrame* frame, const QWidget* widget) {
    return frame != nullptr && frame->frameShape == QFrame::StyledPanel &&
           qobject_cast<const QAbstractScrollArea*>(widget) != nullptr;
}

}  // namespace

void setKind(QAbstractButton* button, ButtonKind kind) {
    const ButtonKind before = kindOf(button);
    if (kind == before) return;
    button->setProperty(kKind, static_cast<int>(kind));
    if (kind == ButtonKind::chip || before == ButtonKind::chip) button->updateGeometry();  // another height
    button->update();
}

SeedStyle::SeedStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void SeedStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    if (qobject_cast<QLineEdit*>(widget) != nullptr || qobject_cast<QTabBar*>(widget) != nullptr ||
        qobject_cast<QHeaderView*>(widget) != nullptr || qobject_cast<QToolButton*>(widget) != nullptr)
        widget->setAttribute(Qt::WA_Hover);
    if (auto* header = qobject_cast<QHeaderView*>(widget);
        header != nullptr && header->orientation() == Qt::Horizontal)
        header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    if (auto* table = qobject_cast<QTableView*>(widget)) table->setShowGrid(false);
    if (auto* view = qobject_cast<QAbstractItemView*>(widget)) view->viewport()->setAttribute(Qt::WA_Hover);
}

void SeedStyle::polish(QApplication* application) {
    QProxyStyle::polish(application);
    application->installEventFilter(this);
}

void SeedStyle::unpolish(QApplication* application) {
    application->removeEventFilter(this);
    QProxyStyle::unpolish(application);
}

bool SeedStyle::eventFilter(QObject* watched, QEvent* event) {
    const bool pressed = event->type() == QEvent::KeyPress;
    const bool ends = event->type() == QEvent::KeyRelease || event->type() == QEvent::WindowDeactivate;
    if ((pressed || ends) &&
        (event->type() == QEvent::WindowDeactivate || static_cast<QKeyEvent*>(event)->key() == Qt::Key_Alt) &&
        std::exchange(shows_keys_, pressed) != pressed)
        for (QWidget* each : QApplication::allWidgets())
            if (each->isVisible()) each->update();
    return QProxyStyle::eventFilter(watched, event);
}

void SeedStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
    const Tokens& t = tokens();
    switch (element) {
        case PE_FrameFocusRect:
            // Rows show their selection; buttons draw their own ring.
            if (const auto* focus = qstyleoption_cast<const QStyleOptionFocusRect*>(option);
                focus != nullptr && (option->state & State_KeyboardFocusChange) != 0)
                drawRounded(*painter, option->rect, 6, Qt::transparent, t.accent, 1.5);
            return;
        case PE_PanelLineEdit:
            if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option)) {
                if (frame->lineWidth > 0) drawField(*painter, option->rect, *option);
                else if (widget == nullptr || widget->autoFillBackground() || isItemEditor(*widget))
                    painter->fillRect(option->rect, option->palette.color(QPalette::Base));
            }
            return;
        case PE_FrameLineEdit: return;  // part of PE_PanelLineEdit
        case PE_Frame:
            if (isRoundedArea(qstyleoption_cast<const QStyleOptionFrame*>(option), widget)) {
                const auto* area = qobject_cast<const QAbstractScrollArea*>(widget);
                const QWidget* inside = area->viewport();
                drawRounded(*painter, option->rect, kControlRadius,
                            inside->palette().color(inside->backgroundRole()), t.line);
                return;
            }
            [[fallthrough]];
        case PE_FrameGroupBox:
            drawRounded(*painter, option->rect, kControlRadius, Qt::transparent, t.line);
            return;
        case PE_FrameTabWidget: return;
        case PE_FrameTabBarBase: return;
        case PE_FrameStatusBarItem: return;
        case PE_FrameMenu: drawRounded(*painter, option->rect, 0, Qt::transparent, t.line); return;
        case PE_PanelMenu: painter->fillRect(option->rect, t.raised); return;
        case PE_PanelMenuBar:
            painter->fillRect(option->rect, t.surface);
            painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                              t.line);
            return;
        case PE_PanelStatusBar: return;
        case PE_IndicatorCheckBox:
        case PE_IndicatorItemViewItemCheck: drawIndicator(*painter, option->rect, *option, false); return;
        case PE_IndicatorRadioButton: drawIndicator(*painter, option->rect, *option, true); return;
        case PE_IndicatorArrowDown: drawChevron(*painter, option->rect, t.muted, 0); return;
        case PE_IndicatorArrowLeft: drawChevron(*painter, option->rect, t.muted, 1); return;
        case PE_IndicatorArrowUp: drawChevron(*painter, option->rect, t.muted, 2); return;
        case PE_IndicatorArrowRight: drawChevron(*painter, option->rect, t.muted, 3); return;
        case PE_PanelItemViewRow:
            if (widget != nullptr && widget->inherits("QTableView"))
                painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                                  mixed(t.surface, t.line, 0.7));
            return;
        case PE_PanelItemViewItem:
            if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option))
                drawItem(*painter, *item, widget != nullptr && widget->inherits("QListView"));
            return;
        default: break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void SeedStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                            const QWidget* widget) const {
    const Tokens& t = tokens();
    switch (element) {
        case CE_PushButtonBevel:
            if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
                const ControlState state(*option);
                const bool is_default = (button->features & QStyleOptionButton::DefaultButton) != 0;
                const ButtonKind kind = is_default ? ButtonKind::primary : kindOf(widget);
                const ButtonColours colours = coloursOf(kind, state);
                const qreal radius = kind == ButtonKind::chip ? option->rect.height() / 2.0 : kControlRadius;
                drawRounded(*painter, option->rect, radius, colours.fill, colours.outline);
                if (state.ring(*option)) {
                    // On a filled button the ring has to differ from the fill.
                    if (kind == ButtonKind::primary)
                        drawRounded(*painter, QRectF(option->rect).adjusted(2, 2, -2, -2), radius - 2,
                                    Qt::transparent, colours.text, 1.5);
                    else drawFocus(*painter, option->rect, radius);
                }
                if ((button->features & QStyleOptionButton::HasMenu) != 0)
                    drawChevron(
                        *painter,
                        QRectF(option->rect.right() - 22, option->rect.top(), 16, option->rect.height()),
                        colours.text);
                return;
            }
            break;
        case CE_PushButtonLabel:
            if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
                const bool is_default = (button->features & QStyleOptionButton::DefaultButton) != 0;
                const ButtonColours colours =
                    coloursOf(is_default ? ButtonKind::primary : kindOf(widget), ControlState(*option));
                QStyleOptionButton label(*button);
                setTextColour(label.palette, colours.text);
                if ((label.features & QStyleOptionButton::HasMenu) != 0) {
                    label.features &= ~QStyleOptionButton::HasMenu;
                    label.rect.adjust(0, 0, -14, 0);
                }
                label.icon = colouredIcon(label.icon, label.iconSize, colours.text, widget);
                label.state |= State_Enabled;  // the colour shows the state
                QProxyStyle::drawControl(element, &label, painter, widget);
                return;
            }
            break;
        case CE_ProgressBarGroove:
            // With a text in it, the bar is that of Fusion.
            if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option);
                bar != nullptr && !bar->textVisible)
                return;
            break;
        case CE_ProgressBarContents:
            if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option);
                bar != nullptr && !bar->textVisible) {
                drawProgress(*painter, *bar);
                return;
            }
            break;
        case CE_TabBarTabShape:
            if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
                drawTab(*painter, *tab);
                return;
            }
            break;
        case CE_TabBarTabLabel:
            if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
                const bool selected = (tab->state & State_Selected) != 0;
                const QRect text = tab->rect.adjusted(0, 2, -6, -4);
                painter->setPen((tab->state & State_Enabled) == 0 ? t.faint
                                : selected                        ? t.background
                                                                  : t.muted);
                painter->drawText(text, Qt::AlignCenter | Qt::TextShowMnemonic, tab->text);
                return;
            }
            break;
        case CE_HeaderSection:
            if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
                drawHeader(*painter, *header);
                return;
            }
            break;
        case CE_HeaderLabel:
            if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
                QStyleOptionHeader label(*header);
                label.palette.setColor(QPalette::ButtonText, t.muted);
                QProxyStyle::drawControl(element, &label, painter, widget);
                return;
            }
            break;
        case CE_HeaderEmptyArea: painter->fillRect(option->rect, t.surface); return;
        case CE_Splitter: {
            QRectF grip(0, 0, 28, 4);
            if (option->state & State_Horizontal) grip = QRectF(0, 0, 4, 28);
            grip.moveCenter(QRectF(option->rect).center());
            drawRounded(*painter, grip, 2,
                        option->state & State_MouseOver ? t.accent : mixed(t.background, t.text, 0.16));
            return;
        }
        case CE_MenuBarEmptyArea:
            painter->fillRect(option->rect, t.surface);
            painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                              t.line);
            return;
        case CE_MenuBarItem:
            if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
                painter->fillRect(item->rect, t.surface);
                painter->fillRect(QRect(item->rect.left(), item->rect.bottom(), item->rect.width(), 1),
                                  t.line);
                QRectF pill(0, 0, item->rect.width(), item->fontMetrics.height() + 12);
                pill.moveCenter(QRectF(item->rect).center());
                if (item->state & (State_Selected | State_Sunken))
                    drawRounded(*painter, pill, 6, mixed(t.background, t.text, 0.08));
                painter->setPen(item->state & State_Enabled ? t.muted : t.faint);
                int flags = Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextDontClip | Qt::TextSingleLine;
                if (!styleHint(SH_UnderlineShortcut, item, widget)) flags |= Qt::TextHideMnemonic;
                painter->drawText(item->rect, flags, item->text);
                return;
            }
            break;
        default: break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void SeedStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                   QPainter* painter, const QWidget* widget) const {
    const Tokens& t = tokens();
    switch (control) {
        case CC_ScrollBar:
            if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
                drawScrollBar(*painter, *bar, subControlRect(control, option, SC_ScrollBarSlider, widget));
                return;
            }
            break;
        case CC_Slider:
            if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
                slider != nullptr && slider->tickPosition == 0) {
                drawSlider(*painter, *slider, subControlRect(control, option, SC_SliderHandle, widget));
                return;
            }
            break;
        case CC_ComboBox:
            if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option)) {
                const ControlState state(*option);
                const ButtonColours colours = coloursOf(ButtonKind::plain, state);
                if (box->frame) {
                    if (box->editable || state.ring(*option)) drawField(*painter, option->rect, *option);
                    else drawRounded(*painter, option->rect, kControlRadius, colours.fill, colours.outline);
                }
                drawChevron(*painter, subControlRect(control, option, SC_ComboBoxArrow, widget),
                            state.enabled ? t.muted : t.faint);
                return;
            }
            break;
        case CC_SpinBox:
            if (const auto* box = qstyleoption_cast<const QStyleOptionSpinBox*>(option)) {
                if (box->frame) drawField(*painter, option->rect, *option);
                const bool up = (box->stepEnabled & QAbstractSpinBox::StepUpEnabled) != 0;
                const bool down = (box->stepEnabled & QAbstractSpinBox::StepDownEnabled) != 0;
                if (box->buttonSymbols == QAbstractSpinBox::NoButtons) return;
                drawChevron(*painter, subControlRect(control, option, SC_SpinBoxUp, widget),
                            up ? t.muted : t.faint, 2);
                drawChevron(*painter, subControlRect(control, option, SC_SpinBoxDown, widget),
                            down ? t.muted : t.faint, 0);
                return;
            }
            break;
        case CC_GroupBox: {
            QFont font = painter->font();
            painter->save();
            font.setWeight(QFont::DemiBold);
            painter->setFont(font);
            QProxyStyle::drawComplexControl(control, option, painter, widget);
            painter->restore();
            return;
        }
        case CC_ToolButton:
            if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option)) {
                const ControlState state(*option);
                const bool raised = (option->state & State_AutoRaise) != 0;
                const ButtonColours colours = coloursOf(raised ? ButtonKind::quiet : kindOf(widget), state);
                drawRounded(*painter, option->rect, kControlRadius, colours.fill, colours.outline);
                if (state.ring(*option)) drawFocus(*painter, option->rect, kControlRadius);
                QStyleOptionToolButton label(*button);
                label.state &= ~(State_Sunken | State_MouseOver);
                if (!raised) label.icon = colouredIcon(label.icon, label.iconSize, colours.text, widget);
                setTextColour(label.palette, colours.text);
                const bool has_menu = hasMenuArrow(*button);
                if (has_menu) {
                    label.rect.adjust(0, 0, -16, 0);
                    drawChevron(
                        *painter,
                        QRectF(option->rect.right() - 20, option->rect.top(), 16, option->rect.height()),
                        colours.text);
                }
                if (!button->text.isEmpty() && button->toolButtonStyle == Qt::ToolButtonTextBesideIcon)
                    label.rect.adjust(6, 0, -6, 0);
                drawControl(CE_ToolButtonLabel, &label, painter, widget);
                return;
            }
            break;
        default: break;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect SeedStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                const QWidget* widget) const {
    const QRect all = option->rect;
    if (control == CC_ScrollBar) {
        const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (bar == nullptr) return QProxyStyle::subControlRect(control, option, part, widget);
        const bool across = bar->orientation == Qt::Horizontal;
        const int length = across ? all.width() : all.height();
        const auto place = [&](int from, int size) {
            return visualRect(option->direction, all,
                              across ? QRect(all.left() + from, all.top(), size, all.height())
                                     : QRect(all.left(), all.top() + from, all.width(), size));
        };
        const qint64 range = static_cast<qint64>(bar->maximum) - bar->minimum;
        const int size = range > 0 ? std::clamp(static_cast<int>(static_cast<qint64>(length) * bar->pageStep /
                                                                 (range + bar->pageStep)),
                                                std::min(28, length), length)
                                   : length;
        const int start = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition,
                                                  length - size, bar->upsideDown);
        switch (part) {
            case SC_ScrollBarGroove: return place(0, length);
            case SC_ScrollBarSlider: return place(start, size);
            case SC_ScrollBarSubPage: return place(0, start);
            case SC_ScrollBarAddPage: return place(start + size, length - start - size);
            default: return {};  // no buttons at the ends
        }
    }
    if (control == CC_ComboBox && part == SC_ComboBoxArrow)
        return visualRect(option->direction, all, QRect(all.right() - 25, all.top(), 22, all.height()));
    if (control == CC_ComboBox && part == SC_ComboBoxEditField)
        return visualRect(option->direction, all, all.adjusted(6, 2, -26, -2));
    const QRect rect = QProxyStyle::subControlRect(control, option, part, widget);
    // The title is inside the frame, above the contents.
    if (control == CC_GroupBox && part == SC_GroupBoxLabel)
        return visualRect(option->direction, all,
                          QRect(all.left() + kGroupMargin, all.top() + kGroupMargin - 4,
                                all.width() - 2 * kGroupMargin, rect.height()));
    if (control == CC_GroupBox && part == SC_GroupBoxContents)
        return rect.adjusted(0, kGroupMargin - 4, 0, 0);
    return rect;
}

QRect SeedStyle::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
    if (element == SE_ShapedFrameContents && isRoundedArea(frame, widget))
        return option->rect.adjusted(kAreaFrame, kAreaFrame, -kAreaFrame, -kAreaFrame);
    if (element == SE_LineEditContents && frame != nullptr && frame->lineWidth > 0)
        return rect.adjusted(6, 0, -4, 0);
    return rect;
}

QSize SeedStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                  const QWidget* widget) const {
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    const int line = option != nullptr ? option->fontMetrics.height() : 0;
    const int control = std::max(kControlHeight, line + 14);
    switch (type) {
        case CT_PushButton: {
            const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
            const bool only_icon = button != nullptr && button->text.isEmpty();
            result.setWidth(size.width() + (only_icon ? 16 : 26));
            if (button != nullptr && (button->features & QStyleOptionButton::HasMenu) != 0)
                result.rwidth() += 16;
            result.setHeight(
                std::max(size.height() + 8, kindOf(widget) == ButtonKind::chip ? control - 2 : control));
            break;
        }
        case CT_ToolButton:
            if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option)) {
                result = size + QSize(button->text.isEmpty() ? 10 : 18, 10);
                if (hasMenuArrow(*button)) result.rwidth() += 16;
                // Buttons without an outline are inside of rows and bars.
                if ((button->state & State_AutoRaise) == 0) result = result.expandedTo({control, control});
            }
            break;
        case CT_ComboBox:
            result.setWidth(size.width() + 40);
            result.setHeight(control);
            break;
        case CT_LineEdit:
            if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
                frame != nullptr && frame->lineWidth > 0)
                result.setHeight(control);
            break;
        case CT_SpinBox: result.setHeight(control); break;
        case CT_TabBarTab: result = {result.width() + 12, std::max(36, line + 20)}; break;
        case CT_HeaderSection: result.setHeight(std::max(result.height(), line + 14)); break;
        case CT_ItemViewItem: result.setHeight(std::max(result.height(), line + 10)); break;
        case CT_MenuItem:
            if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
                item != nullptr && item->menuItemType != QStyleOptionMenuItem::Separator)
                result.setHeight(std::max(result.height(), line + 12));
            break;
        case CT_MenuBarItem: result = {result.width() + 6, kControlHeight + 11}; break;
        case CT_ProgressBar:
            if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option);
                bar != nullptr && !bar->textVisible)
                result.setHeight(10);
            break;
        default: break;
    }
    return result;
}

int SeedStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
        case PM_ScrollBarExtent: return kScrollBarWidth;
        case PM_ScrollBarSliderMin: return 28;
        case PM_IndicatorWidth:
        case PM_IndicatorHeight:
        case PM_ExclusiveIndicatorWidth:
        case PM_ExclusiveIndicatorHeight: return kIndicator;
        case PM_LayoutHorizontalSpacing:
        case PM_LayoutVerticalSpacing: return kGrid;
        case PM_LayoutLeftMargin:
        case PM_LayoutTopMargin:
        case PM_LayoutRightMargin:
        case PM_LayoutBottomMargin: return 12;
        case PM_SplitterWidth: return kGrid;
        case PM_ButtonShiftHorizontal:
        case PM_ButtonShiftVertical: return 0;
        case PM_TabBarTabHSpace: return 24;
        case PM_TabBarTabShiftHorizontal:
        case PM_TabBarTabShiftVertical:
        case PM_TabBarBaseOverlap: return 0;
        case PM_MenuVMargin:
        case PM_MenuHMargin: return 4;
        case PM_HeaderMargin: return 8;
        case PM_FocusFrameHMargin: return 6;
        case PM_SliderThickness:
        case PM_SliderControlThickness: return 18;
        case PM_SliderLength: return 18;
        default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int SeedStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                         QStyleHintReturn* result) const {
    switch (hint) {
        case SH_Table_GridLineColor: return static_cast<int>(tokens().line.rgb());
        case SH_ComboBox_Popup: return 0;
        case SH_EtchDisabledText: return 0;
        case SH_UnderlineShortcut:
            return static_cast<int>(shows_keys_ || qobject_cast<const QMenu*>(widget) != nullptr);
        case SH_TabBar_Alignment: return Qt::AlignLeft;
        case SH_ScrollBar_LeftClickAbsolutePosition: return 0;
        default: return QProxyStyle::styleHint(hint, option, widget, result);
    }
}

}  // namespace seedbed::ui
