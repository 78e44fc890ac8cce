// SPDX-License-Identifier: GPL-3.0-or-later
// Marks on the x axis of a chart: where a run was resumed, saved or evaluated.
#pragma once

#include <vector>

#include <QColor>
#include <QString>

#include "ui/views/charts/qcustomplot.hpp"

namespace seedbed::ui {

struct ChartMark {
    enum class Kind : std::uint8_t { resume, checkpoint, evaluation };
    Kind kind = Kind::checkpoint;
    double x = 0;
    QString text;  // tooltip text
};

// Resumes are vertical lines with a triangle, checkpoints small triangles, evaluations short ticks.
class AxisMarks : public QCPLayerable {
    Q_OBJECT
public:
    explicit AxisMarks(QCPAxisRect* rect);

    void setMarks(std::vector<ChartMark> marks) { marks_ = std::move(marks); }
    void setColours(const QColor& quiet, const QColor& strong) {
        quiet_ = quiet;
        strong_ = strong;
    }
    // The labels of the nearest mark of each kind within a few pixels of this x coordinate; "" for none.
    QString textAt(double pixel_x) const;

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override;
    void draw(QCPPainter* painter) override;

private:
    QCPAxisRect* rect_;
    std::vector<ChartMark> marks_;
    QColor quiet_, strong_;
};

}  // namespace seedbed::ui
