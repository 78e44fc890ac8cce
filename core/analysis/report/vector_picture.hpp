// SPDX-License-Identifier: Apache-2.0
// A picture of lines, areas and texts as SVG or PDF, for papers. The same picture gives the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace seedbed {

struct Ink {
    std::uint32_t rgb = 0;  // 0xRRGGBB
    double opacity = 1;
};

// Lengths are points (1/72 inch), y runs downwards. Thread: one owner at a time.
class VectorPicture {
public:
    using Point = std::pair<double, double>;
    enum class Anchor : std::uint8_t { start, middle, end };
    // A comment of both formats.
    static constexpr const char* kMark = "Figure by Seedbed";

    VectorPicture(double width, double height) : width_(width), height_(height) {}

    // Needs two points or more.
    void line(std::vector<Point> points, Ink ink, double width = 1, bool dashed = false);
    void area(std::vector<Point> points, Ink ink);
    // (x, y) is on the base line. `upright`: from bottom to top.
    void text(double x, double y, std::string text, double size, Anchor anchor = Anchor::start, Ink ink = {},
              bool upright = false);

    std::string svg() const;
    // Version 1.4, in Helvetica; characters that it lacks become "?".
    std::string pdf() const;

    // The width in Helvetica.
    static double widthOf(const std::string& text, double size);

private:
    struct Shape {
        std::vector<Point> points;
        Ink ink;
        double width = 0;  // 0: an area
        bool dashed = false;
    };
    struct Text {
        double x = 0, y = 0;
        std::string text;
        double size = 10;
        Anchor anchor = Anchor::start;
        Ink ink;
        bool upright = false;
    };

    double width_, height_;
    std::vector<std::variant<Shape, Text>> items_;
};

}  // namespace seedbed
