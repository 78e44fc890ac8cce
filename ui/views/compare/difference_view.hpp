// SPDX-License-Identifier: GPL-3.0-or-later
// The settings in which the compared groups differ; optionally all settings.
#pragma once

#include <memory>

#include <QWidget>

#include "ui/models/compare_data.hpp"

class QCheckBox;
class QLabel;
class QTableWidget;

namespace seedbed::ui {

class DifferenceView : public QWidget {
    Q_OBJECT
public:
    explicit DifferenceView(QWidget* parent = nullptr);

    void setData(std::shared_ptr<const CompareData> data);
    void showEqual(bool equal);
    int fields() const;

private:
    void fill();

    std::shared_ptr<const CompareData> data_;
    QCheckBox* equal_;
    QLabel* note_;
    QStringList shown_;  // contents of the table
    QTableWidget* table_;
};

}  // namespace seedbed::ui
