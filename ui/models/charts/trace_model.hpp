// SPDX-License-Identifier: GPL-3.0-or-later
// The latest decisions of the watched agent: for the timeline, and as a table, newest first.
#pragma once

#include <memory>
#include <vector>

#include <QAbstractTableModel>

#include "core/control/player_frame.hpp"
#include "ui/models/play/player_client.hpp"

namespace seedbed::ui {

// Labels of one action leaf.
struct ActionNames {
    QString leaf{};
    bool discrete = true;
    QStringList names{};  // names of the choices or dimensions
};
std::vector<ActionNames> actionNames(const std::vector<ActionLeaf>& leaves);
// "right", "steering −0.31, gas 0.80".
QString actionText(const std::vector<ActionNames>& names, const std::vector<float>& action);

// Thread: GUI.
class TraceModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    // Columns from shown_column on contain the values of PlayerRecord::shown, per leaf.
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
    // Inserts and removes rows at both ends as needed. The current cell and the selection stay on their rows.
    void show(std::shared_ptr<const PlayerFrame> frame);

    const std::vector<PlayerRecord>& records() const;
    const std::vector<ActionNames>& names() const { return names_; }
    const std::shared_ptr<const PlayerFrame>& frame() const { return frame_; }
    // Describes the current step for screen readers.
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
    // Numbers of oldest and newest records in frame_ that have no row; nonzero only while show() changes
    // frames.
    std::size_t left_out_ = 0, left_out_newest_ = 0;
};

QString endText(EpisodeMark end);

}  // namespace seedbed::ui
