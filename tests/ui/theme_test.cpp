// SPDX-License-Identifier: Apache-2.0
#include "ui/views/theme.hpp"
#include "ui/views/game_picture.hpp"

#include <cmath>
#include <map>
#include <set>

#include <QApplication>
#include <QDBusVariant>
#include <QLabel>
#include <QPainter>

#include <gtest/gtest.h>

#include "ui/views/page.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"

namespace seedbed::ui {
namespace {

// The contrast ratio defined in WCAG 2.1, from 1 to 21.
double contrast(const QColor& a, const QColor& b) {
    const auto linear = [](double c) {
        return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const auto luminance = [&](const QColor& c) {
        return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
    };
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

TEST(Theme, TextHasTheContrastOfWcagInEveryTheme) {
    Theme theme;
    for (const auto mode : {Theme::Mode::light, Theme::Mode::dark, Theme::Mode::high_contrast}) {
        theme.setMode(mode);
        const QPalette p = QApplication::palette();
        for (const QColor& background : {p.color(QPalette::Window), p.color(QPalette::Base)}) {
            EXPECT_GE(contrast(p.color(QPalette::Text), background), 7) << theme.isDark();
            for (const QColor& colour : {theme.quiet(), theme.good(), theme.warning(), theme.bad(),
                                         p.color(QPalette::Link), p.color(QPalette::PlaceholderText)})
                EXPECT_GE(contrast(colour, background), 4.5)
                    << theme.isDark() << " " << colour.name().toStdString();
        }
        EXPECT_GE(contrast(p.color(QPalette::HighlightedText), p.color(QPalette::Highlight)), 4.5);
        const Tokens& t = tokens();
        const std::pair<QColor, QColor> pairs[]{
            {t.accent_text, t.accent}, {t.accent, t.accent_soft},   {t.text, t.accent_soft},
            {t.text, t.warning_soft},  {t.warning, t.warning_soft}, {t.text, t.bad_soft},
            {t.bad, t.bad_soft},       {t.muted, t.raised},         {t.background, t.text}};
        for (const auto& [text, background] : pairs)
            EXPECT_GE(contrast(text, background), mode == Theme::Mode::high_contrast ? 7 : 4.5)
                << static_cast<int>(mode) << " " << text.name().toStdString() << " on "
                << background.name().toStdString();
        // Graphics: 3:1 (WCAG 1.4.11), slightly less for the pink and green that Okabe and Ito define.
        for (int i = 0; i < 6; ++i)
            EXPECT_GE(contrast(theme.seriesColour(i), p.color(QPalette::Base)), 2.7)
                << theme.isDark() << " " << i;
    }
}

TEST(Theme, TheFirstTwentyFourSeriesDifferInColourOrLineStyle) {
    Theme theme;
    for (const auto mode : {Theme::Mode::light, Theme::Mode::dark}) {
        theme.setMode(mode);
        std::set<std::pair<QRgb, int>> seen;
        for (int i = 0; i < 24; ++i) seen.emplace(theme.seriesColour(i).rgb(), theme.seriesStyle(i));
        EXPECT_EQ(seen.size(), 24u);
    }
}

TEST(Theme, EveryPageHasAnIconThatTakesTheColourOfTheText) {
    Theme theme;
    for (const PageEntry& entry : pageRegistry()) {
        for (const auto mode : {Theme::Mode::light, Theme::Mode::dark}) {
            theme.setMode(mode);
            const QImage image = theme.icon(QLatin1String(entry.icon)).pixmap(32, 32).toImage();
            ASSERT_FALSE(image.isNull()) << entry.icon;
            int drawn = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixelColor(x, y).alpha() > 200) {
                        ++drawn;
                        EXPECT_EQ(image.pixelColor(x, y).lightness() > 128, theme.isDark()) << entry.icon;
                    }
            EXPECT_GT(drawn, 20) << entry.icon;
        }
    }
}

TEST(Theme, TextsWithAMeaningStayReadableWhenTheThemeChanges) {
    Theme theme;
    theme.setMode(Theme::Mode::light);
    QWidget window;
    std::map<TextColour, QLabel*> labels;
    for (const auto colour : {TextColour::quiet, TextColour::good, TextColour::warning, TextColour::bad}) {
        labels[colour] = new QLabel(QStringLiteral("text"), &window);
        setTextColour(labels[colour], theme, colour);
    }
    window.show();
    for (const auto mode : {Theme::Mode::dark, Theme::Mode::light}) {
        theme.setMode(mode);
        for (const auto& [colour, label] : labels)
            EXPECT_GE(contrast(label->palette().color(QPalette::WindowText),
                               QApplication::palette().color(QPalette::Window)),
                      4.5)
                << static_cast<int>(colour) << " " << theme.isDark();
    }
    // Different meanings have different colours.
    setTextColour(labels[TextColour::good], theme, TextColour::bad);
    EXPECT_EQ(labels[TextColour::good]->palette().color(QPalette::WindowText), theme.bad());
    setTextColour(labels[TextColour::good], theme, TextColour::plain);
    EXPECT_EQ(labels[TextColour::good]->palette().color(QPalette::WindowText),
              QApplication::palette().color(QPalette::WindowText));
}

TEST(Theme, PicturesOnWhiteDoNotGlareOnADarkPage) {
    Theme theme;
    theme.setMode(Theme::Mode::light);
    EXPECT_EQ(paperColour(theme), QColor(Qt::white));
    theme.setMode(Theme::Mode::dark);
    const QColor paper = paperColour(theme);
    EXPECT_LT(paper.lightness(), 210);
    QImage picture(10, 10, QImage::Format_RGB888);
    picture.fill(Qt::white);
    picture.setPixelColor(3, 3, QColor(255, 0, 0));
    const QImage shown = tintPaper(picture, paper);
    EXPECT_EQ(shown.pixelColor(0, 0), paper);
    EXPECT_EQ(shown.pixelColor(3, 3).hue(), 0);
    EXPECT_EQ(shown.pixelColor(3, 3).saturation(), 255);
    // A picture with a dark background is unchanged.
    QImage night(10, 10, QImage::Format_RGB888);
    night.fill(QColor(20, 20, 40));
    night.setPixelColor(3, 3, Qt::white);
    EXPECT_EQ(tintPaper(night, paper).pixelColor(3, 3), QColor(Qt::white));
    theme.setMode(Theme::Mode::system);
}

TEST(Theme, WithoutADesktopPreferenceTheInitialThemeReturns) {
    Theme theme;
    theme.setMode(Theme::Mode::system);
    const bool at_first = theme.isDark();
    const auto desktop_says = [&](uint preference) {
        QMetaObject::invokeMethod(
            &theme, "systemSettingChanged", Q_ARG(QString, QStringLiteral("org.freedesktop.appearance")),
            Q_ARG(QString, QStringLiteral("color-scheme")), Q_ARG(QDBusVariant, QDBusVariant(preference)));
    };
    desktop_says(1);
    EXPECT_TRUE(theme.isDark());
    desktop_says(0);
    EXPECT_EQ(theme.isDark(), at_first);
    desktop_says(2);
    EXPECT_FALSE(theme.isDark());
    QMetaObject::invokeMethod(
        &theme, "systemSettingChanged", Q_ARG(QString, QStringLiteral("org.freedesktop.appearance")),
        Q_ARG(QString, QStringLiteral("contrast")), Q_ARG(QDBusVariant, QDBusVariant(1U)));
    EXPECT_EQ(scheme(), Scheme::high_contrast);
    theme.setMode(Theme::Mode::light);
    EXPECT_EQ(scheme(), Scheme::light) << "a choice in the menu wins";
}

}  // namespace
}  // namespace seedbed::ui
