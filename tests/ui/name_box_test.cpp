// SPDX-License-Identifier: Apache-2.0
// Tests combo boxes with long names that differ only at the end.
#include <QAbstractItemView>
#include <QTest>

#include <gtest/gtest.h>

#include "ui/views/elided_name.hpp"
#include "ui/views/name_box.hpp"

namespace seedbed::ui {
namespace {

TEST(ElidedMiddle, KeepsBothEndsAndDoesNotChangeShortNames) {
    using ui::elidedMiddle;
    EXPECT_EQ(elidedMiddle(QStringLiteral("short"), 5), QStringLiteral("short"));
    EXPECT_EQ(elidedMiddle(QStringLiteral("learning_rate=0.001, gamma=0.98"), 16),
              QStringLiteral("learning_r…=0.98"));
    EXPECT_EQ(elidedMiddle(QStringLiteral("abcdef"), 3), QStringLiteral("ab…"));
    EXPECT_EQ(elidedMiddle(QString(), 3), QString());
}

TEST(NameBox, StaysNarrowShowsTheEndOfANameAndItsListIsAsWideAsTheNames) {
    NameBox box(12);
    const QString front = QStringLiteral("25 · cartpole · mine learning_rate=5e-3 seed=");
    for (const int seed : {1, 2, 3}) box.addItem(front + QString::number(seed));
    box.resize(box.sizeHint());
    box.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&box));
    const int whole = box.fontMetrics().horizontalAdvance(box.itemText(0));
    EXPECT_LT(box.width(), whole);
    // Names that differ only in the last letter look different.
    const QImage first = box.grab().toImage();
    box.setCurrentIndex(1);
    EXPECT_NE(box.grab().toImage(), first);
    box.showPopup();
    EXPECT_GE(box.view()->width(), whole);
    box.hidePopup();
}

}  // namespace
}  // namespace seedbed::ui
