// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/style/tokens.hpp"

#include <algorithm>

#include <QApplication>
#include <QFontDatabase>

namespace seedbed::ui {
namespace {

// Colours of series: Okabe and Ito, Color Universal Design (2008), with yellow and sky blue replaced on white
// and blue on black for contrast.
const Tokens& light() {
    static const Tokens table{
        .background = 0xfff5f6f8,
        .surface = 0xffffffff,
        .raised = 0xffffffff,
        .line = 0xffdfe3e9,
        .text = 0xff141a21,
        .muted = 0xff596573,
        .faint = 0xff8d98a7,
        .accent = 0xff0e7c5f,
        .accent_text = 0xffffffff,
        .accent_soft = 0xffe3f4ee,
        .warning = 0xff9a4705,
        .warning_soft = 0xfffdf3e3,
        .bad = 0xffb42318,
        .bad_soft = 0xfffdecea,
        .link = 0xff005a8e,
        .stage = 0xff10151c,
        .shadow = QColor(16, 24, 40, 22),
        .series = {0xff0072b2, 0xffd55e00, 0xff009e73, 0xffcc79a7, 0xffb07f00, 0xff000000},
    };
    return table;
}

const Tokens& dark() {
    static const Tokens table{
        .background = 0xff0d1117,
        .surface = 0xff151b23,
        .raised = 0xff1e2731,
        .line = 0xff2b3541,
        .text = 0xffe7ecf2,
        .muted = 0xff9aa7b6,
        .faint = 0xff6c7988,
        .accent = 0xff35c793,
        .accent_text = 0xff06281d,
        .accent_soft = 0xff11332a,
        .warning = 0xfff0b35b,
        .warning_soft = 0xff33270f,
        .bad = 0xffff8a7a,
        .bad_soft = 0xff3a1613,
        .link = 0xff6cc0f2,
        .stage = 0xff080b10,
        .shadow = Qt::transparent,
        .series = {0xff56b4e9, 0xfff0883e, 0xff3fbf95, 0xffdda0c6, 0xfff0e442, 0xffffffff},
    };
    return table;
}

const Tokens& highContrast() {
    static const Tokens table{
        .background = 0xff000000,
        .surface = 0xff000000,
        .raised = 0xff1c1c1c,
        .line = 0xffd0d0d0,
        .text = 0xffffffff,
        .muted = 0xffe4e4e4,
        .faint = 0xffa8a8a8,
        .accent = 0xff5cf2bd,
        .accent_text = 0xff000000,
        .accent_soft = 0xff00473a,
        .warning = 0xffffc95c,
        .warning_soft = 0xff3d2c00,
        .bad = 0xffffa79b,
        .bad_soft = 0xff5a0f08,
        .link = 0xff8fd3ff,
        .stage = 0xff000000,
        .shadow = Qt::transparent,
        .series = {0xff6cc4ff, 0xffffa14f, 0xff4fe0b0, 0xffffb8e4, 0xfff0e442, 0xffffffff},
    };
    return table;
}

Scheme shown = Scheme::light;

}  // namespace

const Tokens& tokensOf(Scheme scheme) {
    switch (scheme) {
        case Scheme::light: return light();
        case Scheme::dark: return dark();
        case Scheme::high_contrast: return highContrast();
    }
    return light();
}

const Tokens& tokens() { return tokensOf(shown); }
const Tokens& stageTokens() { return tokensOf(scheme() == Scheme::light ? Scheme::dark : scheme()); }

void useScheme(Scheme scheme) { shown = scheme; }
Scheme scheme() { return shown; }

QPalette paletteOf(const Tokens& t) {
    QPalette palette;
    const auto set = [&](const QColor& colour, std::initializer_list<QPalette::ColorRole> roles) {
        for (const auto role : roles) palette.setColor(role, colour);
    };
    set(t.background, {QPalette::Window});
    set(t.surface, {QPalette::Base, QPalette::AlternateBase, QPalette::Button});
    set(t.text, {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText});
    set(t.muted, {QPalette::PlaceholderText});
    set(t.accent_soft, {QPalette::Highlight});
    set(t.bad, {QPalette::BrightText});
    set(t.link, {QPalette::Link, QPalette::LinkVisited});
    const bool is_light = t.background.lightness() > 128;
    palette.setColor(QPalette::ToolTipBase, is_light ? t.text : t.raised);
    palette.setColor(QPalette::ToolTipText, is_light ? t.surface : t.text);
    set(t.raised, {QPalette::Light, QPalette::Midlight});
    set(t.line, {QPalette::Mid, QPalette::Dark});
    set(is_light ? t.faint : QColor(Qt::black), {QPalette::Shadow});
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, t.faint);
    return palette;
}

QFont textFont(TextSize size, QFont::Weight weight) {
    constexpr std::array<double, 5> kFactors{11.0 / 13, 1, 15.0 / 13, 20.0 / 13, 24.0 / 13};
    QFont font = QApplication::font();
    const double factor = kFactors[static_cast<std::size_t>(size)];
    if (font.pointSizeF() > 0) font.setPointSizeF(font.pointSizeF() * factor);
    else font.setPixelSize(static_cast<int>(font.pixelSize() * factor));
    font.setWeight(weight);
    return font;
}

QFont applicationFont(const QFont& system) {
    constexpr double kPoints = 9.75;  // 13 pixels at 96 dots per inch
    const QString inter = QStringLiteral("Inter");
    QFont font = system;
    if (QFontDatabase::hasFamily(inter)) font.setFamilies({inter, system.family()});
    if (font.pointSizeF() > 0) font.setPointSizeF(std::max(kPoints, font.pointSizeF()));
    return font;
}

}  // namespace seedbed::ui
