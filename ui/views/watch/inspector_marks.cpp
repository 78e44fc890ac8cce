// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/watch/inspector_marks.hpp"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>

#include "ui/views/style/paint.hpp"
#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {
namespace {

constexpr double kPadding = 12, kBarHeight = 6, kStripHeight = 18, kCellWidth = 3;
constexpr double kSightDot = 8, kPlane = 56, kPlaneGap = 10;

class Panel {
    Q_DECLARE_TR_FUNCTIONS(seedbed::ui::InspectorPanel)

public:
    Panel(const QRectF& area, const QFontMetricsF& font, const Tokens& colours)
        : area_(area.adjusted(kPadding, kPadding, -kPadding, -kPadding)),
          font_(font),
          t_(colours),
          top_(area_.top()) {
        marks_.push_back({.area = area, .colour = t_.surface, .radius = 8});
        marks_.push_back({.kind = CanvasMark::Kind::outline, .area = area, .colour = t_.line, .radius = 8});
    }

    void addTitle(const QString& title, const QString& problem, const QString& ended) {
        has_ended_ = !ended.isEmpty();
        addText(row(1), has_ended_ ? ended : title, has_ended_ ? t_.warning : t_.text);
        if (!problem.isEmpty()) addText(row(1), problem, t_.warning);
    }
    // Brighter: the chosen action depends more on the number.
    // Leaves room for choices and numbers; nothing is shown if the choices would be cut.
    void addSights(const std::vector<InspectorModel::Sight>& sights,
                   const std::vector<InspectorModel::Plane>& planes, std::size_t choices) {
        if (sights.empty() && planes.empty()) return;
        const double number = area_.width() * 0.3, line_height = font_.height() + kPadding / 2;
        const auto columns = static_cast<std::size_t>(planeColumns());
        const double plane_rows = static_cast<double>((planes.size() + columns - 1) / columns),
                     first = plane_rows * (kPlane + line_height) + (sights.empty() ? 0 : line_height),
                     needed = 2 * kPadding + (4 + static_cast<double>(choices)) * line_height;
        if (choices > 0 && top_ + first + needed > area_.bottom()) return;
        // In the place of the heading, so that the same inputs are shown.
        addHeading(has_ended_       ? tr("The next game begins with:")
                   : planes.empty() ? tr("Sees (brighter: matters more)")
                                    : tr("Sees"));
        addPlanes(planes);
        const double reserved = 2 * kPadding + (3 + static_cast<double>(choices)) * line_height;
        for (const InspectorModel::Sight& sight : sights) {
            if (top_ + line_height + reserved > area_.bottom() && &sight != sights.data()) break;
            const QRectF line = row(1);
            const QColor colour = mixed(t_.muted, t_.text, sight.weight);
            const QRectF dot(line.left(), line.center().y() - kSightDot / 2, kSightDot, kSightDot);
            add({.area = dot, .colour = mixed(t_.line, t_.accent, sight.weight), .radius = kSightDot / 2});
            addText(line.adjusted(kSightDot + 6, 0, -number, 0), sight.name, colour);
            addText(line.adjusted(line.width() - number, 0, 0, 0), sight.text, colour, Qt::AlignRight);
        }
    }
    // Leaves room for the numbers; the last line says how many choices do not fit.
    void addChoices(const std::vector<InspectorModel::Choice>& choices) {
        if (choices.empty()) return;
        addHeading(tr("Would do"));
        const double name = area_.width() * 0.34, number = area_.width() * 0.24,
                     line_height = font_.height() + kPadding / 2,
                     lines = std::floor((area_.bottom() - top_ - kPadding) / line_height) - 2;
        const auto fit = static_cast<std::size_t>(std::max(1.0, lines));
        for (const InspectorModel::Choice& choice : choices) {
            const QRectF line = row(1);
            if (const auto at = static_cast<std::size_t>(&choice - choices.data());
                choices.size() > fit && at + 1 >= fit)
                return addText(line, tr("+%1 more").arg(choices.size() - at), t_.muted);
            const QColor text = t_.text;
            if (std::isnan(choice.share)) {
                addText({line.left(), line.top(), name, line.height()}, choice.name, t_.muted);
                addText(line.adjusted(name, 0, 0, 0), choice.text, text, Qt::AlignRight);
                continue;
            }
            addText({line.left(), line.top(), name - 6, line.height()}, choice.name,
                    choice.chosen ? text : t_.muted);
            QRectF bar(line.left() + name, line.center().y() - kBarHeight / 2, line.width() - name - number,
                       kBarHeight);
            add({.area = bar, .colour = t_.line, .radius = kBarHeight / 2});
            bar.setWidth(std::max(kBarHeight, bar.width() * std::clamp(choice.share, 0.0, 1.0)));
            add({.area = bar, .colour = choice.chosen ? t_.accent : t_.muted, .radius = kBarHeight / 2});
            addText({line.right() - number, line.top(), number, line.height()}, choice.text, text,
                    Qt::AlignRight);
        }
    }
    void addNumbers(const std::vector<std::pair<QString, QString>>& numbers) {
        if (!hasRoom(font_.height() + kPadding / 2)) return;
        top_ += kPadding;
        const QRectF names = row(1), values = row(1);
        const double width = area_.width() / static_cast<double>(std::max<std::size_t>(1, numbers.size()));
        double left = area_.left();
        for (const auto& [name, value] : numbers) {
            addText({left, names.top(), width - 6, names.height()}, name, t_.muted);
            addText({left, values.top(), width - 6, values.height()}, value, t_.text);
            left += width;
        }
    }
    // Columns of neighbouring numbers share a cell if there are too many for the width.
    void addMemory(const std::vector<float>& memory) {
        if (memory.empty() || !hasRoom(kStripHeight)) return;
        addHeading(tr("Remembers (%1)").arg(memory.size()));
        const QRectF place = block(kStripHeight);
        const auto cells = std::min(memory.size(), static_cast<std::size_t>(place.width() / kCellWidth));
        for (std::size_t cell = 0; cell < cells; ++cell) {
            const std::size_t from = cell * memory.size() / cells, to = (cell + 1) * memory.size() / cells;
            float strongest = 0;
            for (std::size_t i = from; i < to; ++i)
                if (std::abs(memory[i]) > std::abs(strongest)) strongest = memory[i];
            add({.area = {place.left() +
                              place.width() * static_cast<double>(cell) / static_cast<double>(cells),
                          place.top(), place.width() / static_cast<double>(cells), place.height()},
                 .colour = heat(strongest)});
        }
    }
    std::vector<CanvasMark> take() { return std::move(marks_); }

private:
    int planeColumns() const {
        return std::max(1, static_cast<int>((area_.width() + kPlaneGap) / (kPlane + kPlaneGap)));
    }
    void addPlanes(const std::vector<InspectorModel::Plane>& planes) {
        const int columns = planeColumns();
        for (std::size_t i = 0; i < planes.size(); ++i) {
            const InspectorModel::Plane& plane = planes[i];
            const int column = static_cast<int>(i) % columns;
            if (column == 0) plane_top_ = block(kPlane + font_.height()).top();
            const double unit = kPlane / std::max(plane.width, plane.height);
            const QPointF corner(area_.left() + column * (kPlane + kPlaneGap), plane_top_);
            add({.area = {corner, QSizeF(kPlane, kPlane)}, .colour = t_.background, .radius = 3});
            const QColor colour = t_.series[i % t_.series.size()];
            for (std::size_t cell = 0; cell < plane.shares.size(); ++cell) {
                if (plane.shares[cell] <= 0) continue;
                const auto x = static_cast<int>(cell) % plane.width, y = static_cast<int>(cell) / plane.width;
                add({.area = {corner.x() + x * unit, corner.y() + y * unit, unit, unit},
                     .colour = mixed(t_.background, colour, static_cast<double>(plane.shares[cell]))});
            }
            addText({corner.x(), corner.y() + kPlane, kPlane, font_.height()}, plane.name, t_.muted,
                    Qt::AlignHCenter);
        }
    }
    QRectF block(double height) {
        const QRectF place(area_.left(), top_, area_.width(), height);
        top_ += height + kPadding / 2;
        return place;
    }
    QRectF row(double lines) { return block(lines * font_.height()); }
    // For a part with a heading.
    bool hasRoom(double height) const { return top_ + kPadding + font_.height() + height <= area_.bottom(); }
    void addHeading(const QString& text) {
        top_ += kPadding / 2;
        addText(row(1), text, t_.muted);
    }
    void add(CanvasMark mark) {
        if (mark.area.bottom() <= area_.bottom()) marks_.push_back(std::move(mark));
    }
    void addText(const QRectF& place, const QString& text, const QColor& colour,
                 Qt::Alignment alignment = Qt::AlignLeft) {
        add({.kind = CanvasMark::Kind::text,
             .area = place,
             .colour = colour,
             .text = font_.elidedText(text, Qt::ElideRight, place.width()),
             .alignment = alignment});
    }
    // From the line colour for 0 to two series colours for -1 and 1.
    QColor heat(float value) const {
        const QColor zero = t_.line, end = t_.series[value < 0 ? 1 : 2];
        const double share = std::min(1.0, std::abs(static_cast<double>(value)));
        const auto mix = [share](int from, int to) {
            return static_cast<int>(std::lround(from + share * (to - from)));
        };
        return {mix(zero.red(), end.red()), mix(zero.green(), end.green()), mix(zero.blue(), end.blue())};
    }

    QRectF area_;
    const QFontMetricsF& font_;
    const Tokens& t_;
    double top_, plane_top_ = 0;
    bool has_ended_ = false;
    std::vector<CanvasMark> marks_;
};

}  // namespace

std::vector<CanvasMark> inspectorMarks(const InspectorModel& model, const QRectF& area,
                                       const QFontMetricsF& font, const Tokens& colours) {
    const InspectorModel::Content& content = model.content();
    Panel panel(area, font, colours);
    panel.addTitle(content.title, content.problem, content.ended);
    panel.addSights(content.sights, content.planes, content.choices.size());
    panel.addChoices(content.choices);
    panel.addNumbers(content.numbers);
    panel.addMemory(model.memory());
    return panel.take();
}

}  // namespace seedbed::ui
