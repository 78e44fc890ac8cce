// SPDX-License-Identifier: GPL-3.0-or-later
// The ratings of the versions of a run over its steps, with their intervals.
#pragma once

#include <functional>
#include <vector>

#include <QWidget>

#include "ui/models/league/league_list.hpp"

namespace seedbed::ui {

class Theme;

class VersionsView : public QWidget {
    Q_OBJECT
public:
    explicit VersionsView(const Theme& theme, QWidget* parent = nullptr);
    // name: of a run.
    void setLeague(const LeagueDetails& league, const std::function<QString(RunId)>& name);
    // Unless two versions of a run have games.
    bool isEmpty() const { return runs_.empty(); }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QRectF plot() const;
    QPointF place(const LeagueVersion& version) const;
    static QString versionText(const QString& run, const LeagueVersion& version);

    const Theme& theme_;
    std::vector<LeagueVersions> runs_;
    QStringList names_;          // of the runs
    double low_ = 0, high_ = 0;  // of the ratings
    qint64 last_step_ = 1;
};

}  // namespace seedbed::ui
