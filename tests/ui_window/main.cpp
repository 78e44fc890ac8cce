// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include <QApplication>

#include <gtest/gtest.h>

#include "app/gui/translations.hpp"
#include "tests/ui_window/screen.hpp"
#include "tests/unit/base/supervised.hpp"

namespace {

int runTests(int argc, char** argv) {
    const seedbed::ui::Screen screen;
    const QApplication app(argc, argv);
    QGuiApplication::setQuitOnLastWindowClosed(false);
    const auto plural_forms = seedbed::installTranslations();  // plural forms of English
    return RUN_ALL_TESTS();
}

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
    // Runs and queues outlive the window that starts them, but not a test that crashes.
    return seedbed::testing::runSupervised([&] { return runTests(argc, argv); });
}
