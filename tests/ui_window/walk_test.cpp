// SPDX-License-Identifier: Apache-2.0
// Visits all pages: every focusable widget has an accessible name, every text can be translated, every action
// is reachable by keyboard, and the window's thread is never blocked for long.
#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QScrollBar>
#include <QThread>
#include <QTranslator>

#include "tests/ui/page_link.hpp"
#include "tests/ui_window/driver.hpp"
#include "ui/views/start/start_link.hpp"

namespace seedbed::ui {
namespace {

// Marks every translated text and makes it a third longer; numbers and markers are kept.
class PseudoLocale : public QTranslator {
public:
    QString translate(const char*, const char* source, const char*, int n) const override {
        QString text = QString::fromUtf8(source);
        if (n >= 0) text.replace(QStringLiteral("%n"), QString::number(n));
        return QStringLiteral("⟦") + text + QString(text.size() / 3, QLatin1Char('~')) + QStringLiteral("⟧");
    }
    bool isEmpty() const override { return false; }
};

// Widgets created by the style or a view.
bool isInternal(const QWidget* widget) {
    if (widget->objectName().startsWith(QLatin1String("qt_")) ||
        qobject_cast<const QScrollBar*>(widget) != nullptr ||
        qobject_cast<const QHeaderView*>(widget) != nullptr ||
        qobject_cast<const QMenu*>(widget) != nullptr || qobject_cast<const QMenuBar*>(widget) != nullptr)
        return true;
    const QWidget* parent = widget->parentWidget();
    // Parts of combo boxes, spin boxes and popups are named by their owner.
    for (; parent != nullptr; parent = parent->parentWidget())
        if (parent->inherits("QComboBox") || parent->inherits("QAbstractSpinBox") ||
            parent->inherits("QComboBoxPrivateContainer"))
            return true;
    return widget->inherits("QComboBoxPrivateContainer");
}

QString describe(const QWidget* widget) {
    QString text = QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ') + widget->objectName();
    for (const QWidget* parent = widget->parentWidget(); parent != nullptr; parent = parent->parentWidget())
        if (!parent->objectName().isEmpty()) return text + QStringLiteral(" in ") + parent->objectName();
    return text;
}

// Accessible name, or the text of a button.
QString nameOf(QWidget* widget) {
    const QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
    return accessible == nullptr ? widget->accessibleName() : accessible->text(QAccessible::Name);
}

void checkNames(QWidget* root) {
    for (QWidget* widget : root->findChildren<QWidget*>()) {
        if (!(widget->focusPolicy() & Qt::TabFocus) || isInternal(widget)) continue;
        EXPECT_FALSE(nameOf(widget).isEmpty()) << describe(widget).toStdString();
    }
}

void expectTranslated(const QString& text, const QString& where) {
    // Strings without letters and strings of the test need no translation.
    bool letters = false;
    for (const QChar c : text) letters |= c.isLetter();
    if (!letters) return;
    EXPECT_TRUE(text.contains(QStringLiteral("⟦"))) << where.toStdString() << ": " << text.toStdString();
}

void checkTexts(QWidget* root) {
    // Names of environments are not translated.
    for (const QAbstractButton* button : root->findChildren<QAbstractButton*>())
        if (!isInternal(button) && !button->objectName().startsWith(QLatin1String("watch-")))
            expectTranslated(button->text(), describe(button));
    for (const QGroupBox* box : root->findChildren<QGroupBox*>())
        expectTranslated(box->title(), describe(box));
    for (const QLineEdit* line : root->findChildren<QLineEdit*>())
        if (!line->placeholderText().contains(QLatin1Char('=')))
            expectTranslated(line->placeholderText(), describe(line));
    for (const QAction* action : root->findChildren<QAction*>()) {
        const bool is_own = action->parent() != nullptr && !action->parent()->inherits("QLineEdit") &&
                            !action->objectName().startsWith(QLatin1String("_q_")) &&
                            // Language names are not translated; Qt translates the actions of its dialogs.
                            !action->objectName().startsWith(QLatin1String("language-")) &&
                            !action->objectName().startsWith(QLatin1String("qt_"));
        if (is_own) expectTranslated(action->text(), QStringLiteral("action ") + action->objectName());
    }
    for (const QWidget* widget : root->findChildren<QWidget*>())
        if ((widget->focusPolicy() & Qt::TabFocus) && !isInternal(widget))
            expectTranslated(widget->accessibleName(), describe(widget));
}

class Walk : public WindowTest {
protected:
    // Makes a finished run, so that pages have something to show.
    void makeRun() {
        seedbed({QStringLiteral("train"), QStringLiteral("cartpole"), QStringLiteral("--steps"),
                 QStringLiteral("8000"), QStringLiteral("--quiet")});
    }

