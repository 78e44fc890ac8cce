// SPDX-License-Identifier: GPL-3.0-or-later
// The left edge of the window: its name, the pages with how many runs they show, and the run that trains.
#pragma once

#include <optional>

#include <QListWidget>
#include <QWidget>

namespace seedbed::ui {

class Theme;

// A run that trains, or several together. Thread: GUI.
struct TrainingState {
    qlonglong run = 0;  // 0: several
    QString name;
    std::optional<double> part{};  // of the planned steps, 0 to 1; empty if there is no limit
    QString speed;
    bool operator==(const TrainingState&) const = default;
};

class SideBar : public QWidget {
    Q_OBJECT

public:
    SideBar(const Theme& theme, QWidget* parent = nullptr);

    // icon: see Theme::icon().
    void addPage(const QString& id, const QString& title, const char* icon);
    // Shows a number at the right of a page's title; 0 shows none.
    void setCount(const QString& page, int count);
    void select(const QString& page);
    QSize sizeHint() const override;
    // Shows only icons, for narrow windows.
    void setCompact(bool compact);
    // Empty hides the card.
    void showTraining(const std::optional<TrainingState>& state);

Q_SIGNALS:
    void pageSelected(const QString& id);
    // The user clicked the card of this run; 0 for several.
    void trainingSelected(qlonglong run);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QListWidgetItem* itemOf(const QString& page) const;
    void fitWidth();

    const Theme& theme_;
    QListWidget* pages_;
    class TrainingCard* card_;
    bool compact_ = false;
    int wide_ = 0;  // width with titles
};

}  // namespace seedbed::ui
