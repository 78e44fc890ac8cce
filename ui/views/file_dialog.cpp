// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/file_dialog.hpp"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCoreApplication>
#include <QLineEdit>
#include <QRegularExpression>
#include <QToolButton>

namespace seedbed::ui {
namespace {

void setAccessibleNames(QFileDialog& dialog) {
    const auto text = [](const char* source) { return QCoreApplication::translate("FileDialog", source); };
    const std::pair<const char*, QString> names[] = {
        {"lookInCombo", text(QT_TRANSLATE_NOOP("FileDialog", "Folder"))},
        {"fileNameEdit", text(QT_TRANSLATE_NOOP("FileDialog", "File name"))},
        {"fileTypeCombo", text(QT_TRANSLATE_NOOP("FileDialog", "File type"))},
        {"listView", text(QT_TRANSLATE_NOOP("FileDialog", "Files"))},
        {"treeView", text(QT_TRANSLATE_NOOP("FileDialog", "File details"))},
        {"sidebar", text(QT_TRANSLATE_NOOP("FileDialog", "Places"))}};
    for (const auto& [id, name] : names)
        if (auto* widget = dialog.findChild<QWidget*>(QLatin1String(id))) widget->setAccessibleName(name);
    // The tooltips of icon buttons become their accessible names.
    for (QToolButton* button : dialog.findChildren<QToolButton*>())
        if (button->accessibleName().isEmpty()) button->setAccessibleName(button->toolTip());
}

}  // namespace

void askForFile(QWidget* parent, const QString& title, const std::function<void(QFileDialog&)>& prepare,
                std::function<void(const QString&)> chosen) {
    auto* dialog = new QFileDialog(parent, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    prepare(*dialog);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, std::move(chosen));
    dialog->open();
    setAccessibleNames(*dialog);
}

QString fileNameOf(QString text) {
    static const QRegularExpression others(QStringLiteral("[^\\p{L}\\p{N}.=_]+"),
                                           QRegularExpression::UseUnicodePropertiesOption);
    constexpr qsizetype kMaxLength = 80;
    text.replace(others, QStringLiteral("-"));
    while (text.startsWith(QLatin1Char('-')) || text.startsWith(QLatin1Char('.'))) text.remove(0, 1);
    if (text.size() > kMaxLength)
        text = text.left(kMaxLength / 2) + QLatin1Char('-') + text.right(kMaxLength / 2 - 1);
    while (text.endsWith(QLatin1Char('-'))) text.chop(1);
    return text;
}

}  // namespace seedbed::ui
