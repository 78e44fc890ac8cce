// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/duel/choice_bars.hpp"

#include <algorithm>

#include "ui/models/play/duel_text.hpp"
#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kChoiceBarHeight = 6, kLeastChoiceBar = 3 * kGrid;

QString choiceShare(float share) { return shareText(static_cast<double>(share)); }

}  // namespace

ChoiceBars::ChoiceBars(const Theme& theme, QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ChoiceBars::setChoices(const QStringList& names, const std::vector<float>& shares, int chosen) {
    if (names.size() != names_.size()) updateGeometry();
    names_ = names;
    shares_ = shares;
    chosen_ = chosen;
    update();
}

QString ChoiceBars::text() const {
    QStringList all;
    for (std::size_t i = 0; i < shares_.size(); ++i)
        all << QStringLiteral("%1 %2").arg(names_.value(static_cast<int>(i)), choiceShare(shares_[i]));
    return all.join(QStringLiteral(", "));
}

QSize ChoiceBars::sizeHint() const {
    const auto rows = (static_cast<int>(names_.size()) + columns() - 1) / columns();
    return {0, rows * fontMetrics().height()};
}

void ChoiceBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Tokens& t = tokens();
    const QFontMetrics font = fontMetrics();
    const int line = font.height(), cell = (width() - (columns() - 1) * 2 * kGrid) / columns(),
              number = font.horizontalAdvance(choiceShare(0.999F)) + kGrid;
    int name = 0;
    for (const QString& each : names_) name = std::max(name, font.horizontalAdvance(each) + kGrid);
    name = std::min(name, cell - number - kLeastChoiceBar);
    for (std::size_t i = 0; i < shares_.size(); ++i) {
        const auto index = static_cast<int>(i);
        const QRect row(index % columns() * (cell + 2 * kGrid), index / columns() * line, cell, line);
        const bool is_chosen = index == chosen_;
        painter.setPen(is_chosen ? t.text : t.muted);
        painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                         font.elidedText(names_.value(index), Qt::ElideRight, name - kGrid));
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, choiceShare(shares_[i]));
        QRectF bar(row.left() + name, row.center().y() - kChoiceBarHeight / 2.0 + 0.5, cell - name - number,
                   kChoiceBarHeight);
        drawRounded(painter, bar, kChoiceBarHeight / 2.0, t.line);
        const auto share = static_cast<double>(std::clamp(shares_[i], 0.0F, 1.0F));
        bar.setWidth(std::max<double>(kChoiceBarHeight, bar.width() * share));
        drawRounded(painter, bar, kChoiceBarHeight / 2.0, is_chosen ? t.accent : t.muted);
    }
}

}  // namespace seedbed::ui