    // Opens the dialogs of all commands with "…": actions of the page and its menus, and buttons of its
    // dialogs.
    void checkDialogs(const QString& page, const std::function<void(const QString& page)>& look) {
        const QChar promise(0x2026);
        QStringList seen;
        const auto opened = [&](const QString& by) {
            QTest::qWait(200);
            for (QDialog* dialog : window().findChildren<QDialog*>())
                if (dialog->isVisible()) ++dialogs_;
            look(page + QStringLiteral(", ") + by);
        };
        QWidget* shown = window().page(page);
        const QList<QAction*> actions =
            shown != nullptr ? shown->findChildren<QAction*>() : QList<QAction*>();
        for (QAction* action : actions) {
            if (!action->text().contains(promise) || !action->isEnabled() || seen.contains(action->text()))
                continue;
            seen += action->text();
            action->trigger();
            opened(action->text());
            for (QDialog* dialog : window().findChildren<QDialog*>()) dialog->close();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        for (QDialog* dialog : window().findChildren<QDialog*>())
            for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
                if (!button->text().contains(promise) || !button->isEnabled() ||
                    seen.contains(button->text()))
                    continue;
                seen += button->text();
                button->click();
                opened(button->text());
            }
    }
    int dialogs_ = 0;

    void showAll(const std::function<void(const QString& page)>& look) {
        EXPECT_TRUE(QTest::qWaitFor([&] { return !runs().runs()->empty(); }, kTimeoutMs));
        for (const PageEntry& entry : pageRegistry()) {
            window().openPage(entry.id, linkTo(entry.id, {1}));
            QTest::qWait(300);
            look(entry.id);
            checkDialogs(entry.id, look);
            // Dialogs are closed again before the next page.
            for (QDialog* dialog : window().findChildren<QDialog*>()) dialog->close();
        }
        window().open(StartLink{
            .new_run = NewRunRequest{.env = QStringLiteral("cartpole"), .preset = {}, .settings = {}}});
        settle(1500);
        look(QStringLiteral("form"));
        window().showShortcuts();
        window().showAbout();
        window().showPalette();
        settle(500);
        look(QStringLiteral("dialogs"));
    }
};

TEST_F(Walk, InAnotherLanguageEveryTextIsTranslatedAndEveryWidgetStillHasItsName) {
    makeRun();
    PseudoLocale pseudo;
    QCoreApplication::installTranslator(&pseudo);
    openWindow();
    showAll([&](const QString& page) {
        SCOPED_TRACE(page.toStdString());
        checkNames(&window());
        checkTexts(&window());
    });
    app.reset();
    QCoreApplication::removeTranslator(&pseudo);
}

TEST_F(Walk, EveryWidgetThatTakesTheFocusHasAnAccessibleNameAndEveryButtonCanBeReached) {
    makeRun();
    openWindow();
    showAll([&](const QString& page) {
        SCOPED_TRACE(page.toStdString());
        checkNames(&window());
        // By Tab, or by an action of the palette.
        for (const QAbstractButton* button : window().findChildren<QAbstractButton*>()) {
            if (isInternal(button) || !button->isVisible() || button->inherits("QTabBar")) continue;
            const bool inside_line =
                button->parentWidget() != nullptr && button->parentWidget()->inherits("QLineEdit");
            const bool corner = button->inherits("QTableCornerButton");
            EXPECT_TRUE(inside_line || corner || (button->focusPolicy() & Qt::TabFocus) ||
                        !button->actions().isEmpty())
                << page.toStdString() << ": " << describe(button).toStdString();
        }
    });
    // The dialogs are for a tag, tables, charts in four formats, recorded games, and the folder of an export.
    EXPECT_GE(dialogs_, 8) << "number of dialogs opened by actions and buttons with an ellipsis";
    // Shortcuts are unique within a page and the menus.
    for (const PageEntry& entry : pageRegistry()) {
        if (entry.own_window) continue;
        QMap<QString, QString> taken;
        QList<QAction*> actions = window().page(entry.id)->actions();
        for (QAction* menu : window().menuBar()->actions()) actions += menu->menu()->actions();
        for (const QAction* action : actions) {
            if (action->shortcut().isEmpty()) continue;
            const QString keys = action->shortcut().toString();
            EXPECT_FALSE(taken.contains(keys))
                << entry.id.toStdString() << ": " << keys.toStdString() << " is used by "
                << taken[keys].toStdString() << " and " << action->text().toStdString();
            taken[keys] = action->text();
        }
    }
}

TEST_F(Walk, TheWindowsThreadIsNotBlockedWhileARunTrainsOnAllCores) {
    seedbed({QStringLiteral("queue"), QStringLiteral("add"), QStringLiteral("cartpole"),
             QStringLiteral("--steps"), QStringLiteral("1e9")});
    seedbed({QStringLiteral("queue"), QStringLiteral("start")});
    openWindow();
    HeldThread held;
    held.start();
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return !runs().runs()->empty() && runs().runs()->front().progress.steps > 0; }, kTimeoutMs));
    for (const PageEntry& entry : pageRegistry()) {
        if (entry.own_window) continue;
        window().openPage(entry.id);
        QTest::qWait(700);
    }
    const double worst_ms = held.stop();
    // The benchmark checks the 50 ms goal.
    EXPECT_LT(worst_ms, 1000);
    RecordProperty("worst_ms", static_cast<int>(worst_ms));
}

}  // namespace
}  // namespace seedbed::ui
