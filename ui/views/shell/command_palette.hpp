// SPDX-License-Identifier: GPL-3.0-or-later
// The command palette (Ctrl+K): finds actions, runs and settings by parts of their names.
#pragma once

#include <functional>
#include <vector>

#include <QDialog>
#include <QString>

class QLineEdit;
class QListWidget;

namespace seedbed::ui {

struct PaletteEntry {
    QString kind;  // translated: Action, Run, Setting
    QString text;
    QString shortcut;  // "" for none
    QString words{};   // found like `text`, but not shown
    std::function<void()> chosen;
};

// Indices of the best matches, at most `count`, that contain all words of `typed`: first labels that start
// with it, then labels with a word that starts with it, each in the order of `entries`.
std::vector<std::size_t> matches(const std::vector<PaletteEntry>& entries, const QString& typed,
                                 std::size_t count);

class CommandPalette : public QDialog {
    Q_OBJECT

public:
    CommandPalette(std::vector<PaletteEntry> entries, QWidget* parent);
    // Adds entries that were loaded later (settings).
    void add(std::vector<PaletteEntry> entries);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showMatches(const QString& typed);
    void choose();

    std::vector<PaletteEntry> entries_;
    QLineEdit* line_;
    QListWidget* list_;
};

}  // namespace seedbed::ui
