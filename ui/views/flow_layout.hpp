// SPDX-License-Identifier: GPL-3.0-or-later
// A layout that wraps its widgets into rows.
#pragma once

#include <algorithm>
#include <vector>

#include <QLayout>

class QScrollArea;

namespace seedbed::ui {

class FlowLayout : public QLayout {
    Q_OBJECT
public:
    explicit FlowLayout(QWidget* parent = nullptr);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override { items_.push_back(item); }
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place(QRect(0, 0, width, 0), true); }
    QSize minimumSize() const override;
    QSize sizeHint() const override;  // size of one row
    void setGeometry(const QRect& rect) override;

private:
    int place(const QRect& rect, bool only_measure) const;

    std::vector<QLayoutItem*> items_;
};

// Gives the contents of a scroll area the height that their layout needs at the current width. Required after
// arranging hidden widgets, because their layouts do not notify the area.
void fitHeight(QScrollArea& area);

}  // namespace seedbed::ui
