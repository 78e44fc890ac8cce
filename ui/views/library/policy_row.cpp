// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/library/policy_row.hpp"

#include <algorithm>

#include <QCoreApplication>
#include <QPainter>

#include "ui/models/library/policy_list.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {
namespace {

constexpr int kRowPadding = 12, kScoreGap = 16;
constexpr int kTextSlack = 2;  // texts can be wider than their advance

struct PolicyRowText {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::PolicyRow)
};

// Draws one line, elided; returns its width.
int drawPolicyLine(QPainter& painter, const QRect& area, int alignment, const QFont& font,
                   const QColor& colour, const QString& text, Qt::TextElideMode elide) {
    const QFontMetrics metrics(font);
    const QString shown = metrics.elidedText(text, elide, area.width());
    painter.setFont(font);
    painter.setPen(colour);
    painter.drawText(area, alignment | Qt::AlignVCenter | Qt::TextSingleLine, shown);
    return metrics.horizontalAdvance(shown);
}

}  // namespace

QSize PolicyRow::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    const int lines =
        QFontMetrics(textFont(TextSize::body)).height() + QFontMetrics(textFont(TextSize::caption)).height();
    return {0, lines + 2 * kGrid + kGrid / 2};
}

void PolicyRow::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto* list = qobject_cast<const PolicyList*>(index.model());
    if (list == nullptr) return;
    const LibraryPolicy& policy = list->policyAt(index.row());
    const Tokens& t = tokens();
    const PainterState state(*painter);
    const bool selected = (option.state & QStyle::State_Selected) != 0;
    const QRectF row = QRectF(option.rect).adjusted(0, 1, 0, -1);
    if (selected) drawRounded(*painter, row, kControlRadius, t.accent_soft);
    else if (option.state & QStyle::State_MouseOver)
        drawRounded(*painter, row, kControlRadius, mixed(t.surface, t.text, 0.05));
    else
        painter->fillRect(QRect(option.rect.left() + kRowPadding, option.rect.bottom(),
                                option.rect.width() - 2 * kRowPadding, 1),
                          mixed(t.surface, t.line, 0.7));
    if ((option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_KeyboardFocusChange))
        drawRounded(*painter, row, kControlRadius, Qt::transparent, t.accent, 1.5);

    const QFont strong = textFont(TextSize::body, QFont::DemiBold), small = textFont(TextSize::caption);
    QRect inside = option.rect.adjusted(kRowPadding, kGrid, -kRowPadding, -kGrid);
    const int first = QFontMetrics(strong).height();
    const auto line = [&](const QRect& area, bool upper) {
        return upper ? QRect(area.left(), area.top(), area.width(), first)
                     : QRect(area.left(), area.top() + first, area.width(), area.height() - first);
    };
    const auto mirrored = [&](const QRect& area) {
        return QStyle::visualRect(option.direction, option.rect, area);
    };

    if (policy.score) {
        const QString score = shortNumber(*policy.score), goal = goalText(policy);
        const int width =
            std::min(inside.width() / 3, kTextSlack + std::max(QFontMetrics(strong).horizontalAdvance(score),
                                                               QFontMetrics(small).horizontalAdvance(goal)));
        const QRect end(inside.right() + 1 - width, inside.top(), width, inside.height());
        const QColor colour = policy.reachesGoal() ? t.accent : t.text;
        drawPolicyLine(*painter, mirrored(line(end, true)), Qt::AlignRight, strong, colour, score,
                       Qt::ElideRight);
        drawPolicyLine(*painter, mirrored(line(end, false)), Qt::AlignRight, small,
                       policy.reachesGoal() ? t.accent : t.muted, goal, Qt::ElideRight);
        inside.setRight(end.left() - kScoreGap);
    }
    QRect name = line(inside, true);
    const QString mark = policy.isImported() ? PolicyRowText::tr("imported") : QString();
    const int mark_width = mark.isEmpty() ? 0 : QFontMetrics(small).horizontalAdvance(mark) + 2 * kGrid;
    name.setWidth(std::max(0, name.width() - mark_width - kGrid));
    const int used =
        drawPolicyLine(*painter, mirrored(name), Qt::AlignLeft, strong, t.text, policy.name, Qt::ElideMiddle);
    if (mark_width > 0) {
        const QRect pill = mirrored(QRect(name.left() + used + kGrid, name.top(), mark_width, first));
        drawRounded(*painter, pill, first / 2.0, mixed(t.surface, t.text, 0.08));
        drawPolicyLine(*painter, pill, Qt::AlignHCenter, small, t.muted, mark, Qt::ElideNone);
    }
    drawPolicyLine(*painter, mirrored(line(inside, false)), Qt::AlignLeft, small,
                   policy.problem.isEmpty() ? t.muted : t.bad, factsText(policy), Qt::ElideRight);
}

}  // namespace seedbed::ui
