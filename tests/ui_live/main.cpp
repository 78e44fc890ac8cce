// SPDX-License-Identifier: Apache-2.0
#include <QApplication>

#include <gtest/gtest.h>

#include "tests/ui_window/screen.hpp"

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    qputenv("SEEDBED_CANVAS", "vulkan");
    qputenv("SEEDBED_VULKAN_VALIDATION", "1");
    const seedbed::ui::Screen screen;
    const QApplication app(argc, argv);
    QGuiApplication::setQuitOnLastWindowClosed(false);
    return RUN_ALL_TESTS();
}
