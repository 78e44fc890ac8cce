// SPDX-License-Identifier: Apache-2.0
// Tests the look of controls and the parts of the shell that are drawn by the window itself.
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWindow>

#include <gtest/gtest.h>

#include "ui/views/charts/view_button.hpp"
#include "ui/views/shell/side_bar.hpp"
#include "ui/views/shell/toast.hpp"
#include "ui/views/shell/top_bar.hpp"
#include "ui/views/style/card.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr auto kModes = {Theme::Mode::light, Theme::Mode::dark, Theme::Mode::high_contrast};

// The colour inside the left edge, where no text is.
QColor fillOf(QWidget& widget) {
    const QImage image = widget.grab().toImage();
    return image.pixelColor(7, image.height() / 2);
}

int pixelsOf(QWidget& widget, const QColor& colour) {
    const QImage image = widget.grab().toImage();
    int found = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) found += image.pixelColor(x, y) == colour;
    return found;
}

TEST(Style, ThePrimaryButtonIsFilledWithTheAccentAndItsTextIsReadable) {
    Theme theme;
    QPushButton plain(QStringLiteral("MMMM")), primary(QStringLiteral("MMMM"));
    setKind(&primary, ButtonKind::primary);
    for (QPushButton* each : {&plain, &primary}) each->resize(each->sizeHint());
    for (const auto mode : kModes) {
        theme.setMode(mode);
        const Tokens& t = tokens();
        EXPECT_EQ(fillOf(primary), t.accent);
        EXPECT_GT(pixelsOf(primary, t.accent_text), 20);
        EXPECT_EQ(fillOf(plain), t.surface);
        EXPECT_GT(pixelsOf(plain, t.text), 20);
        primary.setEnabled(false);
        EXPECT_NE(fillOf(primary), t.accent);
        primary.setEnabled(true);
    }
    EXPECT_GE(plain.sizeHint().height(), kControlHeight);
    EXPECT_EQ(plain.sizeHint().height(), QLineEdit().sizeHint().height()) << "they share a row";
}

TEST(Style, ToolButtonsAreAsHighAsFieldsAndFramesHaveNoCornersOutsideTheirRounding) {
    const Theme theme;
    QToolButton button;
    button.setText(QStringLiteral("Take over"));
    EXPECT_EQ(button.sizeHint().height(), QLineEdit().sizeHint().height());
    QListWidget list;
    list.resize(100, 60);
    const QImage image = list.grab().toImage();
    EXPECT_EQ(image.pixelColor(50, 30), tokens().surface);
    EXPECT_NE(image.pixelColor(1, 1), tokens().surface) << "outside of the rounded corner";
}

TEST(Style, IconsOfButtonsHaveTheColourOfTheText) {
    Theme theme;
    QPushButton button(theme.icon(QStringLiteral("stop")), QString());
    button.setIconSize({32, 32});
    setKind(&button, ButtonKind::primary);
    button.resize(button.sizeHint());
    for (const auto mode : kModes) {
        theme.setMode(mode);
        EXPECT_GT(pixelsOf(button, tokens().accent_text), 10) << static_cast<int>(mode);
    }
}

TEST(Style, AccessKeysAreUnderlinedWhileAltIsPressed) {
    Theme theme;
    QPushButton button(QStringLiteral("&Train"));
    QMenu menu;
    const auto underlined = [&] { return button.grab().toImage(); };
    const auto hint = [](const QWidget& of) {
        return of.style()->styleHint(QStyle::SH_UnderlineShortcut, nullptr, &of);
    };
    const QImage plain = underlined();
    EXPECT_EQ(hint(menu), 1);
    QTest::keyPress(&button, Qt::Key_Alt);
    EXPECT_NE(underlined(), plain);
    QTest::keyRelease(&button, Qt::Key_Alt);
    EXPECT_EQ(underlined(), plain);
    QTest::keyPress(&button, Qt::Key_Alt);
    QEvent left(QEvent::WindowDeactivate);  // Alt+Tab: another window gets the release
    QCoreApplication::sendEvent(&button, &left);
    EXPECT_EQ(hint(button), 0);
}

