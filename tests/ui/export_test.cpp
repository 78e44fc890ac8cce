// SPDX-License-Identifier: Apache-2.0
// The export dialog with real exports: the proof it shows, the command it copies, what it says when something
// is in the way.
#include "ui/views/export/export_page.hpp"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include "ui/models/run_store.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kPatience = 120'000;  // ms; a loaded machine is slow

class ExportTest : public testing::Test {
protected:
    void SetUp() override {
        const QString program = QCoreApplication::applicationDirPath() + QStringLiteral("/seedbed");
        QProcess process;
        process.start(program, {QStringLiteral("train"), QStringLiteral("cartpole"),
                                QStringLiteral("--steps"), QStringLiteral("3000"), QStringLiteral("--quiet"),
                                QStringLiteral("--eval.final_episodes=5"), QStringLiteral("--data"), data()});
        ASSERT_TRUE(process.waitForFinished(kPatience));
        ASSERT_EQ(process.exitCode(), 0) << process.readAllStandardError().toStdString();
        runs_ = std::make_unique<RunStore>(data().toStdString());
        launcher_ = std::make_unique<Launcher>(program, data());
        services_.runs = runs_.get(), services_.launcher = launcher_.get(), services_.theme = &theme_;
        ASSERT_TRUE(QTest::qWaitFor([&] { return !runs_->runs()->empty(); }, kPatience));
        page_ = std::make_unique<ExportPage>(services_);
        page_->resize(760, 720);
        PageRequest request;
        request.runs = {1};
        page_->open(request);
        page_->show();
        page_->findChild<QLineEdit*>(QStringLiteral("export-folder"))->clear();
        QTest::keyClicks(page_->findChild<QLineEdit*>(QStringLiteral("export-folder")), out());
    }
    QString data() const { return folder_.filePath(QStringLiteral("data")); }
    QString out() const { return folder_.filePath(QStringLiteral("my export")); }
    QCheckBox* box(const char* name) { return page_->findChild<QCheckBox*>(QLatin1String(name)); }
    QPushButton* start() { return page_->findChild<QPushButton*>(QStringLiteral("export-start")); }
    QString verdict() { return page_->findChild<QLabel*>(QStringLiteral("export-verdict"))->text(); }
    void exportNow() {
        ASSERT_TRUE(start()->isEnabled());
        QTest::mouseClick(start(), Qt::LeftButton);
        EXPECT_FALSE(start()->isEnabled()) << "one at a time";
        ASSERT_TRUE(QTest::qWaitFor([&] { return !verdict().isEmpty(); }, kPatience));
    }
    void keep(const QString& name) {
        const QByteArray folder = qgetenv("SEEDBED_SCREENSHOTS");
        if (!folder.isEmpty())
            page_->grab().save(QString::fromLocal8Bit(folder) + QLatin1Char('/') + name +
                               QStringLiteral(".png"));
    }

    QTemporaryDir folder_;
    Theme theme_;
    Services services_;
    std::unique_ptr<RunStore> runs_;
    std::unique_ptr<Launcher> launcher_;
    std::unique_ptr<ExportPage> page_;
};

TEST_F(ExportTest, WritesWhatWasChosenAndShowsTheProof) {
    box("export-safetensors")->setChecked(true);
    exportNow();
    EXPECT_TRUE(verdict().contains(QStringLiteral("Proven and written"))) << verdict().toStdString();
    for (const char* file : {"parity.json", "model.safetensors", "README.md"})
        EXPECT_TRUE(QFile::exists(out() + QLatin1Char('/') + QLatin1String(file))) << file;
    const auto* proof = page_->findChild<QTableWidget*>(QStringLiteral("export-proof"));
    ASSERT_TRUE(proof->isVisible());
    ASSERT_EQ(proof->rowCount(), 2);
    EXPECT_EQ(proof->item(0, 0)->text(), QStringLiteral("onnx"));
    EXPECT_TRUE(proof->item(0, 1)->text().contains(QStringLiteral("allowed")));
    EXPECT_TRUE(proof->item(0, 2)->text().contains(QStringLiteral("episodes")))
        << proof->item(0, 2)->text().toStdString();
    keep(QStringLiteral("export"));
    // The same folder again is in the way, and is left as it is.
    exportNow();
    EXPECT_TRUE(verdict().contains(QStringLiteral("is not empty"))) << verdict().toStdString();
    EXPECT_TRUE(QFile::exists(out() + QStringLiteral("/parity.json")));
    keep(QStringLiteral("export-refused"));
}

TEST_F(ExportTest, CopiesTheCommandOfItsChoices) {
    box("export-onnx")->setChecked(false);
    EXPECT_FALSE(start()->isEnabled()) << "no form";
    box("export-c")->setChecked(true);
    box("export-value")->setChecked(false);
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

TEST_F(ExportTest, AFolderThatCannotBeMadeIsSaidSo) {
    auto* folder = page_->findChild<QLineEdit*>(QStringLiteral("export-folder"));
    folder->clear();
    EXPECT_FALSE(start()->isEnabled() && folder->text().isEmpty());
    QTest::keyClicks(folder, QStringLiteral("/proc/nothing/here"));
    exportNow();
    EXPECT_TRUE(verdict().contains(QStringLiteral("/proc"))) << verdict().toStdString();
}

}  // namespace
}  // namespace seedbed::ui
