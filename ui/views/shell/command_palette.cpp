// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shell/command_palette.hpp"

#include <algorithm>
#include <array>

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {
namespace {

constexpr std::size_t kShown = 100;
constexpr int kShortcutRole = Qt::UserRole + 1, kShortcutMargin = 8;

// A row with its shortcut at the end.
class PaletteRow : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        painter->setFont(option.font);
        painter->setPen(tokens().muted);
        // drawText() mirrors the alignment.
        painter->drawText(option.rect.adjusted(kShortcutMargin, 0, -kShortcutMargin, 0),
                          Qt::AlignRight | Qt::AlignVCenter, index.data(kShortcutRole).toString());
    }

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        const int shortcut = option->fontMetrics.horizontalAdvance(index.data(kShortcutRole).toString());
        option->text = option->fontMetrics.elidedText(option->text, Qt::ElideRight,
                                                      option->rect.width() - shortcut - 4 * kShortcutMargin);
    }
};

}  // namespace

std::vector<std::size_t> matches(const std::vector<PaletteEntry>& entries, const QString& typed,
                                 std::size_t count) {
    const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::array<std::vector<std::size_t>, 3> ranked;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const QString& text = entries[i].text;
        const bool all = std::all_of(words.begin(), words.end(), [&](const QString& word) {
            return text.contains(word, Qt::CaseInsensitive) ||
                   entries[i].words.contains(word, Qt::CaseInsensitive) ||
                   entries[i].kind.contains(word, Qt::CaseInsensitive);
        });
        if (!all) continue;
        const QString first = words.isEmpty() ? QString() : words.first();
        const bool starts = text.startsWith(typed.trimmed(), Qt::CaseInsensitive) ||
                            entries[i].words.startsWith(typed.trimmed(), Qt::CaseInsensitive) ||
                            entries[i].kind.startsWith(typed.trimmed(), Qt::CaseInsensitive);
        const std::size_t rank = starts                                                         ? 0
                                 : text.contains(QLatin1Char(' ') + first, Qt::CaseInsensitive) ? 1
                                                                                                : 2;
        ranked[rank].push_back(i);
        if (ranked[0].size() >= count) break;
    }
    std::vector<std::size_t> found;
    for (const auto& ranks : ranked) found.insert(found.end(), ranks.begin(), ranks.end());
    if (found.size() > count) found.resize(count);
    return found;
}

CommandPalette::CommandPalette(std::vector<PaletteEntry> entries, QWidget* parent)
    : QDialog(parent),
      entries_(std::move(entries)),
      line_(new QLineEdit(this)),
      list_(new QListWidget(this)) {
    setObjectName(QStringLiteral("command-palette"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Command palette"));
    auto* layout = new QVBoxLayout(this);
    line_->setPlaceholderText(tr("Type an action, a run or a setting"));
    line_->setAccessibleName(tr("Search commands, runs and settings"));
    list_->setAccessibleName(tr("Matches"));
    list_->setItemDelegate(new PaletteRow(list_));
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setFocusPolicy(Qt::NoFocus);  // the search line forwards arrow keys
    layout->addWidget(line_);
    layout->addWidget(list_);
    resize(620, 420);
    line_->installEventFilter(this);
    connect(line_, &QLineEdit::textChanged, this, &CommandPalette::showMatches);
    connect(line_, &QLineEdit::returnPressed, this, &CommandPalette::choose);
    connect(list_, &QListWidget::itemClicked, this, &CommandPalette::choose);
    showMatches(QString());
}

void CommandPalette::add(std::vector<PaletteEntry> entries) {
    entries_.insert(entries_.end(), std::make_move_iterator(entries.begin()),
                    std::make_move_iterator(entries.end()));
    showMatches(line_->text());
}

void CommandPalette::showMatches(const QString& typed) {
    list_->clear();
    for (const std::size_t place : matches(entries_, typed, kShown)) {
        const PaletteEntry& entry = entries_[place];
        const QString text = entry.kind + QStringLiteral(" · ") + entry.text;
        auto* item = new QListWidgetItem(text, list_);
        item->setToolTip(text);
        item->setData(kShortcutRole, entry.shortcut);
        if (!entry.shortcut.isEmpty())
            item->setData(Qt::AccessibleTextRole, text + QStringLiteral(", ") + entry.shortcut);
        item->setData(Qt::UserRole, static_cast<qulonglong>(place));
    }
    list_->setCurrentRow(0);
}

void CommandPalette::choose() {
    const QListWidgetItem* item = list_->currentItem();
    if (item == nullptr) return;
    const auto chosen = entries_[item->data(Qt::UserRole).toULongLong()].chosen;
    accept();
    chosen();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == line_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int step = key == Qt::Key_Down       ? 1
                         : key == Qt::Key_Up       ? -1
                         : key == Qt::Key_PageDown ? 10
                         : key == Qt::Key_PageUp   ? -10
                                                   : 0;
        if (step != 0 && list_->count() > 0) {
            list_->setCurrentRow(std::clamp(list_->currentRow() + step, 0, list_->count() - 1));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace seedbed::ui
