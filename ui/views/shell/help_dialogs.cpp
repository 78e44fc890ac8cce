// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shell/help_dialogs.hpp"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QKeySequence>
#include <QPushButton>
#include <QTableWidget>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "core/base/version.hpp"

namespace seedbed::ui {
namespace {

void addCloseButton(QDialog* dialog, QVBoxLayout* layout) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    buttons->button(QDialogButtonBox::Close)->setText(QDialog::tr("Close"));
    buttons->button(QDialogButtonBox::Close)->setIcon(QIcon());
    buttons->button(QDialogButtonBox::Close)->setAccessibleName(QDialog::tr("Close"));
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    layout->addWidget(buttons);
}

}  // namespace

QList<Shortcut> widgetKeys() {
    const auto text = [](const char* source) { return QCoreApplication::translate("Keys", source); };
    const QString chart = text(QT_TRANSLATE_NOOP("Keys", "Chart")),
                  agents = text(QT_TRANSLATE_NOOP("Keys", "Watched agents")),
                  form = text(QT_TRANSLATE_NOOP("Keys", "New run")),
                  table = text(QT_TRANSLATE_NOOP("Keys", "Tables"));
    const auto keys = [](std::initializer_list<int> all) {
        QStringList names;
        for (const int key : all) names += QKeySequence(key).toString(QKeySequence::NativeText);
        return names.join(QStringLiteral(", "));
    };
    return {
        {chart, text(QT_TRANSLATE_NOOP("Keys", "Zoom in or out")), keys({Qt::Key_Plus, Qt::Key_Minus})},
        {chart,
         text(QT_TRANSLATE_NOOP("Keys", "Zoom with the wheel (without Ctrl if the chart has the focus)")),
         text(QT_TRANSLATE_NOOP("Keys", "Ctrl+Wheel"))},
        {chart, text(QT_TRANSLATE_NOOP("Keys", "Pan with the wheel")),
         text(QT_TRANSLATE_NOOP("Keys", "Shift+Wheel"))},
        {chart, text(QT_TRANSLATE_NOOP("Keys", "Show all data (also by double-click)")),
         keys({Qt::Key_0, Qt::Key_Home})},
        {chart, text(QT_TRANSLATE_NOOP("Keys", "Zoom the y axis")), keys({Qt::Key_Up, Qt::Key_Down})},
        {chart, text(QT_TRANSLATE_NOOP("Keys", "Pan, or move the crosshair with Ctrl")),
         keys({Qt::Key_Left, Qt::Key_Right})},
        {chart,
         text(QT_TRANSLATE_NOOP("Keys",
                                "Open the menu of the point at the crosshair: watch the agent at this step")),
         keys({Qt::Key_Return})},
        {agents, text(QT_TRANSLATE_NOOP("Keys", "Previous or next agent")),
         keys({Qt::Key_PageUp, Qt::Key_PageDown})},
        {agents, text(QT_TRANSLATE_NOOP("Keys", "First or last agent")), keys({Qt::Key_Home, Qt::Key_End})},
        {agents, text(QT_TRANSLATE_NOOP("Keys", "Show only the focused agent")), keys({Qt::Key_Return})},
        {form, text(QT_TRANSLATE_NOOP("Keys", "Change the setting")), keys({Qt::Key_Return, Qt::Key_F2})},
        {table, text(QT_TRANSLATE_NOOP("Keys", "Show the run of this row")), keys({Qt::Key_Return})}};
}

QDialog* makeShortcutsOverlay(const QList<Shortcut>& shortcuts, QWidget* parent) {
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("shortcuts"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QDialog::tr("Keyboard shortcuts"));
    auto* layout = new QVBoxLayout(dialog);
    auto* table = new QTableWidget(static_cast<int>(shortcuts.size()), 3, dialog);
    table->setAccessibleName(QDialog::tr("Keyboard shortcuts"));
    table->setHorizontalHeaderLabels({QDialog::tr("Where"), QDialog::tr("What"), QDialog::tr("Keys")});
    table->verticalHeader()->hide();
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setAlternatingRowColors(true);
    table->setTabKeyNavigation(false);
    for (int row = 0; row < table->rowCount(); ++row) {
        table->setItem(row, 0, new QTableWidgetItem(shortcuts[row].place));
        table->setItem(row, 1, new QTableWidgetItem(shortcuts[row].text));
        table->setItem(row, 2, new QTableWidgetItem(shortcuts[row].keys));
    }
    // Keys are always visible; long sentences wrap.
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    table->horizontalHeader()->setHighlightSections(false);
    table->verticalHeader()->setMinimumSectionSize(0);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    layout->addWidget(table);
    addCloseButton(dialog, layout);
    dialog->resize(860, 640);
    return dialog;
}

QDialog* makeAboutDialog(QWidget* parent) {
    struct Part {
        const char *name, *version, *licence;
    };
    const QByteArray qt = qVersion();
    const Part parts[] = {
        {"Qt", qt.constData(), "LGPL-3.0"},
        {"QCustomPlot", "2.1", "GPL-3.0-or-later"},
        {"SQLite", "3", "public domain"},
        {"nlohmann/json", "3.11", "MIT"},
        {"spdlog, fmt", "1.10, 9", "MIT"},
        {"tl::expected", "1.0", "CC0"},
        {"libpng, giflib, zlib", "", "libpng, MIT, zlib"},
        {"OpenSSL", "3", "Apache-2.0"},
    };
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("about"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QDialog::tr("About Seedbed"));
    auto* layout = new QVBoxLayout(dialog);
    auto* text = new QTextBrowser(dialog);
    text->setAccessibleName(QDialog::tr("About Seedbed"));
    QString html =
        QStringLiteral(
            "<h2>Seedbed %1</h2><p>%2</p><p>%3</p><table cellpadding=\"3\"><tr><th "
            "align=\"left\">%4</th><th align=\"left\">%5</th>"
            "<th align=\"left\">%6</th></tr>")
            .arg(
                QLatin1String(kVersion),
                QDialog::tr("Trains reinforcement-learning agents on this computer."),
                QDialog::tr("This window is free software under the GNU General Public License, "
                            "version 3 or later; the libraries "
                            "and the program “seedbed” under the Apache License 2.0. There is no "
                            "warranty. It opens no network connections, needs no account and sends no data."),
                QDialog::tr("Part"), QDialog::tr("Version"), QDialog::tr("Licence"));
    for (const Part& part : parts)
        html += QStringLiteral("<tr><td>%1</td><td>%2</td><td>%3</td></tr>")
                    .arg(QLatin1String(part.name), QLatin1String(part.version), QLatin1String(part.licence));
    text->setHtml(html + QStringLiteral("</table>"));
    layout->addWidget(text);
    addCloseButton(dialog, layout);
    dialog->resize(560, 480);
    return dialog;
}

}  // namespace seedbed::ui
