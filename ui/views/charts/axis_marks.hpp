// SPDX-License-Identifier: GPL-3.0-or-later
// Marks on the x axis of a chart: where a run was resumed, saved, evaluated or solved; and levels to compare
// its curves with.
#pragma once

#include <optional>
#include <vector>

#include <QColor>
#include <QString>

#include "ui/views/charts/qcustomplot.hpp"

namespace seedbed::ui {

class Catalogue;

struct ChartMark {
    enum class Kind : std::uint8_t { resume, checkpoint, evaluation, solved };
    Kind kind = Kind::checkpoint;
    double x = 0;
    QString text;  // tooltip text, and the label of `solved`
};

// A value with a name: "goal 475".
struct ChartLevel {
    double y = 0;
    QString text;
    bool goal = false;  // emphasised
    bool operator==(const ChartLevel&) const = default;
};

// The goal, and the return of random play in the environment, if they are known.
std::vector<ChartLevel> levelsOf(const Catalogue& catalogue, const QString& env, std::optional<double> goal);

// Resumes are vertical lines with a triangle, checkpoints small triangles, evaluations short ticks, solved a
// vertical line with a label. Levels are horizontal lines, dashed for goals and dotted for others.
class AxisMarks : public QCPLayerable {
    Q_OBJECT
public:
    explicit AxisMarks(QCPAxisRect* rect);

    void setMarks(std::vector<ChartMark> marks) { marks_ = std::move(marks); }
    void setLevels(std::vector<ChartLevel> levels) { levels_ = std::move(levels); }
    const std::vector<ChartLevel>& levels() const { return levels_; }
    void setColours(const QColor& quiet, const QColor& strong, const QColor& goal) {
        quiet_ = quiet;
        strong_ = strong;
        goal_ = goal;
    }
    // The labels of the nearest mark of each kind within a few pixels of this x coordinate; "" for none.
    QString textAt(double pixel_x) const;

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

private:
    void drawLevels(QCPPainter& painter) const;
    void drawSolved(QCPPainter& painter, const ChartMark& mark, double x) const;

    QCPAxisRect* rect_;
    std::vector<ChartMark> marks_;
    std::vector<ChartLevel> levels_;
    QColor quiet_, strong_, goal_;
};

}  // namespace seedbed::ui
