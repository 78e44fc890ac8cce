// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of runs with their statistics, differences to the pinned baseline, and what they mean in words.
#pragma once

#include <QWidget>

#include "ui/models/compare_data.hpp"

class QComboBox;
class QLabel;
class QPushButton;
class QTableWidget;

namespace seedbed::ui {

class Theme;

class GroupsView : public QWidget {
    Q_OBJECT
public:
    explicit GroupsView(const Theme& theme, QWidget* parent = nullptr);

    void setData(std::shared_ptr<const CompareData> data);
    // What the verdicts say, one line per group; for tests and screen readers.
    QString verdicts() const;

Q_SIGNALS:
    void baselineWanted(const QString& key);
    void seedsWanted(const QString& key, int count);
    // Where scores of runs that are not equally far are to be taken.
    void scoresWanted(seedbed::ScoreAt at);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    const ComparedGroup* chosen() const;
    void fitColumns();
    void chosenChanged();
    void describeScores();

    const Theme& theme_;
    std::shared_ptr<const CompareData> data_;
    QStringList keys_;               // of the groups that are shown
    bool widths_are_users_ = false;  // of the columns, until other groups are shown
    bool fitting_ = false;
    QTableWidget* table_;
    QLabel* note_;
    QPushButton *pin_, *seeds_;
    QComboBox* at_;
};

}  // namespace seedbed::ui
