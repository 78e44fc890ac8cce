// SPDX-License-Identifier: Apache-2.0
// Tests the gallery of the start page: families, cards, and the first step for new users.
#include <map>
#include <set>

#include <QDir>
#include <QEnterEvent>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMovie>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QTest>

#include "tests/ui/page_fixture.hpp"
#include "ui/models/catalogue.hpp"
#include "ui/models/packs/env_pictures.hpp"
#include "ui/models/packs/own_environments.hpp"
#include "ui/models/packs/pack_list.hpp"
#include "ui/views/start/families.hpp"
#include "ui/views/style/card.hpp"

namespace seedbed::testing {
namespace {

class GalleryTest : public PageTest {
protected:
    // Returns the page after the first poll of the database.
    std::unique_ptr<ui::Page> open(QSize size = {1200, 900}) {
        catalogue_ = std::make_unique<ui::Catalogue>(*services().launcher);
        EXPECT_EQ(catalogue_->load(), QString());
        services().catalogue = catalogue_.get();
        EXPECT_TRUE(waitFor([&] { return store().state().kind != ui::StoreState::Kind::opening; }));
        return makePage(QStringLiteral("start"), size);
    }
    ui::Catalogue& catalogue() { return *catalogue_; }

    template <class Widget = QPushButton>
    static Widget* find(const QWidget& page, const QString& name) {
        return page.findChild<Widget*>(name);
    }
    static void choose(const QWidget& page, const char* family) {
        find(page, QStringLiteral("family-") + QLatin1String(family))->click();
    }
    static QString chosen(const QWidget& page) {
        for (const auto* chip :
             page.findChildren<QPushButton*>(QRegularExpression(QStringLiteral("^family-"))))
            if (chip->isChecked()) return chip->objectName().mid(7);
        return {};
    }
    static ui::Chip* result(const QWidget& page, const QString& env) {
        return find<ui::Chip>(page, QStringLiteral("result-") + env);
    }
    // Visible cards from left to right and top to bottom, without "card-".
    static QStringList shown(const QWidget& page) {
        std::map<std::pair<int, int>, QString> cards;
        for (const QWidget* card : cardsOf(page))
            if (card->isVisible()) cards[{card->y(), card->x()}] = card->objectName().mid(5);
        QStringList names;
        for (const auto& [place, name] : cards) names += name;
        return names;
    }
    static QList<QFrame*> cardsOf(const QWidget& page) {
        return page.findChildren<QFrame*>(QRegularExpression(QStringLiteral("^card-")));
    }
    static QLineEdit* search(const QWidget& page) {
        for (QLineEdit* line : page.findChildren<QLineEdit*>())
            if (line->accessibleName() == QLatin1String("Search environments")) return line;
        return nullptr;
    }

private:
    std::unique_ptr<ui::Catalogue> catalogue_;
};

TEST_F(GalleryTest, EveryEnvironmentIsInAFamilyAndThePopularOnesExist) {
    auto page = open();
    std::set<QString> popular, known;
    for (const ui::Family& family : ui::includedFamilies()) known.insert(family.key);
    for (const ui::EnvInfo& env : catalogue().environments()) {
        const QStringList families = ui::familiesOf(env.id);
        for (const QString& key : families) EXPECT_TRUE(known.contains(key)) << key.toStdString();
        if (families.contains(ui::kPopularFamily)) popular.insert(env.id);
        EXPECT_GE(families.size(), families.contains(ui::kPopularFamily) ? 2 : 1) << env.id.toStdString();
    }
    EXPECT_EQ(popular.size(), 12U) << "a popular environment is not in the catalogue";
    settle();
    EXPECT_EQ(shown(*page).mid(0, 4),
              (QStringList{QStringLiteral("minatar_breakout"), QStringLiteral("minatar_space_invaders"),
                           QStringLiteral("connect_four"), QStringLiteral("deep_sea")}));
    EXPECT_EQ(shown(*page).size(), 12);
    EXPECT_EQ(ui::familiesOf(QStringLiteral("pong_alone")), QStringList{QStringLiteral("arcade")});
}

TEST_F(GalleryTest, ChipsChooseAFamilyAndTheSearchCoversAll) {
    auto page = open();
    choose(*page, "players");
    settle();
    EXPECT_EQ(shown(*page), (QStringList{QStringLiteral("connect_four"), QStringLiteral("pong"),
                                         QStringLiteral("tic_tac_toe"), QStringLiteral("simple_tag"),
                                         QStringLiteral("othello")}));
    search(*page)->setText(QStringLiteral("acrobot"));
    settle();
    EXPECT_EQ(shown(*page), QStringList{QStringLiteral("acrobot")});
    EXPECT_EQ(chosen(*page), QStringLiteral("all"));
    search(*page)->clear();
    EXPECT_EQ(chosen(*page), QStringLiteral("players"));
    search(*page)->setText(QStringLiteral("acrobot"));
    choose(*page, "memory");
    EXPECT_EQ(search(*page)->text(), QString()) << "a chip shows its whole family";
    const QVariantMap state = page->saveState();
    auto again = makePage(QStringLiteral("start"));
    EXPECT_EQ(chosen(*again), ui::kPopularFamily);
    again->restoreState(state);
    EXPECT_EQ(chosen(*again), QStringLiteral("memory"));
}

TEST_F(GalleryTest, OwnEnvironmentsAreAFamilyThatAppearsWithTheFirst) {
    const QString data = QString::fromStdString(folder().string());
    ui::OwnEnvironments own(data);
    ui::PackList packs(*services().launcher);
    services().own = &own;
    services().packs = &packs;
    auto page = open();
    EXPECT_EQ(find(*page, QStringLiteral("family-own")), nullptr);
    ASSERT_TRUE(QDir().mkpath(data));
    ASSERT_EQ(
        own.put({.title = QStringLiteral("Mine"), .choice = {.env = QStringLiteral("gym:CartPole-v1")}}),
        QString());
    settle();
    EXPECT_EQ(chosen(*page), QStringLiteral("own"));
    EXPECT_EQ(shown(*page), QStringList{QStringLiteral("Mine")});
    EXPECT_TRUE(find(*page, QStringLiteral("edit-Mine"))->isVisible());
    ASSERT_EQ(own.remove(QStringLiteral("Mine")), QString());
    settle();
    EXPECT_EQ(chosen(*page), ui::kPopularFamily);
    EXPECT_EQ(shown(*page).size(), 12);
}

TEST_F(GalleryTest, NewUsersSeeAFirstStepWithTheMeasuredTime) {
    auto page = open();
    ASSERT_TRUE(find<QWidget>(*page, QStringLiteral("hero"))->isVisible());
    const auto* sentence = find<QLabel>(*page, QStringLiteral("hero-sentence"));
    const QRegularExpression number(QStringLiteral("[0-9]"));
    EXPECT_FALSE(sentence->text().contains(number)) << "nothing was measured";
    EXPECT_EQ(result(*page, QStringLiteral("cartpole"))->tone(), ui::Tone::plain);
    bool ended = false;
    services().launcher->run({QStringLiteral("calibrate"), QStringLiteral("cartpole")}, page.get(),
                             [&](const ui::CommandReply&) { ended = true; });
    ASSERT_TRUE(waitFor([&] { return ended; }));
    catalogue().measure();
    ASSERT_TRUE(waitFor([&] { return catalogue().estimate(QStringLiteral("cartpole")).has_value(); }));
    catalogue().stopMeasuring();
    EXPECT_TRUE(sentence->text().contains(ui::minutesText(*catalogue().estimate(QStringLiteral("cartpole")))))
        << sentence->text().toStdString();
    EXPECT_EQ(result(*page, QStringLiteral("cartpole"))->tone(), ui::Tone::good);
    EXPECT_TRUE(result(*page, QStringLiteral("cartpole"))->text().contains(number));
    makeRun({});
    EXPECT_TRUE(waitFor([&] { return !find<QWidget>(*page, QStringLiteral("hero"))->isVisible(); }));
}

TEST_F(GalleryTest, APictureMovesWhileThePointerIsOnItsCard) {
    ui::EnvPictures pictures(*services().launcher);
    services().pictures = &pictures;
    auto page = open();
    auto* card = find<QFrame>(*page, QStringLiteral("card-pendulum"));
    const auto moving = [&] {
        const QList<QMovie*> movies = card->findChildren<QMovie*>();
        return movies.size() == 1 && movies.first()->state() == QMovie::Running;
    };
    card->setAttribute(Qt::WA_UnderMouse);
    QEnterEvent enter({5, 5}, {5, 5}, card->mapToGlobal(QPointF(5, 5)));
    QApplication::sendEvent(card, &enter);
    ASSERT_TRUE(waitFor(moving)) << pictures.problem({.env = QStringLiteral("pendulum")}).toStdString();
    EXPECT_EQ(page->findChildren<QMovie*>().size(), 1);
    card->setAttribute(Qt::WA_UnderMouse, false);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(card, &leave);
    EXPECT_FALSE(moving());
}

TEST_F(GalleryTest, ACardPromisesNoGoalThatRandomPlayReaches) {
    auto page = open();
    choose(*page, "all");
    for (const ui::EnvInfo& env : catalogue().environments()) {
        const ui::PresetInfo* preset = catalogue().defaultPreset(env.id);
        const auto* chip = result(*page, env.id);
        ASSERT_NE(chip, nullptr) << env.id.toStdString();
        if (preset == nullptr || !env.random_return) continue;
        const bool expected =
            preset->is_measured && !preset->best_score && preset->expected_score > *env.random_return;
        const QRegularExpression promise(QStringLiteral("goal \\S*[0-9]"));
        EXPECT_EQ(chip->text().startsWith(QStringLiteral("Solved")), expected) << env.id.toStdString();
        EXPECT_EQ(chip->toolTip().contains(promise), expected) << env.id.toStdString();
        EXPECT_EQ(chip->text().startsWith(QStringLiteral("Not solved")), preset->best_score.has_value())
            << env.id.toStdString();
        EXPECT_EQ(chip->tone() == ui::Tone::warning, preset->best_score.has_value()) << env.id.toStdString();
    }
    ui::PresetInfo low;
    low.env = QStringLiteral("cartpole");
    low.expected_score = catalogue().environment(low.env)->random_return.value();
    EXPECT_FALSE(catalogue().hasGoal(low));
    low.expected_score += 1;
    EXPECT_TRUE(catalogue().hasGoal(low));
    low.is_measured = false;
    EXPECT_FALSE(catalogue().hasGoal(low));
    const ui::PresetInfo* pong = catalogue().defaultPreset(QStringLiteral("atari:pong"));
    ASSERT_NE(pong, nullptr);
    EXPECT_EQ(catalogue().hasGoal(*pong), !pong->source.startsWith(QStringLiteral("not yet measured")));
}

TEST_F(GalleryTest, LinesOfNeighbouringCardsAlignAtEveryWidth) {
    auto page = open({1000, 900});
    choose(*page, "all");
    // The number of columns in the windows of 800, 1200 and 1360 pixels, and wider ones.
    for (const auto& [width, columns] : std::map<int, int>{
             {300, 1}, {540, 2}, {939, 3}, {1099, 4}, {1280, 4}, {1600, 6}, {1920, 7}, {2400, 9}}) {
        page->resize(width, 900);
        settle(150);
        std::map<int, std::set<int>> buttons, chips;  // y positions per row of cards
        std::set<int> left;
        for (const QFrame* card : cardsOf(*page)) {
            left.insert(card->x());
            buttons[card->y()].insert(card->findChild<QPushButton*>()->y());
            const auto* chip = card->findChild<ui::Chip*>();
            chips[card->y()].insert(chip->y());
            EXPECT_GE(chip->width(), chip->sizeHint().width())
                << chip->text().toStdString() << " at " << width;
            for (const QPushButton* button : card->findChildren<QPushButton*>())
                EXPECT_TRUE(card->rect().contains(button->geometry())) << width;
        }
        EXPECT_EQ(left.size(), columns) << width;
        for (const auto* lines : {&buttons, &chips})
            for (const auto& [row, places] : *lines)
                EXPECT_EQ(places.size(), 1U) << "row at " << row << " of " << width;
    }
}

TEST_F(GalleryTest, FewCardsKeepTheirHeightAndEscapeClearsTheSearch) {
    auto page = open();
    const auto* card = find<QFrame>(*page, QStringLiteral("card-pendulum"));
    ASSERT_NE(card, nullptr);
    settle(100);
    const int height = card->height();
    search(*page)->setText(QStringLiteral("pendulum"));
    settle(100);
    ASSERT_TRUE(card->isVisible());
    EXPECT_LE(card->height(), height);
    EXPECT_TRUE(
        result(*page, QStringLiteral("pendulum"))->toolTip().contains(QStringLiteral("random −1208")));
    page->activateWindow();
    search(*page)->setFocus();
    ASSERT_TRUE(waitFor([&] { return search(*page)->hasFocus(); }));
    QTest::keyClick(search(*page), Qt::Key_Escape);
    EXPECT_EQ(search(*page)->text(), QString());
    // So does the visit of another page.
    search(*page)->setText(QStringLiteral("pendulum"));
    page->hide();
    page->show();
    EXPECT_EQ(search(*page)->text(), QString());
    EXPECT_EQ(chosen(*page), ui::kPopularFamily);
}

TEST_F(GalleryTest, CardsFitAPageThatWasResizedWhileHidden) {
    auto page = open({700, 700});
    settle(100);
    page->hide();
    page->resize(1900, 1000);
    page->show();
    settle(200);
    const auto* area = page->findChild<QScrollArea*>();
    const QWidget* inside = area->widget();
    EXPECT_LE(inside->height(), std::max(area->viewport()->height(),
                                         inside->layout()->totalHeightForWidth(inside->width()) + 1));
    const auto* card = find<QFrame>(*page, QStringLiteral("card-pendulum"));
    auto fresh = makePage(QStringLiteral("start"), {1900, 1000});
    settle(200);
    EXPECT_EQ(card->height(), find<QFrame>(*fresh, QStringLiteral("card-pendulum"))->height());
}

}  // namespace
}  // namespace seedbed::testing
