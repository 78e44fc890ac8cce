// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shell/side_bar.hpp"

#include <algorithm>
#include <cmath>

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {

// The card at the lower end; a button, so that the keyboard reaches it.
class TrainingCard : public QAbstractButton {
public:
    explicit TrainingCard(QWidget* parent) : QAbstractButton(parent) {
        setObjectName(QStringLiteral("training-card"));
        setAccessibleName(SideBar::tr("The run that trains"));
        setFocusPolicy(Qt::TabFocus);
        setAttribute(Qt::WA_Hover);
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    }

    const std::optional<TrainingState>& state() const { return state_; }
    void show(const std::optional<TrainingState>& state) {
        if (state == state_) return;
        state_ = state;
        if (!state) return;
        setAccessibleName(percent().isEmpty() ? state->name : state->name + QStringLiteral(", ") + percent());
        setToolTip(state->name);
        update();
    }

    QSize sizeHint() const override { return {120, 3 * fontMetrics().height() + 26}; }

protected:
    void paintEvent(QPaintEvent*) override {
        if (!state_) return;
        const Tokens& t = tokens();
        QPainter painter(this);
        drawRounded(painter, rect(), 10, underMouse() ? t.raised : t.surface, hasFocus() ? t.accent : t.line,
                    hasFocus() ? 2 : 1);
        const QFont plain = textFont(TextSize::caption);
        const QFont strong = textFont(TextSize::caption, QFont::DemiBold);
        const int line = QFontMetrics(strong).height();
        QRect row(12, 9, width() - 24, line);
        painter.setFont(plain);
        painter.setPen(t.muted);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, percent());
        const int taken = percent().isEmpty() ? 0 : QFontMetrics(plain).horizontalAdvance(percent()) + 8;
        painter.setFont(strong);
        painter.setPen(t.text);
        painter.drawText(QStyle::visualRect(layoutDirection(), row, row.adjusted(0, 0, -taken, 0)),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(strong).elidedText(state_->name, Qt::ElideMiddle, row.width() - taken));
        const QRectF groove(row.left(), row.bottom() + 8, row.width(), 4);
        drawRounded(painter, groove, 2, mixed(t.background, t.text, 0.12));
        QRectF done = groove;
        done.setWidth(std::max(4.0, groove.width() * state_->part.value_or(0.0)));
        if (layoutDirection() == Qt::RightToLeft) done.moveRight(groove.right());
        if (state_->part) drawRounded(painter, done, 2, t.accent);
        painter.setFont(plain);
        painter.setPen(t.muted);
        row.moveTop(static_cast<int>(groove.bottom()) + 6);
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(plain).elidedText(state_->speed, Qt::ElideRight, row.width()));
    }

private:
    QString percent() const {
        return state_ && state_->part
                   ? SideBar::tr("%1 %").arg(QLocale().toString(std::floor(100 * *state_->part), 'f', 0))
                   : QString();
    }

    std::optional<TrainingState> state_;
};

namespace {

enum Role { kPage = Qt::UserRole, kCount };
constexpr int kRowHeight = 36, kWidth = 208, kCompactWidth = 67;

// A row of the list of pages: icon, title and number.
class PageRow : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {0, std::max(kRowHeight, option.fontMetrics.height() + 18) + 3};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Tokens& t = tokens();
        const bool selected = (option.state & QStyle::State_Selected) != 0;
        const QRectF row = QRectF(option.rect).adjusted(0, 0, 0, -3);
        if (selected) drawRounded(*painter, row, kControlRadius, t.accent_soft);
        else if (option.state & QStyle::State_MouseOver)
            drawRounded(*painter, row, kControlRadius, mixed(t.surface, t.text, 0.05));
        if (selected && (option.state & QStyle::State_HasFocus) &&
            (option.state & QStyle::State_KeyboardFocusChange))
            drawRounded(*painter, row, kControlRadius, Qt::transparent, t.accent, 2);
        const QRect inside = row.toRect().adjusted(12, 0, -12, 0);
        const bool compact = inside.width() < 40;
        const QRect icon = QStyle::alignedRect(
            option.direction, (compact ? Qt::AlignHCenter : Qt::AlignLeft) | Qt::AlignVCenter, {18, 18},
            inside);
        index.data(Qt::DecorationRole)
            .value<QIcon>()
            .paint(painter, icon, Qt::AlignCenter, selected ? QIcon::Selected : QIcon::Normal);
        if (compact) return;
        painter->setFont(textFont(TextSize::body, selected ? QFont::DemiBold : QFont::Medium));
        painter->setPen(selected ? t.accent : t.muted);
        const QRect text = QStyle::visualRect(option.direction, inside, inside.adjusted(28, 0, 0, 0));
        // drawText() mirrors the alignment.
        painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(index.data(Qt::DisplayRole).toString(),
                                                            Qt::ElideRight, text.width()));
        if (const int count = index.data(kCount).toInt(); count > 0) {
            painter->setFont(textFont(TextSize::caption));
            painter->setPen(t.muted);
            painter->drawText(text, Qt::AlignRight | Qt::AlignVCenter, QLocale().toString(count));
        }
    }
};

