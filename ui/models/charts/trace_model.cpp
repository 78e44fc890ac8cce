// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/charts/trace_model.hpp"

#include <algorithm>
#include <cmath>

#include "ui/models/text/core_text.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {

std::vector<ActionNames> actionNames(const std::vector<ActionLeaf>& leaves) {
    std::vector<ActionNames> all;
    for (const ActionLeaf& leaf : leaves) {
        ActionNames names{QString::fromStdString(leaf.name), leaf.kind == ActionLeaf::Kind::discrete, {}};
        const int count = names.discrete ? leaf.n : static_cast<int>(leaf.low.size());
        for (int i = 0; i < count; ++i) {
            const bool labelled = static_cast<std::size_t>(i) < leaf.labels.size();
            names.names << (labelled ? coreText(leaf.labels[static_cast<std::size_t>(i)])
                                     : QStringLiteral("%1 %2").arg(names.leaf).arg(i));
        }
        all.push_back(std::move(names));
    }
    return all;
}

QString actionText(const std::vector<ActionNames>& names, const std::vector<float>& action) {
    QStringList parts;
    std::size_t word = 0;
    for (const ActionNames& leaf : names) {
        const std::size_t words = leaf.discrete ? 1 : static_cast<std::size_t>(leaf.names.size());
        for (std::size_t i = 0; i < words && word < action.size(); ++i, ++word) {
            const auto value = static_cast<double>(action[word]);
            if (leaf.discrete) parts << leaf.names.value(static_cast<int>(value), QString::number(value));
            else parts << QStringLiteral("%1 %2").arg(leaf.names[static_cast<int>(i)], shortNumber(value));
        }
    }
    return parts.join(QStringLiteral(", "));
}

QString endText(EpisodeMark end) {
    switch (end) {
        case EpisodeMark::none: return {};
        case EpisodeMark::terminated: return TraceModel::tr("ended");
        case EpisodeMark::truncated: return TraceModel::tr("cut off by the time limit");
    }
    return {};
}

namespace {

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool sameRow(const PlayerRecord& a, const PlayerRecord& b) {
    const auto all = [](const std::vector<float>& x, const std::vector<float>& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
    };
    return a.row == b.row && a.episode == b.episode && a.step == b.step && a.decided == b.decided &&
           a.end == b.end && same(a.value, b.value) && same(a.reward, b.reward) &&
           a.return_so_far == b.return_so_far && all(a.action, b.action) && all(a.shown, b.shown);
}

// The rows that two traces have in common.
struct CommonRows {
    std::size_t from = 0, to = 0;  // index of the first common row in the older and in the newer trace
    std::size_t count = 0;
};

// Empty unless the common rows are contiguous in both traces.
CommonRows commonRows(const std::vector<PlayerRecord>& before, const std::vector<PlayerRecord>& now) {
    if (before.empty() || now.empty()) return {};
    const auto sameNumber = [](const PlayerRecord& a, const PlayerRecord& b) { return a.row == b.row; };
    const auto find = [](const std::vector<PlayerRecord>& in, std::uint64_t row) {
        return static_cast<std::size_t>(
            std::find_if(in.begin(), in.end(), [row](const PlayerRecord& r) { return r.row == row; }) -
            in.begin());
    };
    const std::size_t from = find(before, now.front().row),
                      to = from < before.size() ? 0 : find(now, before.front().row);
    if (from == before.size() && to == now.size()) return {};
    CommonRows common{from < before.size() ? from : 0, to, 0};
    common.count = std::min(before.size() - common.from, now.size() - common.to);
    const auto first = before.begin() + static_cast<std::ptrdiff_t>(common.from);
    if (!std::equal(first, first + static_cast<std::ptrdiff_t>(common.count),
                    now.begin() + static_cast<std::ptrdiff_t>(common.to), sameNumber))
        return {};
    return common;
}

}  // namespace

void TraceModel::setActions(const std::vector<ActionLeaf>& leaves) {
    beginResetModel();
    names_ = actionNames(leaves);
    frame_.reset();
    endResetModel();
}

