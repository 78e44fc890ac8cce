// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shell/user_guide.hpp"

#include <QAction>
#include <QDesktopServices>
#include <QFileInfo>
#include <QTextBrowser>
#include <QToolBar>
#include <QUrl>
#include <QVBoxLayout>

#include "core/config/resources.hpp"

namespace seedbed::ui {
namespace {

// Follows links between pages; links into the source tree, which is not installed, are only shown as text.
void openLink(QTextBrowser* browser, const QUrl& link) {
    if (link.scheme().startsWith(QStringLiteral("http"))) {
        QDesktopServices::openUrl(link);
        return;
    }
    const QUrl target = browser->source().resolved(link);
    const QFileInfo file(target.toLocalFile());
    if (file.isDir()) {
        QDesktopServices::openUrl(target);
    } else if (file.exists()) {
        browser->setSource(target);
    } else {
        browser->setMarkdown(QDialog::tr("This page is part of the source tree, which is not installed: %1")
                                 .arg(file.fileName()));
    }
}

}  // namespace

QString guideFolder() {
    const auto resources = resourcesFolder();
    if (!resources) return {};
    for (const auto& candidate : {*resources / "docs", resources->parent_path() / "docs"}) {
        std::error_code error;
        if (std::filesystem::exists(candidate / "README.md", error))
            return QString::fromStdString(candidate.string());
    }
    return {};
}

QDialog* makeUserGuide(const QString& folder, QWidget* parent, const QString& page) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setModal(false);
    dialog->setObjectName(QStringLiteral("user-guide"));
    dialog->setWindowTitle(QDialog::tr("User guide"));
    dialog->resize(860, 680);
    auto* browser = new QTextBrowser(dialog);
    browser->setOpenLinks(false);
    browser->setAccessibleName(QDialog::tr("User guide"));
    QObject::connect(browser, &QTextBrowser::anchorClicked, dialog,
                     [browser](const QUrl& link) { openLink(browser, link); });

    auto* bar = new QToolBar(dialog);
    QAction* back = bar->addAction(QDialog::tr("Back"), browser, &QTextBrowser::backward);
    back->setShortcut(QKeySequence::Back);
    back->setEnabled(false);
    QObject::connect(browser, &QTextBrowser::backwardAvailable, back, &QAction::setEnabled);
    QAction* contents = bar->addAction(QDialog::tr("Contents"), browser, &QTextBrowser::home);

    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(bar);
    layout->addWidget(browser);
    const QFileInfo first(folder + QStringLiteral("/README.md"));
    contents->setEnabled(first.exists());
    if (first.exists()) {
        // "Contents" returns to the first source.
        browser->setSource(QUrl::fromLocalFile(first.absoluteFilePath()));
        if (const QFileInfo wanted(folder + QLatin1Char('/') + page + QStringLiteral(".md"));
            page != QLatin1String("README") && wanted.exists())
            browser->setSource(QUrl::fromLocalFile(wanted.absoluteFilePath()));
    } else {
        browser->setPlainText(
            QDialog::tr("The user guide is not installed. It is in the docs folder of the source tree."));
    }
    return dialog;
}

}  // namespace seedbed::ui