// The leaf on the accent, as in the icon of the application.
class Brand : public QWidget {
public:
    explicit Brand(QWidget* parent) : QWidget(parent) {
        setFixedHeight(std::max(28, QFontMetrics(textFont(TextSize::section)).height()));
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Tokens& t = tokens();
        QPainter painter(this);
        const bool left = layoutDirection() == Qt::LeftToRight;
        const QRectF mark(left ? 9 : width() - 31, (height() - 22) / 2.0, 22, 22);
        drawRounded(painter, mark, 6, t.accent);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(t.accent_text, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.translate(mark.topLeft());
        QPainterPath leaf({7, 15});
        leaf.cubicTo(5, 9, 10, 6, 16, 6);
        leaf.cubicTo(16, 12, 13, 17, 7, 15);
        leaf.moveTo(5.5, 17);
        leaf.lineTo(11.5, 11);
        painter.drawPath(leaf);
        painter.translate(-mark.topLeft());
        if (width() < 80) return;
        painter.setFont(textFont(TextSize::section, QFont::DemiBold));
        painter.setPen(t.text);
        // drawText() mirrors the alignment.
        painter.drawText(left ? rect().adjusted(40, 0, 0, 0) : rect().adjusted(0, 0, -40, 0),
                         Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("Seedbed"));
    }
};

}  // namespace

SideBar::SideBar(const Theme& theme, QWidget* parent)
    : QWidget(parent), theme_(theme), pages_(new QListWidget(this)), card_(new TrainingCard(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 14, 13, 12);
    column->setSpacing(12);
    column->addWidget(new Brand(this));
    pages_->setObjectName(QStringLiteral("pages"));
    pages_->setAccessibleName(tr("Pages"));
    pages_->setFrameShape(QFrame::NoFrame);
    pages_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    pages_->setItemDelegate(new PageRow(pages_));
    pages_->setMouseTracking(true);
    column->addWidget(pages_, 1);
    card_->hide();
    column->addWidget(card_);
    connect(pages_, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item != nullptr) Q_EMIT pageSelected(item->data(kPage).toString());
    });
    connect(card_, &QAbstractButton::clicked, this, [this] {
        if (card_->state()) Q_EMIT trainingSelected(card_->state()->run);
    });
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    fitWidth();
}

void SideBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), tokens().surface);
    const bool left = layoutDirection() == Qt::LeftToRight;
    painter.fillRect(QRect(left ? width() - 1 : 0, 0, 1, height()), tokens().line);
}

void SideBar::addPage(const QString& id, const QString& title, const char* icon) {
    auto* item = new QListWidgetItem(theme_.icon(QLatin1String(icon)), title, pages_);
    item->setData(kPage, id);
    fitWidth();
}

QSize SideBar::sizeHint() const { return {compact_ ? kCompactWidth : wide_, 400}; }

void SideBar::setCompact(bool compact) {
    if (compact == compact_) return;
    compact_ = compact;
    card_->setVisible(!compact && card_->state().has_value());
    for (int row = 0; row < pages_->count(); ++row)
        pages_->item(row)->setToolTip(compact ? pages_->item(row)->text() : QString());
    fitWidth();
}

// Wide enough for the longest title in the selected weight, with its number.
void SideBar::fitWidth() {
    const QFontMetrics metrics(textFont(TextSize::body, QFont::DemiBold));
    int widest = 0;
    for (int row = 0; row < pages_->count(); ++row)
        widest = std::max(widest, metrics.horizontalAdvance(pages_->item(row)->text()));
    wide_ = std::max(kWidth, widest + 28 + 24 + 25 + metrics.horizontalAdvance(QStringLiteral("  000")));
    // A page that needs the room may push it together.
    setMinimumWidth(kCompactWidth);
    setMaximumWidth(sizeHint().width());
    updateGeometry();
}

QListWidgetItem* SideBar::itemOf(const QString& page) const {
    for (int row = 0; row < pages_->count(); ++row)
        if (pages_->item(row)->data(kPage).toString() == page) return pages_->item(row);
    return nullptr;
}

void SideBar::setCount(const QString& page, int count) {
    QListWidgetItem* item = itemOf(page);
    if (item == nullptr || item->data(kCount).toInt() == count) return;
    item->setData(kCount, count);
    item->setData(Qt::AccessibleTextRole,
                  count > 0 ? item->text() + QStringLiteral(", ") + QLocale().toString(count) : item->text());
}

void SideBar::select(const QString& page) {
    if (QListWidgetItem* item = itemOf(page)) pages_->setCurrentItem(item);
}

void SideBar::showTraining(const std::optional<TrainingState>& state) {
    card_->show(state);
    card_->setVisible(!compact_ && state.has_value());
}

}  // namespace seedbed::ui
