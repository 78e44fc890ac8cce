// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of the checkpoints and events of a run.
#pragma once

#include <QWidget>

#include "ui/models/run_report.hpp"

class QPushButton;
class QTreeWidget;

namespace seedbed::ui {

class CheckpointList : public QWidget {
    Q_OBJECT
public:
    explicit CheckpointList(QWidget* parent = nullptr);
    void setReport(const RunReport* report);
    int count() const;

Q_SIGNALS:
    void watchRequested(std::int64_t step);
    void exportRequested(std::int64_t step);

private:
    std::optional<std::int64_t> chosen() const;
    QString shown_;
    QTreeWidget* list_;
    QPushButton *watch_, *export_;
};

class EventList : public QWidget {
    Q_OBJECT
public:
    explicit EventList(QWidget* parent = nullptr);
    void setReport(const RunReport* report);
    int count() const;

private:
    QString shown_;
    QTreeWidget* list_;
};

}  // namespace seedbed::ui
