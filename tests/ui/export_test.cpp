// SPDX-License-Identifier: Apache-2.0
// Tests the export dialog with real exports: verification, copied command, and errors.
#include "ui/views/export/export_page.hpp"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QTableWidget>
#include <QTest>

#include <gtest/gtest.h>

#include "tests/ui/program_fixture.hpp"
#include "ui/views/export/export_link.hpp"

namespace seedbed::ui {
namespace {

class ExportTest : public ProgramTest {
protected:
    void SetUp() override {
        train();
        openStore();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !runs_->runs()->empty(); }, kTimeoutMs));
        page_ = std::make_unique<ExportPage>(services_);
        page_->resize(760, 720);
        page_->open(ExportLink{.run = 1});
        page_->show();
        ASSERT_TRUE(QTest::qWaitFor([&] { return box("export-c") != nullptr; }, kTimeoutMs));
        page_->findChild<QLineEdit*>(QStringLiteral("export-folder"))->clear();
        QTest::keyClicks(page_->findChild<QLineEdit*>(QStringLiteral("export-folder")), out());
    }
    QString out() const { return folder_.filePath(QStringLiteral("my export")); }
    QCheckBox* box(const char* name) { return page_->findChild<QCheckBox*>(QLatin1String(name)); }
    QPushButton* start() { return page_->findChild<QPushButton*>(QStringLiteral("export-start")); }
    QString verdict() { return page_->findChild<QLabel*>(QStringLiteral("export-verdict"))->text(); }
    void exportNow() {
        ASSERT_TRUE(start()->isEnabled());
        QTest::mouseClick(start(), Qt::LeftButton);
        EXPECT_FALSE(start()->isEnabled()) << "only one export runs at a time";
        ASSERT_TRUE(QTest::qWaitFor([&] { return !verdict().isEmpty(); }, kTimeoutMs));
    }
    void keep(const QString& name) { savePicture(*page_, name); }

    std::unique_ptr<ExportPage> page_;
};

TEST_F(ExportTest, WritesTheSelectionAndShowsTheProof) {
    box("export-safetensors")->setChecked(true);
    exportNow();
    EXPECT_TRUE(verdict().contains(QStringLiteral("Verified and written"))) << verdict().toStdString();
    for (const char* file : {"parity.json", "model.safetensors", "README.md"})
        EXPECT_TRUE(QFile::exists(out() + QLatin1Char('/') + QLatin1String(file))) << file;
    const auto* proof = page_->findChild<QTableWidget*>(QStringLiteral("export-proof"));
    ASSERT_TRUE(proof->isVisible());
    ASSERT_EQ(proof->rowCount(), 2);
    EXPECT_EQ(proof->item(0, 0)->text(), QStringLiteral("onnx"));
    EXPECT_TRUE(proof->item(0, 1)->text().contains(QStringLiteral("allowed")));
    EXPECT_TRUE(proof->item(0, 2)->text().contains(QStringLiteral("episodes")))
        << proof->item(0, 2)->text().toStdString();
    // Everything fits on the screen, and the buttons are visible.
    ASSERT_TRUE(QTest::qWaitFor([&] { return proof->height() > 60; }, kTimeoutMs));
    QTest::qWait(100);
    EXPECT_LE(proof->horizontalHeader()->length(), proof->viewport()->width());
    EXPECT_GE(proof->viewport()->height(), proof->verticalHeader()->length());
    const QRect screen = page_->screen()->availableGeometry();
    EXPECT_LE(page_->frameGeometry().bottom(), screen.bottom());
    EXPECT_TRUE(page_->rect().contains(QRect(start()->mapTo(page_.get(), QPoint()), start()->size())));
    keep(QStringLiteral("export"));
    // The folder exists now, so it is left unchanged.
    exportNow();
    EXPECT_TRUE(verdict().contains(QStringLiteral("is not empty"))) << verdict().toStdString();
    EXPECT_TRUE(QFile::exists(out() + QStringLiteral("/parity.json")));
    keep(QStringLiteral("export-refused"));
}

TEST_F(ExportTest, CopiesTheEquivalentCommand) {
    box("export-onnx")->setChecked(false);
    EXPECT_FALSE(start()->isEnabled()) << "no format is selected";
    box("export-c")->setChecked(true);
    box("export-with_value")->setChecked(false);
    page_->findChild<QComboBox*>(QStringLiteral("export-weights"))->setCurrentIndex(0);
    QTest::mouseClick(page_->findChild<QPushButton*>(QStringLiteral("export-copy")), Qt::LeftButton);
    EXPECT_EQ(QGuiApplication::clipboard()->text(),
              QStringLiteral("seedbed export 1 --to c --out '%1' --without-value").arg(out()));
}

TEST_F(ExportTest, ReturnExportsAndCloseCloses) {
    EXPECT_TRUE(start()->isDefault());
    auto* close = page_->findChild<QPushButton*>(QStringLiteral("export-close"));
    ASSERT_NE(close, nullptr);
    EXPECT_FALSE(close->autoDefault());
    close->click();
    EXPECT_FALSE(page_->isVisible());
}

TEST_F(ExportTest, AFolderThatCannotBeCreatedIsReported) {
    auto* folder = page_->findChild<QLineEdit*>(QStringLiteral("export-folder"));
    folder->clear();
    EXPECT_FALSE(start()->isEnabled() && folder->text().isEmpty());
    QTest::keyClicks(folder, QStringLiteral("/proc/nothing/here"));
    exportNow();
    EXPECT_TRUE(verdict().contains(QStringLiteral("/proc"))) << verdict().toStdString();
}

}  // namespace
}  // namespace seedbed::ui
