// SPDX-License-Identifier: GPL-3.0-or-later
// Parallel coordinates: a vertical axis per setting and one for the score, and a line per run, coloured by
// its score. Ranges on axes fade the lines outside. Thread: GUI.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <QWidget>

#include "ui/models/sweep/parallel_data.hpp"

namespace seedbed::ui {

class Theme;

class ParallelPlot : public QWidget {
    Q_OBJECT
public:
    explicit ParallelPlot(const Theme& theme, QWidget* parent = nullptr);

    // Keeps the ranges and the selected run if the axes and the run are still there.
    void setData(ParallelData data);
    const ParallelData& data() const { return data_; }

    // A range of places on an axis; nullopt if all runs are inside.
    void setRange(std::size_t axis, std::optional<std::pair<double, double>> range);
    bool hasRanges() const;
    void clearRanges();
    // Whether a line is inside all ranges. Runs without a value are outside the range of that axis.
    bool isInside(std::size_t line) const;
    int insideCount() const;

    void select(std::optional<std::size_t> line);
    // The line under the pointer, or else the selected one.
    std::optional<std::size_t> shown() const { return hovered_ ? hovered_ : selected_; }
    // "run 3: learning_rate 0.01, gamma 0.9, Score 480"; "" for none.
    QString textOf(std::optional<std::size_t> line) const;
    QPointF pointOf(std::size_t line, std::size_t axis) const;
    QColor colourOf(std::size_t line) const;

    QSize minimumSizeHint() const override;

Q_SIGNALS:
    // Another run is shown, or the ranges changed.
    void changed();
    void runRequested(seedbed::RunId run);
    // The axis that the keyboard changes should be visible.
    void axisFocused(int x);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    double xOf(std::size_t axis) const;
    double yOf(double place) const;
    double placeAt(double y) const;
    std::optional<std::size_t> axisAt(QPointF at) const;
    std::optional<std::size_t> lineAt(QPointF at) const;
    void selectNext(int by);
    void limit(bool upper);
    void drawAxis(QPainter& painter, std::size_t axis) const;
    void drawLine(QPainter& painter, std::size_t line, double width, const QColor& colour) const;
    void refresh();

    const Theme& theme_;
    ParallelData data_;
    std::vector<std::optional<std::pair<double, double>>> ranges_;  // per axis
    std::optional<std::size_t> hovered_, selected_;
    std::size_t axis_ = 0;  // changed by keys
    std::optional<std::size_t> dragged_;
    double pressed_at_ = 0;  // place
    bool moved_ = false;
};

}  // namespace seedbed::ui
