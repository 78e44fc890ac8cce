// SPDX-License-Identifier: Apache-2.0
// Draws every page, light and dark. SEEDBED_SCREENSHOTS: folder for the images (screenshots.sh makes those in
// the README and docs); without it they are only checked. SEEDBED_LANGUAGE: their language ("de").
// SEEDBED_WINDOW: the size of the window ("800x600").
#include <set>

#include <QDialog>
#include <QLineEdit>

#include "app/gui/translations.hpp"
#include "tests/ui/page_link.hpp"
#include "tests/ui_window/driver.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/views/start/start_link.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

class Shots : public WindowTest {
protected:
    // Example runs: two groups of seeds, and a queue.
    void makeRuns() {
        const bool kept = qEnvironmentVariableIsSet("SEEDBED_SCREENSHOTS");
        const QString steps = kept ? QStringLiteral("60000") : QStringLiteral("8000");
        const auto train = [&](const QStringList& more) {
            seedbed(QStringList{QStringLiteral("train"), QStringLiteral("cartpole"),
                                QStringLiteral("--steps"), steps, QStringLiteral("--quiet")} +
                    more);
        };
        for (int seed = 1; seed <= (kept ? 5 : 2); ++seed) {
            train(
                {QStringLiteral("--seed"), QString::number(seed), QStringLiteral("--eval.every_steps=5000")});
            train({QStringLiteral("--seed"), QString::number(seed), QStringLiteral("--eval.every_steps=5000"),
                   QStringLiteral("--algo.learning_rate=0.0005")});
        }
        seedbed({QStringLiteral("queue"), QStringLiteral("add"), QStringLiteral("pendulum"),
                 QStringLiteral("--seeds"), QStringLiteral("1..3")});
        seedbed({QStringLiteral("edit"), QStringLiteral("1"), QStringLiteral("--name"),
                 QStringLiteral("first"), QStringLiteral("--star"), QStringLiteral("--tag"),
                 QStringLiteral("paper")});
        if (kept)
            seedbed({QStringLiteral("calibrate"), QStringLiteral("cartpole"),
                     QStringLiteral("minatar_breakout"), QStringLiteral("minatar_space_invaders"),
                     QStringLiteral("deep_sea"), QStringLiteral("pendulum"),
                     QStringLiteral("minigrid_door_key_6x6"), QStringLiteral("t_maze")});
    }

    void keep(QWidget* widget, const QString& name) {
        const QImage image = widget->grab().toImage();
        ASSERT_FALSE(image.isNull()) << name.toStdString();
        EXPECT_EQ(image.width(), qRound(widget->width() * widget->devicePixelRatioF()));
        std::set<QRgb> colours;
        for (int y = 0; y < image.height(); y += 7)
            for (int x = 0; x < image.width(); x += 7) colours.insert(image.pixel(x, y));
        // The lower left corner has the theme's colour in every environment.
        const int lightness = image.pixelColor(2, image.height() - 3).lightness();
        EXPECT_GT(colours.size(), 5u) << name.toStdString();  // an empty widget has one colour
        EXPECT_EQ(lightness > 128, name.contains(QStringLiteral("light"))) << name.toStdString();
        const QByteArray folder = qgetenv("SEEDBED_SCREENSHOTS");
        if (!folder.isEmpty()) {
            EXPECT_TRUE(image.save(QString::fromLocal8Bit(folder) + QLatin1Char('/') + name +
                                   QStringLiteral(".png")));
        }
    }
};

TEST_F(Shots, EveryPageLightAndDark) {
    makeRuns();
    const QString language = qEnvironmentVariable("SEEDBED_LANGUAGE");
    const auto translators =
        language.isEmpty() ? decltype(installTranslations())() : installTranslations(language);
    openWindow();
    const QStringList size = qEnvironmentVariable("SEEDBED_WINDOW", QStringLiteral("1200x780")).split(u'x');
    window().resize(size.value(0).toInt(), size.value(1).toInt());
    ASSERT_TRUE(QTest::qWaitFor([&] { return runs().runs()->size() >= 7; }, kTimeoutMs));
    if (qEnvironmentVariableIsSet("SEEDBED_SCREENSHOTS")) {
        app->services().catalogue->measure();
        QTest::qWait(1500);
        app->services().catalogue->stopMeasuring();
    }
    QAction* back = nullptr;
    // Some pages move all the time, and their colours do not depend on it.
    const int most_ms = test::isLong() || qEnvironmentVariableIsSet("SEEDBED_SCREENSHOTS") ? 2500 : 700;
    const int scale = qRound(window().devicePixelRatioF() * 100);
    for (const auto mode : {Theme::Mode::light, Theme::Mode::dark}) {
        app->services().theme->setMode(mode);
        const QString ending =
            QStringLiteral("-%1-%2")
                .arg(mode == Theme::Mode::light ? QStringLiteral("light") : QStringLiteral("dark"))
                .arg(scale);
        for (const PageEntry& entry : pageRegistry()) {
            std::vector<RunId> shown{1};
            if (entry.id == QLatin1String("compare")) shown = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
            if (entry.id == QLatin1String("duel")) shown = {1, 2};
            window().openPage(entry.id, linkTo(entry.id, shown));
            settle(most_ms);
            if (entry.own_window) {
                for (QDialog* dialog : window().findChildren<QDialog*>()) {
                    if (!dialog->isVisible()) continue;
                    keep(dialog, entry.id + ending);
                    dialog->close();
                }
            } else {
                keep(&window(), entry.id + ending);
            }
        }
        for (QAction* action : window().page(QStringLiteral("start"))->actions())
            if (action->objectName() == QStringLiteral("back")) back = action;
        window().open(StartLink{
            .new_run = NewRunRequest{.env = QStringLiteral("cartpole"),
                                     .preset = {},
                                     .settings = {{QStringLiteral("algo.gamma"), QStringLiteral("0.97")}}}});
        settle(2 * most_ms);
        keep(&window(), QStringLiteral("form") + ending);
        const auto keepDialog = [&](const char* name) {
            settle(500);
            auto* dialog = window().findChild<QDialog*>(QLatin1String(name));
            ASSERT_NE(dialog, nullptr) << name;
            keep(dialog, QLatin1String(name) + ending);
            dialog->close();
        };
        window().showPalette();
        settle(500);
        if (auto* palette = window().findChild<QDialog*>(QStringLiteral("command-palette")))
            QTest::keyClicks(palette->findChild<QLineEdit*>(), QStringLiteral("run"));
        keepDialog("command-palette");
        window().showShortcuts();
        keepDialog("shortcuts");
        window().showAbout();
        keepDialog("about");
        ASSERT_NE(back, nullptr);
        back->trigger();  // returns to the gallery, for the other theme
    }
}

}  // namespace
}  // namespace seedbed::ui
