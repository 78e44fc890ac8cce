// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/population/lineage_view.hpp"

#include <algorithm>

#include <QHeaderView>
#include <QPainter>
#include <QSet>
#include <QStyledItemDelegate>

#include "ui/models/text/core_text.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

// Values of the column of rounds, and identity of a learner: member and first round.
constexpr int kFirstRole = Qt::UserRole, kLastRole = Qt::UserRole + 1, kFailedRole = Qt::UserRole + 2,
              kMemberRole = Qt::UserRole + 3, kIdRole = Qt::UserRole + 4;
constexpr int kBarWidth = 170, kInset = 8;

// Draws the rounds of a learner as a bar on the scale of all rounds.
class RoundsDelegate : public QStyledItemDelegate {
public:
    RoundsDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}

    // text_width: space for the widest numbers, so that all bars have the same scale.
    void setRounds(qint64 rounds, int text_width) {
        rounds_ = std::max<qint64>(1, rounds);
        text_width_ = text_width;
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const QRectF area = QRectF(option.rect).adjusted(kInset, 0, -text_width_ - 2 * kInset, 0);
        if (area.width() < 20) return;
        const double width = area.width() / static_cast<double>(rounds_);
        const double left = area.left() + width * (index.data(kFirstRole).toDouble() - 1);
        const double right = area.left() + width * index.data(kLastRole).toDouble();
        const double middle = area.center().y();
        const bool is_selected = option.state & QStyle::State_Selected;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(
            QPen(is_selected ? option.palette.color(QPalette::HighlightedText) : theme_.line(), 1));
        painter->drawLine(QPointF(area.left(), middle), QPointF(area.right(), middle));
        painter->setPen(Qt::NoPen);
        painter->setBrush(is_selected                        ? option.palette.color(QPalette::HighlightedText)
                          : index.data(kFailedRole).toBool() ? theme_.bad()
                                                             : theme_.seriesColour(0));
        painter->drawRoundedRect(QRectF(left, middle - 4, std::max(3.0, right - left), 8), 2, 2);
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(kBarWidth, 6);
    }

private:
    const Theme& theme_;
    qint64 rounds_ = 1;
    int text_width_ = 0;
};

}  // namespace

QString settingTitle(const QString& key) { return readableName(key.section(QLatin1Char('.'), 1)); }

LineageView::LineageView(const Theme& theme, QWidget* parent) : QTreeWidget(parent), theme_(theme) {
    setObjectName(QStringLiteral("lineage"));
    setAccessibleName(tr("Lineage"));
    setAlternatingRowColors(true);
    setSelectionBehavior(SelectRows);
    setItemDelegateForColumn(kRounds, new RoundsDelegate(theme, this));
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

int LineageView::currentMember() const {
    return currentItem() == nullptr ? 0 : currentItem()->data(kLearner, kMemberRole).toInt();
}

void LineageView::setPopulation(const PopulationDetails& population) {
    if (population == population_) return;
    const bool is_same = population.id == population_.id;
    const QString kept =
        is_same && currentItem() != nullptr ? currentItem()->data(kLearner, kIdRole).toString() : QString();
    QSet<QString> collapsed;
    for (QTreeWidgetItemIterator each(this); is_same && *each != nullptr; ++each)
        if ((*each)->childCount() > 0 && !(*each)->isExpanded())
            collapsed += (*each)->data(kLearner, kIdRole).toString();
    population_ = population;
    clear();
    QStringList heads{tr("Learner"), tr("Rounds"), tr("Score")};
    for (const QString& key : population.keys) heads += settingTitle(key);
    setColumnCount(static_cast<int>(heads.size()));
    setHeaderLabels(heads);
    const QString longest = QStringLiteral("%1–%1").arg(countText(population.rounds));
    static_cast<RoundsDelegate*>(itemDelegateForColumn(kRounds))
        ->setRounds(population.rounds, fontMetrics().horizontalAdvance(longest));
    std::vector<QTreeWidgetItem*> items;
    for (const PopulationLearner& learner : population.lineage) {
        const bool has_parent = learner.parent >= 0 && learner.parent < static_cast<int>(items.size());
        items.push_back(
            addLearner(learner, has_parent ? items[static_cast<std::size_t>(learner.parent)] : nullptr));
    }
    expandAll();
    for (QTreeWidgetItem* item : items) {
        const QString id = item->data(kLearner, kIdRole).toString();
        if (collapsed.contains(id)) item->setExpanded(false);
        if (id == kept) setCurrentItem(item);
    }
}

// Lines from each learner to its copies; the style draws only the arrows.
void LineageView::drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const {
    painter->save();
    painter->setPen(QPen(theme_.quiet(), 1));
    const bool has_arrow = model()->hasChildren(index);
    const int half = indentation() / 2;
    // The column of indentation in which the line of the item's parent runs.
    int x = rect.right() - indentation() - half;
    for (QModelIndex item = index; item.parent().isValid(); item = item.parent(), x -= indentation()) {
        const bool has_next =
            item.siblingAtRow(item.row() + 1).isValid() && item.row() + 1 < model()->rowCount(item.parent());
        if (item == index) {
            painter->drawLine(x, rect.top(), x, has_next ? rect.bottom() : rect.center().y());
            painter->drawLine(x, rect.center().y(),
                              has_arrow ? rect.right() - indentation() + 2 : rect.right() - 2,
                              rect.center().y());
        } else if (has_next) {
            painter->drawLine(x, rect.top(), x, rect.bottom());
        }
    }
    painter->restore();
    QTreeWidget::drawBranches(painter, rect, index);
}

QTreeWidgetItem* LineageView::addLearner(const PopulationLearner& learner, QTreeWidgetItem* parent) {
    auto* item = parent == nullptr ? new QTreeWidgetItem(this) : new QTreeWidgetItem(parent);
    const bool is_alive = learner.last_round >= population_.round;
    const bool is_best = is_alive && population_.best && population_.best->member == learner.member;
    item->setText(kLearner,
                  is_best ? tr("Member %1 (best)").arg(learner.member) : tr("Member %1").arg(learner.member));
    item->setText(kRounds, learner.first_round == learner.last_round
                               ? countText(learner.first_round)
                               : QStringLiteral("%1–%2").arg(countText(learner.first_round),
                                                             countText(learner.last_round)));
    item->setText(kScore, learner.score ? shortNumber(*learner.score) : QStringLiteral("–"));
    for (std::size_t i = 0; i < learner.settings.size(); ++i)
        item->setText(kFirstSetting + static_cast<int>(i), shortNumber(learner.settings[i]));
    const QString steps =
        tr("Steps %1 to %2").arg(countText(learner.begin_step), countText(learner.end_step));
    const QString tip =
        learner.error.isEmpty() ? steps : steps + QLatin1Char('\n') + tr("Failed: %1").arg(learner.error);
    QFont bold = font();
    bold.setBold(is_best);
    for (int column = 0; column < columnCount(); ++column) {
        item->setToolTip(column, tip);
        item->setFont(column, bold);
        if (column != kLearner) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    item->setData(kRounds, kFirstRole, learner.first_round);
    item->setData(kRounds, kLastRole, learner.last_round);
    item->setData(kRounds, kFailedRole, !learner.error.isEmpty());
    item->setData(kLearner, kMemberRole, learner.member);
    item->setData(kLearner, kIdRole, QStringLiteral("%1/%2").arg(learner.member).arg(learner.first_round));
    return item;
}

}  // namespace seedbed::ui
