// SPDX-License-Identifier: GPL-3.0-or-later
// The one table of colours, sizes and fonts of the window. Pages take colours from here or from Theme, and
// state none themselves. Thread: GUI.
#pragma once

#include <array>
#include <cstdint>

#include <QColor>
#include <QFont>
#include <QPalette>

namespace seedbed::ui {

enum class Scheme : std::uint8_t { light, dark, high_contrast };

// Texts on their backgrounds have a contrast of at least 4.5:1 (WCAG 2.1), except `faint`.
struct Tokens {
    QColor background;  // of pages
    QColor surface;     // of cards, fields and tables
    QColor raised;      // of menus and of surfaces under the pointer
    QColor line;        // borders of cards and fields, grid lines
    QColor text, muted;
    QColor faint;  // of disabled controls and of decoration
    QColor accent, accent_text, accent_soft;
    QColor warning, warning_soft, bad, bad_soft;
    QColor link;
    QColor stage;   // behind agents
    QColor shadow;  // below cards; transparent for none
    std::array<QColor, 6> series;
};

const Tokens& tokensOf(Scheme scheme);
// Those of the scheme that is shown.
const Tokens& tokens();
// Those of things on the stage, which is dark in every scheme.
const Tokens& stageTokens();
// Use Theme::setMode().
void useScheme(Scheme scheme);
Scheme scheme();

QPalette paletteOf(const Tokens& tokens);

// Lengths in device-independent pixels.
constexpr int kGrid = 8;            // distances are multiples of this, or half of it
constexpr int kBlockGap = 12;       // between the cards and bars of a page
constexpr int kControlHeight = 32;  // of buttons and fields
constexpr qreal kControlRadius = 8, kCardRadius = 12;

// Fonts, relative to the font of the application.
enum class TextSize : std::uint8_t { caption, body, section, title, hero };
QFont textFont(TextSize size, QFont::Weight weight = QFont::Normal);
// Inter at 13 pixels; the system's font if Inter is not installed. Never smaller than the system's.
QFont applicationFont(const QFont& system);

}  // namespace seedbed::ui