TEST(Style, AChipIsFilledWhileItIsChecked) {
    Theme theme;
    theme.setMode(Theme::Mode::light);
    QPushButton chip(QStringLiteral("Arcade"));
    chip.setCheckable(true);
    setKind(&chip, ButtonKind::chip);
    chip.resize(chip.sizeHint());
    const QColor off = fillOf(chip);
    chip.setChecked(true);
    EXPECT_EQ(fillOf(chip), tokens().text);
    EXPECT_NE(off, tokens().text);
}

TEST(Style, ChipsWithoutRoomEndWithDots) {
    const Theme theme;
    Chip chip;
    chip.setText(QStringLiteral("Not solved yet: best 0.58 of 1"));
    chip.setTone(Tone::warning);
    const QSize whole = chip.sizeHint();
    chip.resize(whole);
    const int text = pixelsOf(chip, tokens().warning);
    chip.resize(whole.width() / 2, whole.height());
    EXPECT_LT(pixelsOf(chip, tokens().warning), text);
    // Nothing is drawn in the rounded ends, where it would be cut.
    const QImage image = chip.grab().toImage();
    for (int y = 0; y < image.height(); ++y)
        EXPECT_NE(image.pixelColor(image.width() - 3, y), tokens().warning) << y;
    EXPECT_LE(chip.minimumSizeHint().width(), whole.width() / 2);
}

TEST(SideBar, ShowsCountsAndTheRunThatTrains) {
    const Theme theme;
    SideBar bar(theme);
    bar.addPage(QStringLiteral("start"), QStringLiteral("Start"), "start");
    bar.addPage(QStringLiteral("queue"), QStringLiteral("Queue"), "queue");
    bar.resize(bar.width(), 400);
    bar.show();
    QSignalSpy pages(&bar, &SideBar::pageSelected), runs(&bar, &SideBar::trainingSelected);
    bar.select(QStringLiteral("queue"));
    ASSERT_EQ(pages.count(), 1);
    EXPECT_EQ(pages.front().front().toString(), QStringLiteral("queue"));
    const auto* list = bar.findChild<QListWidget*>(QStringLiteral("pages"));
    bar.setCount(QStringLiteral("queue"), 3);
    EXPECT_TRUE(list->item(1)->data(Qt::AccessibleTextRole).toString().contains(QLatin1Char('3')));
    bar.setCount(QStringLiteral("queue"), 0);
    EXPECT_FALSE(list->item(1)->data(Qt::AccessibleTextRole).toString().contains(QLatin1Char('3')));

    auto* card = bar.findChild<QAbstractButton*>(QStringLiteral("training-card"));
    EXPECT_FALSE(card->isVisible());
    bar.showTraining(TrainingState{.run = 7, .name = QStringLiteral("run 7"), .part = 0.5, .speed = {}});
    EXPECT_TRUE(card->isVisible());
    EXPECT_TRUE(card->accessibleName().contains(QStringLiteral("50")));
    const int half = pixelsOf(*card, tokens().accent);
    bar.showTraining(TrainingState{.run = 7, .name = QStringLiteral("run 7"), .part = 0.9, .speed = {}});
    EXPECT_GT(pixelsOf(*card, tokens().accent), 1.5 * half);
    card->click();
    ASSERT_EQ(runs.count(), 1);
    EXPECT_EQ(runs.front().front().toLongLong(), 7);
    const int wide = bar.width();
    bar.setCompact(true);
    EXPECT_LT(bar.width(), wide / 2);
    EXPECT_EQ(list->item(1)->toolTip(), QStringLiteral("Queue"));
    EXPECT_FALSE(card->isVisible());
    bar.setCompact(false);
    EXPECT_TRUE(card->isVisible());
    bar.showTraining(std::nullopt);
    EXPECT_FALSE(card->isVisible());
}

