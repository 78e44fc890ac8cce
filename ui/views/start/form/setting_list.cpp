// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/form/setting_list.hpp"

#include <utility>

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include "ui/models/config_form.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/start/form/setting_row.hpp"
#include "ui/views/style/card.hpp"
#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {
namespace {

// Making all rows at once would block the window for a tenth of a second.
constexpr int kNewRowsPerTurn = 6;

}  // namespace

SettingList::SettingList(ConfigForm& form, const ConfigFormFilter& filter, const Theme& theme,
                         QWidget* parent)
    : QScrollArea(parent), form_(form), filter_(filter), theme_(theme) {
    setObjectName(QStringLiteral("settings"));
    setAccessibleName(tr("Settings"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Always takes its space, so that a search does not change the widths.
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    // Tab moves between the fields; the area scrolls to the focused one.
    setFocusPolicy(Qt::NoFocus);
    auto* inside = new QWidget;
    setWidget(inside);
    column_ = new QVBoxLayout(inside);
    column_->setContentsMargins(0, 0, kGrid, 2 * kGrid);
    column_->setSpacing(2 * kGrid);
    none_ = new QLabel(tr("No setting matches."), inside);
    none_->setAlignment(Qt::AlignCenter);
    none_->hide();
    column_->addWidget(none_);
    more_ = new QPushButton(tr("Show all settings"), inside);
    more_->setObjectName(QStringLiteral("show-all-settings"));
    more_->setAccessibleName(more_->text());
    column_->addWidget(more_, 0, Qt::AlignHCenter);
    column_->addStretch(1);
    connect(more_, &QPushButton::clicked, this, &SettingList::moreRequested);
    arrange_later_.setSingleShot(true);
    connect(&arrange_later_, &QTimer::timeout, this, &SettingList::arrange);
    const auto later = [this] { arrange_later_.start(0); };
    connect(&form, &ConfigForm::modelReset, this, &SettingList::clear);
    connect(&form, &ConfigForm::dataChanged, this, [this](const QModelIndex& at) {
        const FormField* field = form_.fieldAt(at);
        if (const auto row = field != nullptr ? rows_.find(field->key) : rows_.end(); row != rows_.end())
            row->second->refresh();
    });
    for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&filter, changed, this, later);
    connect(&filter, &QAbstractItemModel::modelReset, this, later);
    connect(&filter, &QAbstractItemModel::layoutChanged, this, later);
}

void SettingList::clear() {
    for (const Group& group : groups_) {
        group.card->hide();  // a field with the focus loses it while its row exists
        delete group.card;
    }
    groups_.clear();
    rows_.clear();
    Q_EMIT problemChanged();
}

QStringList SettingList::valuesOf(const QString& key) const {
    for (const GridAxis& axis : grid_)
        if (axis.key == key) return axis.values;
    return {};
}

SettingRow* SettingList::makeRow(const QString& key, int section) {
    while (static_cast<int>(groups_.size()) <= section) {
        auto* card = new Card(widget());
        auto* rows = new QVBoxLayout(card);
        rows->setContentsMargins(2 * kGrid, 2 * kGrid, 2 * kGrid, 2 * kGrid);
        rows->setSpacing(2 * kGrid);
        auto* title = new QLabel(form_.index(static_cast<int>(groups_.size()), 0).data().toString(), card);
        title->setFont(textFont(TextSize::section, QFont::DemiBold));
        rows->addWidget(title);
        card->hide();
        column_->insertWidget(static_cast<int>(groups_.size()), card);
        groups_.push_back({card, rows});
    }
    const Group& group = groups_[static_cast<std::size_t>(section)];
    auto* row = new SettingRow(form_, key, like_, theme_, group.card);
    row->setValues(valuesOf(key));
    connect(row, &SettingRow::varied, this, &SettingList::varied);
    connect(row, &SettingRow::problemChanged, this, &SettingList::problemChanged);
    return rows_[key] = row;
}

// Shows and hides rows in the order of the form, and makes a few that are missing.
void SettingList::arrange() {
    widget()->setUpdatesEnabled(false);
    bool any = false;
    int new_rows = 0;
    QWidget* before = before_;
    for (int section = 0; section < form_.rowCount(); ++section) {
        const QModelIndex parent = form_.index(section, 0);
        bool group_shows = false;
        for (int place = 0, shown = 1; place < form_.rowCount(parent); ++place) {
            const QModelIndex at = form_.index(place, 0, parent);
            const QString& key = form_.fieldAt(at)->key;
            const bool shows = filter_.mapFromSource(at).isValid() || (!strict_ && !valuesOf(key).isEmpty());
            const auto made = rows_.find(key);
            if (made == rows_.end() && (!shows || ++new_rows > kNewRowsPerTurn)) continue;
            SettingRow* row = made != rows_.end() ? made->second : makeRow(key, section);
            QVBoxLayout* rows = groups_[static_cast<std::size_t>(section)].rows;
            if (rows->indexOf(row) != shown) rows->insertWidget(shown, row);
            ++shown;
            row->setVisible(shows);
            group_shows = group_shows || shows;
            before = row->followTab(before);
        }
        if (section < static_cast<int>(groups_.size()))
            groups_[static_cast<std::size_t>(section)].card->setVisible(group_shows);
        any = any || group_shows;
    }
    none_->setVisible(!any && form_.rowCount() > 0);
    widget()->setUpdatesEnabled(true);
    fitHeight(*this);
    if (new_rows > kNewRowsPerTurn) return arrange_later_.start(0);
    if (wanted_.isEmpty() || form_.field(wanted_) == nullptr) return;
    // Delayed until the rows have their places.
    QTimer::singleShot(0, this, [this] {
        const auto row = rows_.find(std::exchange(wanted_, QString()));
        if (row == rows_.end()) return;
        const int top = row->second->mapTo(widget(), QPoint()).y();
        verticalScrollBar()->setValue(top - (viewport()->height() - row->second->height()) / 2);
    });
}

void SettingList::setGrid(const QList<GridAxis>& grid) {
    grid_ = grid;
    for (const auto& [key, row] : rows_) row->setValues(valuesOf(key));
    arrange_later_.start(0);
}

void SettingList::setStrict(bool strict) {
    strict_ = strict;
    arrange_later_.start(0);
}

void SettingList::setHasMore(bool has_more) { more_->setVisible(has_more); }

bool SettingList::commit() {
    bool good = true;
    for (const auto& [key, row] : rows_) good = row->commit() && good;
    return good;
}

QString SettingList::problem() const {
    QStringList all;
    for (const auto& [key, row] : rows_)
        if (const QString problem = row->problem(); !problem.isEmpty()) all += problem;
    return all.join(QLatin1Char('\n'));
}

void SettingList::showSetting(const QString& key) {
    wanted_ = key;
    arrange_later_.start(0);
}

QString SettingList::focusedKey() const {
    for (const auto& [key, row] : rows_)
        if (row->isAncestorOf(QApplication::focusWidget())) return key;
    return {};
}

void SettingList::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    fitHeight(*this);
}

}  // namespace seedbed::ui
