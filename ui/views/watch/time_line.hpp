// SPDX-License-Identifier: GPL-3.0-or-later
// The decisions of the focused agent over time: probabilities of actions (or mean and deviation), chosen
// actions, values, rewards and ends of episodes. A table shows the same TraceModel.
#pragma once

#include <utility>
#include <vector>

#include <QBrush>
#include <QString>
#include <QTimer>
#include <QWidget>

namespace seedbed::ui {

class Theme;
class TraceModel;

class TimeLine : public QWidget {
    Q_OBJECT

public:
    TimeLine(const Theme& theme, const TraceModel& model, QWidget* parent = nullptr);

    // Brush of action 0, 1, ...: 24 distinct combinations of colour and pattern.
    static QBrush actionBrush(const Theme& theme, int number);
    // Entries of the legend for a width in pixels: brushes and names, then "+3" if three do not fit.
    std::vector<std::pair<QBrush, QString>> legend(double width) const;

    // While it saves time, because training needs all cores, it is painted at most every kSavingMs.
    void saveTime(bool on) { saves_time_ = on; }
    static constexpr int kSavingMs = 400;

Q_SIGNALS:
    // The user clicked this row.
    void seekRequested(quint64 row);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;
    QSize sizeHint() const override { return {640, 150}; }
    QSize minimumSizeHint() const override { return {200, 116}; }

private:
    struct Layout;
    Layout layOut() const;
    double legendWidth(const QString& text) const;
    void paintLegend(QPainter& painter, const Layout& layout) const;
    void paintActions(QPainter& painter, const Layout& layout) const;
    void paintShares(QPainter& painter, const Layout& layout, const QRectF& lane, std::size_t shown,
                     int count, int colour, std::size_t word) const;
    void paintBands(QPainter& painter, const Layout& layout, const QRectF& lane, std::size_t shown, int dims,
                    int colour, std::size_t word) const;
    static void paintScale(QPainter& painter, const Layout& layout, const QRectF& lane, double low,
                           double high);
    void paintNumbers(QPainter& painter, const Layout& layout) const;
    void paintPersons(QPainter& painter, const Layout& layout) const;
    void paintEnds(QPainter& painter, const Layout& layout) const;

    const Theme& theme_;
    const TraceModel& model_;
    bool saves_time_ = false, is_late_ = false;  // is_late_: rows were shown during the pause
    QTimer pause_;
};

}  // namespace seedbed::ui
