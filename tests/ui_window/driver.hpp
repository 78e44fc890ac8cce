// SPDX-License-Identifier: Apache-2.0
// The fixture for tests of the whole window: an empty data folder, a window that uses it, and simulated
// input.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>

#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QFile>
#include <QLocale>
#include <QPixmap>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <gtest/gtest.h>

#include "app/gui/application.hpp"
#include "tests/ui/models/held_time.hpp"
#include "tests/unit/base/time_limit.hpp"
#include "ui/models/launcher.hpp"
#include "ui/models/run_store.hpp"
#include "ui/views/charts/chart_widget.hpp"
#include "ui/views/dashboard/chart_board.hpp"

namespace seedbed::ui {

// Generous for a loaded machine.
inline constexpr int kTimeoutMs = 120'000;

// Records desktop notifications.
class DesktopProbe : public Desktop {
public:
    explicit DesktopProbe(QStringList& notifications) : notifications_(notifications) {}
    void notify(const QString& title, const QString& text) override {
        notifications_ += title + QStringLiteral(": ") + text;
    }
    void showProgress(double) override {}

private:
    QStringList& notifications_;
};

// Measures the longest time between two events of this thread from start() to stop(), excluding the time in
// which other programs used its processor.
class HeldThread {
public:
    HeldThread() {
        beat_.setTimerType(Qt::PreciseTimer);
        QObject::connect(&beat_, &QTimer::timeout, &beat_, [this] {
            worst_ms_ = std::max(worst_ms_, since_.ms());
            since_.restart();
        });
    }
    void start() {
        worst_ms_ = 0;
        since_.restart();
        beat_.start(5);
    }
    double stop() {
        beat_.stop();
        return std::max(worst_ms_, since_.ms());
    }

private:
    testing::HeldTime since_;
    double worst_ms_ = 0;
    QTimer beat_;
};

// Measures the time since something was last laid out or drawn, or a result of another thread arrived.
class Stillness : public QObject {
public:
    Stillness() {
        since_.start();
        qApp->installEventFilter(this);
    }
    ~Stillness() override { qApp->removeEventFilter(this); }
    qint64 ms() const { return since_.elapsed(); }
    bool eventFilter(QObject*, QEvent* event) override {
        switch (event->type()) {
            case QEvent::Paint:
            case QEvent::UpdateRequest:
            case QEvent::LayoutRequest:
            case QEvent::Show:
            case QEvent::MetaCall: since_.restart(); break;
            default: break;
        }
        return false;
    }

private:
    QElapsedTimer since_;
};

class WindowTest : public ::testing::Test {
protected:
    // Removes the settings of earlier windows in this process's XDG folders.
    WindowTest() {
        if (const auto found = userFolders(data.path().toStdString()))
            for (const auto& folder : {found->state, found->config})
                QFile::remove(QString::fromStdString((folder / "window.ini").string()));
    }
    ~WindowTest() override {
        app.reset();
        QLocale::setDefault(locale_);
        QGuiApplication::setLayoutDirection(Qt::LeftToRight);
        // Stops all runs in the folder.
        seedbed({QStringLiteral("queue"), QStringLiteral("pause")});
        for (const RunId run : liveRuns()) seedbed({QStringLiteral("stop"), QString::number(run)});
        EXPECT_TRUE(QTest::qWaitFor([&] { return liveRuns().empty(); }, kTimeoutMs));
    }

    void openWindow(bool safe_mode = false, const QVariantMap& page_states = {}) {
        const auto found = userFolders(data.path().toStdString());
        ASSERT_TRUE(found.has_value());
        folders = *found;
        app = std::make_unique<WindowApplication>(
            folders,
            WindowOptions{
                .safe_mode = safe_mode, .measure = false, .program = {}, .page_states = page_states},
            std::make_unique<DesktopProbe>(notifications));
        window().show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(&window()));
    }
    void closeWindow() {
        window().close();
        app.reset();
    }
    // The first chart of a page; nullptr if it shows none.
    ChartWidget* chartOf(const char* page) {
        QWidget* of = window().page(QLatin1String(page));
        const auto* board = of->findChild<ChartBoard*>();
        if (board == nullptr) return of->findChild<ChartWidget*>();
        return board->shownCharts().empty() ? nullptr : board->shownCharts().front();
    }
    // Waits until the visible charts have their data and the window has not changed for a while; at most
    // `most_ms`, and as long as that in the long form and for pictures that are kept.
    void settle(int most_ms) {
        if (test::isLong() || qEnvironmentVariableIsSet("SEEDBED_SCREENSHOTS") ||
            qEnvironmentVariableIsSet("SEEDBED_PICTURES")) {
            QTest::qWait(most_ms);
            return;
        }
        constexpr int kStillMs = 200;
        const Stillness still;
        (void)QTest::qWaitFor(
            [&] {
                if (still.ms() < kStillMs) return false;
                const auto charts = window().findChildren<ChartWidget*>();
                return std::ranges::all_of(
                    charts, [](ChartWidget* chart) { return !chart->isVisible() || chart->model().idle(); });
            },
            most_ms);
    }
    MainWindow& window() { return app->window(); }
    RunStore& runs() { return *app->services().runs; }

    // Runs the program and returns its standard output.
    QByteArray seedbed(const QStringList& arguments) {
        QProcess process;
        process.start(QCoreApplication::applicationDirPath() + QStringLiteral("/seedbed"),
                      arguments + QStringList{QStringLiteral("--data"), data.path()});
        process.waitForFinished(kTimeoutMs);
        return process.readAllStandardOutput();
    }
    std::vector<RunId> liveRuns() {
        std::vector<RunId> live;
        if (auto reader = StoreReader::open(data.path().toStdString()))
            if (const auto all = reader->runs())
                for (const RunRecord& run : *all)
                    if (isLive(run.status)) live.push_back(run.id);
        return live;
    }

    // Saves a picture to the folder $SEEDBED_PICTURES, if set.
    void picture(const QString& name, QWidget* of = nullptr) {
        const QString folder = qEnvironmentVariable("SEEDBED_PICTURES");
        if (!folder.isEmpty())
            (of == nullptr ? &window() : of)
                ->grab()
                .save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
    }

    // Clicks on the widget once it is visible.
    void click(QWidget* widget) {
        ASSERT_NE(widget, nullptr);
        ASSERT_TRUE(QTest::qWaitFor([&] { return widget->isVisible() && widget->isEnabled(); }, kTimeoutMs))
            << widget->objectName().toStdString();
        QTest::mouseClick(widget, Qt::LeftButton);
    }
    template <class Widget = QPushButton>
    Widget* find(const char* name) {
        return window().findChild<Widget*>(QLatin1String(name));
    }

    const QLocale locale_;  // tests may change it
    QTemporaryDir data;
    UserFolders folders;
    QStringList notifications;
    std::unique_ptr<WindowApplication> app;
};

}  // namespace seedbed::ui
