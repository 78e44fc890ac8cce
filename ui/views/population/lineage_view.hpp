// SPDX-License-Identifier: GPL-3.0-or-later
// The lineage of a population as a tree: each line is a learner with its settings and the rounds in which it
// trained, drawn as a bar; a branch is a copy.
#pragma once

#include <QTreeWidget>

#include "ui/models/population/population_list.hpp"

namespace seedbed::ui {

class Theme;

class LineageView : public QTreeWidget {
    Q_OBJECT
public:
    enum Column { kLearner, kRounds, kScore, kFirstSetting };

    explicit LineageView(const Theme& theme, QWidget* parent = nullptr);
    // Keeps the current learner and collapsed branches.
    void setPopulation(const PopulationDetails& population);
    // The member whose learner is current; 0: none.
    int currentMember() const;

protected:
    void drawBranches(QPainter* painter, const QRect& rect, const QModelIndex& index) const override;

private:
    QTreeWidgetItem* addLearner(const PopulationLearner& learner, QTreeWidgetItem* parent);

    const Theme& theme_;
    PopulationDetails population_;
};

// "algo.learning_rate" as in the form: "Learning rate".
QString settingTitle(const QString& key);

}  // namespace seedbed::ui