TEST(Bell, KeepsTheNewestNoticesUntilTheyAreRead) {
    const Theme theme;
    Bell bell(theme);
    QSignalSpy chosen(&bell, &Bell::runSelected);
    for (int run = 1; run <= 30; ++run) bell.add(QStringLiteral("run %1 & more finished").arg(run), run);
    EXPECT_EQ(bell.unread(), 30);
    EXPECT_TRUE(bell.accessibleName().contains(QStringLiteral("30")));
    Q_EMIT bell.menu()->aboutToShow();
    EXPECT_EQ(bell.unread(), 0);
    const QList<QAction*> actions = bell.menu()->actions();
    EXPECT_LT(actions.size(), 20);
    EXPECT_TRUE(actions.front()->text().contains(QStringLiteral("run 30 && more")));
    actions.front()->trigger();
    EXPECT_EQ(chosen.front().front().toLongLong(), 30);
}

TEST(Toast, CoversTheLowerEdgeAtEverySize) {
    const Theme theme;
    QWidget page;
    page.resize(700, 500);
    page.show();
    Toast toast(&page);
    toast.showText(QStringLiteral("3 runs moved to trash. Undo restores them. ").repeated(4));
    for (const QSize size : {QSize(700, 500), QSize(300, 400), QSize(1600, 900)}) {
        page.resize(size);
        QApplication::processEvents();
        EXPECT_TRUE(page.rect().contains(toast.geometry())) << size.width();
        EXPECT_GE(toast.height(), toast.heightForWidth(toast.width()));
        EXPECT_GT(toast.y(), page.height() / 2);
    }
    EXPECT_GT(pixelsOf(toast, tokens().background), 20) << "the text has the inverse colour";
    toast.showText(QString());
    EXPECT_FALSE(toast.isVisible());
}

TEST(ViewButton, EscapeInAListClosesOnlyTheList) {
    const Theme theme;
    QWidget page;
    auto* controls = new QWidget;
    auto* box = new QComboBox(controls);
    box->addItems({QStringLiteral("one"), QStringLiteral("two")});
    ViewButton button(QStringLiteral("View"), controls, &page);
    page.show();
    button.toggle();
    QTest::qWait(10);
    box->showPopup();
    QWidget* list = box->view()->window();
    ASSERT_TRUE(list->isVisible());
    QTest::keyClick(list->windowHandle(), Qt::Key_Escape);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !list->isVisible(); }));
    QTest::qWait(100);
    EXPECT_TRUE(controls->isVisible());
    QTest::keyClick(controls->window()->windowHandle(), Qt::Key_Escape);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !controls->isVisible(); }));
}

TEST(Toast, OffersToUndoUntilTheNextText) {
    const Theme theme;
    QWidget page;
    page.resize(700, 500);
    page.show();
    Toast toast(&page);
    QSignalSpy asked(&toast, &Toast::undoRequested);
    auto* undo = toast.findChild<QPushButton*>(QStringLiteral("toast-undo"));
    toast.showText(QStringLiteral("3 runs moved to trash."));
    EXPECT_FALSE(undo->isVisible());
    const int wide = toast.width(), text = toast.contentsRect().width();
    toast.offerUndo();
    QApplication::processEvents();
    EXPECT_GT(toast.width(), wide) << "the text is as wide as before";
    EXPECT_GE(toast.contentsRect().width(), text);
    EXPECT_TRUE(toast.rect().contains(undo->geometry()));
    EXPECT_FALSE(toast.contentsRect().intersects(undo->geometry()));
    QTest::mouseClick(page.childAt(toast.mapTo(&page, undo->geometry().center())), Qt::LeftButton);
    EXPECT_EQ(asked.count(), 1) << "the mouse reaches the button";
    toast.showText(QStringLiteral("Copied"));
    EXPECT_FALSE(undo->isVisible());
    EXPECT_EQ(page.childAt(toast.geometry().center()), nullptr) << "the mouse reaches the page below";
}

}  // namespace
}  // namespace seedbed::ui
