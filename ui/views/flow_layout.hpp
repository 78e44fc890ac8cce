// SPDX-License-Identifier: GPL-3.0-or-later
// Widgets side by side as they are wide, and on further lines where a line is full: rows of controls in
// windows of any width.
#pragma once

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
    QSize sizeHint() const override;  // one line
    void setGeometry(const QRect& rect) override;

private:
    int place(const QRect& rect, bool only_measure) const;

    std::vector<QLayoutItem*> items_;
};

// Lets what scrolls have the height that its layout needs at this width, also when it was arranged while
// nobody saw it: layouts of hidden widgets tell their area nothing.
void fitHeight(QScrollArea& area);

}  // namespace seedbed::ui
