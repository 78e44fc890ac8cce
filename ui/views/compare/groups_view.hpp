// SPDX-License-Identifier: GPL-3.0-or-later
// The table of compared groups: statistics, difference from the baseline, and verdict.
#pragma once

#include <QWidget>

#include "ui/models/compare_data.hpp"

class QComboBox;
class QLabel;
class QPushButton;
class QTableWidget;
class QTableWidgetItem;

namespace seedbed::ui {

class Theme;

class GroupsView : public QWidget {
    Q_OBJECT
public:
    explicit GroupsView(const Theme& theme, QWidget* parent = nullptr);

    void setData(std::shared_ptr<const CompareData> data);
    // The verdicts, one line per group; for tests and screen readers.
    QString verdicts() const;
    // Explains the number in the current cell. False: it has none.
    bool explainCurrent();

Q_SIGNALS:
    void baselineRequested(const QString& key);
    void seedsRequested(const QString& key, int count);
    // The user selected at which step to compare scores.
    void scoresRequested(seedbed::ScoreAt at);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    const ComparedGroup* chosen() const;
    bool explainable(int row, int column) const;
    void explainAt(int row, int column);
    void makeTable();
    void fitColumns();
    void chosenChanged();
    void describeScores();
    QTableWidgetItem* put(int row, int column, const QString& text);
    void fillRow(int row, const ComparedGroup& group);
    void fillBaseline(int row, const RunGroup& group, const QString& notes);
    void fillDifference(int row, const GroupDifference& difference, const QString& notes);
    QString noteText() const;

    const Theme& theme_;
    std::shared_ptr<const CompareData> data_;
    QStringList keys_;               // keys of the shown groups
    bool widths_are_users_ = false;  // the user resized columns; reset when other groups are shown
    bool fitting_ = false;
    QTableWidget* table_;
    QLabel* note_;
    QPushButton *pin_, *seeds_;
    QComboBox* score_at_;
};

}  // namespace seedbed::ui
