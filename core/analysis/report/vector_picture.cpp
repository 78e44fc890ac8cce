// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/report/vector_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

namespace seedbed {
namespace {

// Widths of the characters 32 to 126 in thousandths of the size, from Adobe's metrics of Helvetica.
constexpr std::array<int, 95> kWidths{
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
constexpr int kOtherWidth = 556;

// WinAnsi (code page 1252); characters outside it become "?".
std::string winAnsi(const std::string& utf8) {
    std::string out;
    for (std::size_t i = 0; i < utf8.size();) {
        const auto first = static_cast<unsigned char>(utf8[i]);
        const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        std::uint32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
        for (std::size_t k = 1; k < length && i + k < utf8.size(); ++k)
            code = (code << 6) | (static_cast<unsigned char>(utf8[i + k]) & 0x3FU);
        i += length;
        if (code == 0x2212 || code == 0x2013) code = 0x96;  // minus and en dash
        else if (code == 0x2026) code = 0x85;
        else if (code > 0xFF || (code >= 0x80 && code < 0xA0) || code < 0x20) code = '?';
        out += static_cast<char>(code);
    }
    return out;
}

std::string decimal(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    return text;
}

std::string escaped(const std::string& text) {
    std::string out;
    for (const char letter : text) {
        if (letter == '&') out += "&amp;";
        else if (letter == '<') out += "&lt;";
        else if (letter == '>') out += "&gt;";
        else if (static_cast<unsigned char>(letter) >= 0x20) out += letter;
    }
    return out;
}

std::string colour(Ink ink) {
    char text[8];
    std::snprintf(text, sizeof text, "#%06x", ink.rgb & 0xFFFFFFU);
    return text;
}

std::string pdfColour(Ink ink) {
    std::string text;
    for (const int shift : {16, 8, 0}) text += decimal(((ink.rgb >> shift) & 0xFFU) / 255.0) + " ";
    return text;
}

}  // namespace

void VectorPicture::line(std::vector<Point> points, Ink ink, double width, bool dashed) {
    if (points.size() > 1) items_.emplace_back(Shape{std::move(points), ink, width, dashed});
}

void VectorPicture::area(std::vector<Point> points, Ink ink) {
    if (points.size() > 2) items_.emplace_back(Shape{std::move(points), ink});
}

void VectorPicture::text(double x, double y, std::string text, double size, Anchor anchor, Ink ink,
                         bool upright) {
    items_.emplace_back(Text{x, y, std::move(text), size, anchor, ink, upright});
}

double VectorPicture::widthOf(const std::string& text, double size) {
    int width = 0;
    for (const char letter : winAnsi(text)) {
        const auto code = static_cast<unsigned char>(letter);
        width += code >= 32 && code <= 126 ? kWidths[code - 32U] : kOtherWidth;
    }
    return width * size / 1000;
}

std::string VectorPicture::svg() const {
    const std::string size = decimal(width_) + "\" height=\"" + decimal(height_);
    std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" viewBox=\"0 0 " +
                      decimal(width_) + " " + decimal(height_) +
                      "\" font-family=\"Helvetica, Arial, sans-serif\">\n<!-- " + kMark +
                      " -->\n<rect width=\"100%\" height=\"100%\" "
                      "fill=\"#ffffff\"/>\n";
    for (const auto& item : items_) {
        if (const auto* shape = std::get_if<Shape>(&item)) {
            std::string points;
            for (const auto& [x, y] : shape->points)
                points += (points.empty() ? "" : " ") + decimal(x) + "," + decimal(y);
            const bool fills = shape->width <= 0;
            out += std::string(fills ? "<polygon" : "<polyline fill=\"none\"") + " points=\"" + points +
                   "\" " + (fills ? "fill" : "stroke") + "=\"" + colour(shape->ink) + "\"";
            if (shape->ink.opacity < 1)
                out += std::string(fills ? " fill" : " stroke") + "-opacity=\"" +
                       decimal(shape->ink.opacity) + "\"";
            if (!fills) out += " stroke-width=\"" + decimal(shape->width) + "\" stroke-linejoin=\"round\"";
            if (shape->dashed) out += " stroke-dasharray=\"4 3\"";
            out += "/>\n";
            continue;
        }
        const Text& text = std::get<Text>(item);
        constexpr const char* kAnchors[] = {"start", "middle", "end"};
        out += "<text x=\"" + decimal(text.x) + "\" y=\"" + decimal(text.y) + "\" font-size=\"" +
               decimal(text.size) + "\" text-anchor=\"" + kAnchors[static_cast<int>(text.anchor)] +
               "\" fill=\"" + colour(text.ink) + "\"";
        if (text.upright) out += " transform=\"rotate(-90 " + decimal(text.x) + " " + decimal(text.y) + ")\"";
        out += ">" + escaped(text.text) + "</text>\n";
    }
    return out + "</svg>\n";
}

// PDF Reference 1.4: one page whose content stream has the shapes and texts.
std::string VectorPicture::pdf() const {
    std::string content = "1 J 1 j\n";
    std::map<int, int> opacities;  // in percent, with the number of their graphics state
    const auto place = [this](double x, double y) { return decimal(x) + " " + decimal(height_ - y) + " "; };
    const auto begin = [&](Ink ink) {
        const int percent = static_cast<int>(std::lround(100 * ink.opacity));
        const int state = opacities.try_emplace(percent, static_cast<int>(opacities.size())).first->second;
        content += "/G" + std::to_string(state) + " gs\n";
    };
    for (const auto& item : items_) {
        if (const auto* shape = std::get_if<Shape>(&item)) {
            begin(shape->ink);
            const bool fills = shape->width <= 0;
            content += pdfColour(shape->ink) + (fills ? "rg\n" : "RG\n");
            if (!fills) content += decimal(shape->width) + (shape->dashed ? " w [4 3] 0 d\n" : " w [] 0 d\n");
            for (std::size_t i = 0; i < shape->points.size(); ++i)
                content += place(shape->points[i].first, shape->points[i].second) + (i == 0 ? "m\n" : "l\n");
            content += fills ? "f\n" : "S\n";
            continue;
        }
        const Text& text = std::get<Text>(item);
        begin(text.ink);
        const double back = widthOf(text.text, text.size) * (text.anchor == Anchor::start    ? 0
                                                             : text.anchor == Anchor::middle ? 0.5
                                                                                             : 1);
        content += "BT " + pdfColour(text.ink) + "rg /F0 " + decimal(text.size) + " Tf ";
        content += text.upright ? "0 1 -1 0 " + place(text.x, text.y + back)
                                : "1 0 0 1 " + place(text.x - back, text.y);
        content += "Tm (";
        for (const char letter : winAnsi(text.text)) {
            if (letter == '(' || letter == ')' || letter == '\\') content += '\\';
            content += letter;
        }
        content += ") Tj ET\n";
    }
    std::string states;
    for (const auto& [percent, state] : opacities)
        states += "/G" + std::to_string(state) + " << /ca " + decimal(percent / 100.0) + " /CA " +
                  decimal(percent / 100.0) + " >> ";
    const std::array<std::string, 5> objects{
        "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 " + decimal(width_) + " " + decimal(height_) +
            "] /Contents 4 0 R /Resources << /Font << /F0 5 0 R >> /ExtGState << " + states + ">> >> >>",
        "<< /Length " + std::to_string(content.size()) + " >>\nstream\n" + content + "endstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"};
    std::string out = "%PDF-1.4\n%" + std::string(kMark) + "\n";
    std::string table = "xref\n0 6\n0000000000 65535 f \n";
    for (std::size_t i = 0; i < objects.size(); ++i) {
        char place_of[24];
        std::snprintf(place_of, sizeof place_of, "%010zu 00000 n \n", out.size());
        table += place_of;
        out += std::to_string(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
    }
    const std::size_t at = out.size();
    return out + table + "trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n" + std::to_string(at) + "\n%%EOF\n";
}

}  // namespace seedbed
