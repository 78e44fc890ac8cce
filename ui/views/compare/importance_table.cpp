// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/compare/importance_table.hpp"

#include <algorithm>
#include <cmath>

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QVBoxLayout>

#include "ui/models/compare_text.hpp"
#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

enum ImportanceColumn : int { kSettingColumn, kShareColumn, kResultColumn, kImportanceColumns };
enum ImportanceRole : int { kShareRole = Qt::UserRole + 1, kChanceRole, kExplainsRole };

// The share as a bar below its text, with a mark at the share that chance may give.
class ShareDelegate : public QStyledItemDelegate {
public:
    explicit ShareDelegate(QObject* parent) : QStyledItemDelegate(parent) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem text = option;
        text.displayAlignment = Qt::AlignLeft | Qt::AlignTop;
        QStyledItemDelegate::paint(painter, text, index);
        const QVariant share = index.data(kShareRole);
        if (!share.isValid()) return;
        const PainterState state(*painter);
        const QRectF track(option.rect.left() + 4, option.rect.bottom() - 10, option.rect.width() - 8, 6);
        drawRounded(*painter, track, 3, tokens().line);
        QRectF bar = track;
        bar.setWidth(track.width() * share.toDouble());
        drawRounded(*painter, bar, 3, index.data(kExplainsRole).toBool() ? tokens().accent : tokens().faint);
        const double x = track.left() + track.width() * index.data(kChanceRole).toDouble();
        painter->setPen(QPen(tokens().text, 2));
        painter->drawLine(QPointF(x, track.top() - 2), QPointF(x, track.bottom() + 2));
    }
};

}  // namespace

ImportanceTable::ImportanceTable(const Theme& theme, QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    title_ = new QLabel(tr("Importance of the settings"), this);
    title_->setFont(textFont(TextSize::body, QFont::DemiBold));
    title_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    column->addWidget(title_);
    table_ = new QTableWidget(0, kImportanceColumns, this);
    table_->setObjectName(QStringLiteral("importance"));
    table_->setHorizontalHeaderLabels({tr("Setting"), tr("Explains"), tr("Result")});
    table_->horizontalHeaderItem(kShareColumn)
        ->setToolTip(
            tr("Share of the variance of the score between the values of the setting, corrected for "
               "chance. The mark is the share that one of these settings reaches by chance in 5 % of "
               "sweeps."));
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setTabKeyNavigation(false);
    table_->setAccessibleName(title_->text());
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(2 * fontMetrics().height() + 8);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table_->setItemDelegateForColumn(kShareColumn, new ShareDelegate(table_));
    column->addWidget(table_, 1);
    note_ = new QLabel(this);
    note_->setObjectName(QStringLiteral("importance-note"));
    note_->setTextFormat(Qt::PlainText);
    note_->setWordWrap(true);
    note_->setAlignment(Qt::AlignTop);
    setTextColour(note_, theme, TextColour::quiet);
    column->addWidget(note_);
    connect(&theme, &Theme::changed, table_, [this] { table_->viewport()->update(); });
    setImportance({});
}

void ImportanceTable::setImportance(const Importance& importance) {
    const auto percent = [](double share) { return tr("%1 %").arg(std::lround(100 * share)); };
    table_->setVisible(importance.state == Importance::State::measured);
    table_->setRowCount(static_cast<int>(importance.settings.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        const SettingImportance& one = importance.settings[static_cast<std::size_t>(row)];
        QStringList short_names, names;
        for (const std::string& field : one.fields) {
            names << QString::fromStdString(field);
            short_names << names.back().section(QLatin1Char('.'), -1);
        }
        const bool tested = one.verdict != SettingImportance::Verdict::too_few;
        const bool explains = one.verdict == SettingImportance::Verdict::explains;
        const QStringList texts{short_names.join(QStringLiteral(", ")),
                                tested ? percent(one.share) : QStringLiteral("–"),
                                explains ? tr("p = %1").arg(pValueText(one.p_value))
                                : tested ? tr("not beyond chance")
                                         : tr("too few runs for its values")};
        QString help = names.join(QStringLiteral(", ")) + QLatin1Char('\n') +
                       tr("%n run(s)", nullptr, static_cast<int>(one.runs)) + QStringLiteral(", ") +
                       tr("%n value(s) or range(s)", nullptr, static_cast<int>(one.groups));
        if (tested)
            help += QLatin1Char('\n') +
                    tr("%1 by chance, at most; p = %2").arg(percent(one.chance), pValueText(one.p_value));
        if (tested && !explains) help += QLatin1Char('\n') + tr("not distinguishable from chance");
        if (names.size() > 1) help += QLatin1Char('\n') + tr("These settings always changed together.");
        for (int c = 0; c < kImportanceColumns; ++c) {
            if (table_->item(row, c) == nullptr) table_->setItem(row, c, new QTableWidgetItem());
            table_->item(row, c)->setText(texts[c]);
            table_->item(row, c)->setToolTip(help);
        }
        QTableWidgetItem& share = *table_->item(row, kShareColumn);
        share.setData(kShareRole, tested ? QVariant(one.share) : QVariant());
        share.setData(kChanceRole, one.chance);
        share.setData(kExplainsRole, explains);
    }
    switch (importance.state) {
        case Importance::State::measured:
            note_->setText(
                tr("Each setting is measured alone, over %n run(s). The effects of settings that were varied "
                   "together cannot be separated.",
                   nullptr, static_cast<int>(importance.runs)));
            break;
        case Importance::State::too_few_runs:
            note_->setText(tr("Importance needs at least %1 runs with a score; these are %2.")
                               .arg(kMinImportanceRuns)
                               .arg(importance.runs));
            break;
        case Importance::State::other_tasks:
            note_->setText(tr("The runs are of different tasks, so their scores cannot be compared."));
            break;
        case Importance::State::no_setting:
            note_->setText(tr("No setting differs between the runs, except the seed."));
            break;
    }
}

}  // namespace seedbed::ui
