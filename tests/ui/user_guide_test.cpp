// SPDX-License-Identifier: Apache-2.0
#include "ui/views/shell/user_guide.hpp"

#include <memory>

#include <gtest/gtest.h>

#include <QAction>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>
#include <QTextBrowser>

#include "ui/views/page_parts.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

TEST(UserGuide, OpensItsFirstPageAndFollowsLinksBetweenPages) {
    const QString folder = guideFolder();
    ASSERT_FALSE(folder.isEmpty());
    const std::unique_ptr<QDialog> guide(makeUserGuide(folder, nullptr));
    guide->setAttribute(Qt::WA_DeleteOnClose, false);
    auto* browser = guide->findChild<QTextBrowser*>();
    EXPECT_TRUE(browser->toPlainText().contains(QStringLiteral("Concepts")));
    Q_EMIT browser->anchorClicked(QUrl(QStringLiteral("concepts.md")));
    EXPECT_EQ(browser->source().fileName(), QStringLiteral("concepts.md"));
    EXPECT_TRUE(browser->toPlainText().contains(QStringLiteral("Episode")));
    browser->backward();
    EXPECT_EQ(browser->source().fileName(), QStringLiteral("README.md"));
}

TEST(UserGuide, OpensThePageOfAnEmptyState) {
    QAction action(QStringLiteral("New league…"));
    const Theme theme;
    QWidget window;
    const EmptyState empty =
        emptyState(QStringLiteral("league"), &action, theme, "league", "self-play", &window);
    QPushButton* more = empty.widget->findChild<QPushButton*>(QStringLiteral("league-guide"));
    ASSERT_NE(more, nullptr);
    more->click();
    const auto* browser = window.findChild<QTextBrowser*>();
    ASSERT_NE(browser, nullptr);
    EXPECT_EQ(browser->source().fileName(), QStringLiteral("self-play.md"));
}

TEST(UserGuide, ShowsPicturesOfTheTutorial) {
    const std::unique_ptr<QDialog> guide(makeUserGuide(guideFolder(), nullptr));
    guide->setAttribute(Qt::WA_DeleteOnClose, false);
    auto* browser = guide->findChild<QTextBrowser*>();
    Q_EMIT browser->anchorClicked(QUrl(QStringLiteral("first-agent.md")));
    const QRegularExpression picture(QStringLiteral("src=\"([^\"]+)\""));
    const auto found = picture.match(browser->toHtml());
    ASSERT_TRUE(found.hasMatch());
    EXPECT_FALSE(browser->loadResource(QTextDocument::ImageResource, QUrl(found.captured(1))).isNull());
}

TEST(UserGuide, AMissingPageOrGuideIsNamedInsteadOfLeavingAnEmptyWindow) {
    const std::unique_ptr<QDialog> guide(makeUserGuide(guideFolder(), nullptr));
    guide->setAttribute(Qt::WA_DeleteOnClose, false);
    auto* browser = guide->findChild<QTextBrowser*>();
    Q_EMIT browser->anchorClicked(QUrl(QStringLiteral("no-such-page.md")));
    EXPECT_TRUE(browser->toPlainText().contains(QStringLiteral("no-such-page.md")));

    const std::unique_ptr<QDialog> missing(makeUserGuide(QStringLiteral("/nonexistent"), nullptr));
    missing->setAttribute(Qt::WA_DeleteOnClose, false);
    EXPECT_TRUE(missing->findChild<QTextBrowser*>()->toPlainText().contains(QStringLiteral("not installed")));
}

}  // namespace
}  // namespace seedbed::ui
