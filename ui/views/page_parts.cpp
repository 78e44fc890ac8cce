// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/page_parts.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/views/shell/user_guide.hpp"
#include "ui/views/style/paint.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kEmptyTextWidth = 480, kEmptyPicture = 64, kEmptyIcon = 28;

// The icon of an empty page on a disc.
class EmptyPicture : public QWidget {
public:
    EmptyPicture(const Theme& theme, const char* icon, QWidget* parent)
        : QWidget(parent), theme_(theme), icon_(QLatin1String(icon)) {
        setFixedSize(kEmptyPicture, kEmptyPicture);
        QObject::connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        drawRounded(painter, rect(), kEmptyPicture / 2.0, tokens().accent_soft);
        const QPixmap icon = theme_.icon(icon_).pixmap(QSize(kEmptyIcon, kEmptyIcon), devicePixelRatioF());
        const int edge = (kEmptyPicture - kEmptyIcon) / 2;
        painter.drawPixmap(QRect(edge, edge, kEmptyIcon, kEmptyIcon), coloured(icon, tokens().accent));
    }

private:
    const Theme& theme_;
    QString icon_;
};

}  // namespace

QLabel* pageTitle(const QString& text, QWidget* parent) {
    auto* title = new QLabel(text, parent);
    title->setFont(textFont(TextSize::title, QFont::DemiBold));
    return title;
}

QPushButton* actionButton(QAction* action, QWidget* parent) {
    auto* button = new QPushButton(parent);
    button->setObjectName(action->objectName() + QStringLiteral("-button"));
    const auto follow = [action, button] {
        button->setIcon(action->icon());
        button->setText(action->text());
        button->setAccessibleName(action->text());
        button->setEnabled(action->isEnabled());
        button->setToolTip(action->toolTip() + QStringLiteral(" (%1)").arg(
                                                   action->shortcut().toString(QKeySequence::NativeText)));
    };
    follow();
    QObject::connect(action, &QAction::changed, button, follow);
    QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
    return button;
}

QWidget* labelled(const QString& text, QWidget* control, QWidget* parent) {
    auto* pair = new QWidget(parent);
    auto* row = new QHBoxLayout(pair);
    row->setContentsMargins(0, 0, 0, 0);
    auto* label = new QLabel(text, pair);
    label->setBuddy(control);
    row->addWidget(label);
    row->addWidget(control);
    return pair;
}

EmptyState emptyState(const QString& name, QAction* action, const Theme& theme, const char* icon,
                      const char* guide, QWidget* parent) {
    auto* widget = new QWidget(parent);
    auto* layout = new QVBoxLayout(widget);
    layout->setSpacing(kBlockGap);
    layout->addStretch(1);
    auto* picture = new EmptyPicture(theme, icon, widget);
    layout->addWidget(picture, 0, Qt::AlignHCenter);
    auto* text = new QLabel(widget);
    text->setObjectName(name + QStringLiteral("-empty"));
    text->setAlignment(Qt::AlignCenter);
    text->setWordWrap(true);
    text->setMaximumWidth(kEmptyTextWidth);
    text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto* middle = new QHBoxLayout;
    middle->addStretch(1);
    middle->addWidget(text, 1000);
    middle->addStretch(1);
    layout->addLayout(middle);
    auto* button = actionButton(action, widget);
    button->setObjectName(name + QStringLiteral("-first"));
    setKind(button, ButtonKind::primary);
    auto* more = new QPushButton(QCoreApplication::translate("EmptyState", "Read how"), widget);
    more->setObjectName(name + QStringLiteral("-guide"));
    more->setAccessibleName(QCoreApplication::translate("EmptyState", "Read how in the user guide"));
    setKind(more, ButtonKind::quiet);
    QObject::connect(more, &QPushButton::clicked, widget, [widget, guide] {
        if (auto* open = widget->window()->findChild<QDialog*>(QStringLiteral("user-guide"))) open->close();
        makeUserGuide(guideFolder(), widget->window(), QLatin1String(guide))->show();
    });
    for (QPushButton* each : {button, more}) layout->addWidget(each, 0, Qt::AlignHCenter);
    layout->addStretch(2);
    return {widget, text, button};
}

}  // namespace seedbed::ui
