// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+K: everything that can be done or opened, found by typing parts of its name.
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
    QString shortcut;  // "" when none
    std::function<void()> chosen;
};

// Places of the best matches for the words of `typed`: all words occur; texts that begin with it come first,
// then words that begin with it, in the order of `entries`. At most `count`.
std::vector<std::size_t> matches(const std::vector<PaletteEntry>& entries, const QString& typed,
                                 std::size_t count);

class CommandPalette : public QDialog {
    Q_OBJECT

public:
    CommandPalette(std::vector<PaletteEntry> entries, QWidget* parent);
    // More entries that came later, e.g. settings.
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
