// SPDX-License-Identifier: Apache-2.0
// A page is one file: the page below appears in the sidebar, the window menu and the palette, and other pages
// can link to it, without a change to any other file.
#include <any>

#include <QAction>
#include <QLabel>
#include <QListWidget>
#include <QMenuBar>
#include <QVBoxLayout>

#include "tests/ui_window/driver.hpp"
#include "ui/views/page.hpp"

namespace seedbed::ui {
namespace {

struct NotesLink {
    static constexpr auto kPage = "notes";
    QString text;
};

class NotesPage final : public Page {
public:
    explicit NotesPage(const Services&) : text_(new QLabel(this)) {
        text_->setObjectName(QStringLiteral("notes_text"));
        auto* column = new QVBoxLayout(this);
        column->addWidget(text_);
    }
    void open(const std::any& link) override {
        if (const auto* notes = std::any_cast<NotesLink>(&link)) text_->setText(notes->text);
    }

private:
    QLabel* text_;
};

// A page's file ends with SEEDBED_REGISTER_PAGE; here the other tests of this program must not see the page.
class OnePage : public WindowTest {
protected:
    OnePage() {
        registerPage("notes",
                     {.order = 99,
                      .title = "&Notes",
                      .icon = "compare",
                      .make = [](const Services& services) -> Page* { return new NotesPage(services); }});
    }
    ~OnePage() override {
        app.reset();
        pageRegistry().removeIf([](const PageEntry& entry) { return entry.id == QLatin1String("notes"); });
    }
};

TEST_F(OnePage, IsListedAndOpensFromALink) {
    openWindow();
    auto* side = find<QListWidget>("pages");
    ASSERT_NE(side, nullptr);
    EXPECT_EQ(side->findItems(QStringLiteral("Notes"), Qt::MatchExactly).size(), 1);
    bool in_menu = false;
    for (const QAction* action : window().findChildren<QAction*>())
        in_menu = in_menu || action->text() == QStringLiteral("&Notes");
    EXPECT_TRUE(in_menu);

    window().open(NotesLink{.text = QStringLiteral("three seeds")});
    auto* text = find<QLabel>("notes_text");
    ASSERT_NE(text, nullptr);
    EXPECT_TRUE(QTest::qWaitFor([&] { return text->isVisible(); }, kTimeoutMs));
    EXPECT_EQ(text->text(), QStringLiteral("three seeds"));
    EXPECT_EQ(side->currentItem()->text(), QStringLiteral("Notes"));
}

}  // namespace
}  // namespace seedbed::ui
