// SPDX-License-Identifier: GPL-3.0-or-later
// The choices of a player with their probabilities, as bars. Thread: GUI.
#pragma once

#include <vector>

#include <QStringList>
#include <QWidget>

namespace seedbed::ui {

class Theme;

class ChoiceBars : public QWidget {
    Q_OBJECT

public:
    static constexpr int kMost = 6;

    ChoiceBars(const Theme& theme, QWidget* parent);

    // At most kMost names; shares: a probability for each, or none while there is no decision. chosen: index
    // of the action.
    void setChoices(const QStringList& names, const std::vector<float>& shares, int chosen);
    // "push left 93 %, push right 7 %".
    QString text() const;

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    // More than three are in two columns.
    int columns() const { return names_.size() > 3 ? 2 : 1; }

    QStringList names_;
    std::vector<float> shares_;
    int chosen_ = -1;
};

}  // namespace seedbed::ui
