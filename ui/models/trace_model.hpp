// SPDX-License-Identifier: GPL-3.0-or-later
// The latest decisions of the watched agent: what the time line draws, and as a table, newest first.
#pragma once

#include <memory>
#include <vector>

#include <QAbstractTableModel>

#include "core/control/player_frame.hpp"
#include "ui/models/player_client.hpp"

namespace seedbed::ui {

// One action leaf as labels.
struct ActionNames {
    QString leaf{};
    bool discrete = true;
    QStringList names{};  // of choices or dimensions
};
std::vector<ActionNames> actionNames(const std::vector<ActionLeaf>& leaves);
// "right", "steering −0.31, gas 0.80".
QString actionText(const std::vector<ActionNames>& names, const std::vector<float>& action);

// Thread: the window's.
class TraceModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    // Columns of `shown` per leaf come after these.
    enum Column {
        row_column,
        step_column,
        action_column,
        value_column,
        reward_column,
        return_column,
        end_column,
        shown_column
    };

    void setActions(const std::vector<ActionLeaf>& leaves);
    // Rows come at the top and go at the bottom, or the other way round when one steps back; those that stay
    // keep the current cell and the selection.
    void show(std::shared_ptr<const PlayerFrame> frame);

    const std::vector<PlayerRecord>& records() const;
    const std::vector<ActionNames>& names() const { return names_; }
    const std::shared_ptr<const PlayerFrame>& frame() const { return frame_; }
    // Text for screen readers of the present moment.
    QString sentence() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void shown();

private:
    const PlayerRecord& recordAt(int row) const;

    std::vector<ActionNames> names_;
    std::shared_ptr<const PlayerFrame> frame_;
    // Records of frame_ that are no rows (any more, or yet), oldest and newest ones; not 0 only while show()
    // changes frames.
    std::size_t left_out_ = 0, left_out_newest_ = 0;
};

QString endText(EpisodeMark end);

}  // namespace seedbed::ui