void TraceModel::show(std::shared_ptr<const PlayerFrame> frame) {
    const std::vector<PlayerRecord>& before = records();
    const std::vector<PlayerRecord>& now = frame ? frame->trace : records();
    const bool known = frame && frame_ && frame->generation == frame_->generation;
    const auto [from, to, count] = known ? commonRows(before, now) : CommonRows();
    if (count == 0) {
        beginResetModel();
        frame_ = std::move(frame);
        endResetModel();
        Q_EMIT shown();
        return;
    }
    // The newest record is row 0. Removes old rows at both ends, then inserts the new ones.
    const auto rows = static_cast<int>(count);
    if (const std::size_t newest = before.size() - from - count; newest > 0) {
        beginRemoveRows({}, 0, static_cast<int>(newest) - 1);
        left_out_newest_ = newest;
        endRemoveRows();
    }
    if (from > 0) {
        beginRemoveRows({}, rows, rows + static_cast<int>(from) - 1);
        left_out_ = from;
        endRemoveRows();
    }
    // A reward becomes known only after its decision, so common rows may change.
    std::size_t changed_from = 0;
    while (changed_from < count && sameRow(before[from + changed_from], now[to + changed_from]))
        ++changed_from;
    const std::size_t newer = now.size() - to - count;
    frame_ = std::move(frame);
    left_out_ = to;
    left_out_newest_ = newer;
    if (to > 0) {
        beginInsertRows({}, rows, rows + static_cast<int>(to) - 1);
        left_out_ = 0;
        endInsertRows();
    }
    if (newer > 0) {
        beginInsertRows({}, 0, static_cast<int>(newer) - 1);
        left_out_newest_ = 0;
        endInsertRows();
    }
    if (changed_from < count) {
        const auto top = static_cast<int>(newer);
        Q_EMIT dataChanged(index(top, 0),
                           index(top + static_cast<int>(count - 1 - changed_from), columnCount() - 1));
    }
    Q_EMIT shown();
}

const std::vector<PlayerRecord>& TraceModel::records() const {
    static const std::vector<PlayerRecord> none;
    return frame_ ? frame_->trace : none;
}

QString TraceModel::sentence() const {
    if (!frame_) return {};
    const PlayerCell& cell = frame_->cells[static_cast<std::size_t>(frame_->focus)];
    // Between episodes, the final state of the last episode is shown.
    const PlayerRecord& now = cell.nowOf(frame_->focus_agent);
    const double last_return = cell.lastReturnOf(frame_->focus_agent);
    QString who;
    if (cell.agents() > 1) who = tr("Agent %1: ").arg(frame_->focus_agent + 1);
    if (!now.decided || (now.step == 0 && cell.last_end == EpisodeMark::terminated))
        return who + tr("Episode %1, return %2").arg(endText(cell.last_end), shortNumber(last_return));
    QString text = who + tr("Step %1, return %2").arg(countText(now.step), shortNumber(now.return_so_far));
    if (!now.action.empty())
        text += (now.source == DecisionSource::person ? tr(", your action %1") : tr(", action %1"))
                    .arg(actionText(names_, now.action));
    if (!std::isnan(now.value)) text += tr(", value %1").arg(shortNumber(static_cast<double>(now.value)));
    if (cell.last_end != EpisodeMark::none)
        text += tr("; last episode: return %1").arg(shortNumber(last_return));
    return text;
}

int TraceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(records().size() - left_out_ - left_out_newest_);
}

const PlayerRecord& TraceModel::recordAt(int row) const {
    return records()[records().size() - 1 - left_out_newest_ - static_cast<std::size_t>(row)];
}

int TraceModel::columnCount(const QModelIndex& parent) const {
    if (parent.isValid()) return 0;
    int columns = shown_column;
    for (const ActionNames& leaf : names_)
        columns += static_cast<int>(leaf.names.size()) * (leaf.discrete ? 1 : 2);
    return columns;
}

QVariant TraceModel::data(const QModelIndex& index, int role) const {
    if (role == Qt::TextAlignmentRole && index.column() != action_column && index.column() != end_column)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole || !index.isValid()) return {};
    const PlayerRecord& record = recordAt(index.row());
    switch (index.column()) {
        case row_column: return countText(static_cast<std::int64_t>(record.row));
        case step_column: return countText(record.step);
        case action_column:
            if (!record.decided) return tr("none: final state");
            return record.source == DecisionSource::person
                       ? tr("%1 (yours)").arg(actionText(names_, record.action))
                       : actionText(names_, record.action);
        case value_column: return shortNumber(static_cast<double>(record.value));
        case reward_column: return shortNumber(static_cast<double>(record.reward));
        case return_column: return shortNumber(record.return_so_far);
        case end_column: return endText(record.end);
        default: break;
    }
    const auto shown = static_cast<std::size_t>(index.column() - shown_column);
    return shown < record.shown.size() ? shortNumber(static_cast<double>(record.shown[shown])) : QVariant();
}

QVariant TraceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case row_column: return tr("Row");
        case step_column: return tr("Step");
        case action_column: return tr("Action");
        case value_column: return tr("Value");
        case reward_column: return tr("Reward");
        case return_column: return tr("Return so far");
        case end_column: return tr("Episode");
        default: break;
    }
    int column = section - shown_column;
    for (const ActionNames& leaf : names_) {
        const int size = static_cast<int>(leaf.names.size());
        if (leaf.discrete) {
            if (column < size) return tr("P(%1)").arg(leaf.names[column]);
            column -= size;
            continue;
        }
        if (column < size) return tr("Mean %1").arg(leaf.names[column]);
        if (column < 2 * size) return tr("σ %1").arg(leaf.names[column - size]);
        column -= 2 * size;
    }
    return {};
}

}  // namespace seedbed::ui
