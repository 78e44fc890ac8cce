// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/duel/duel_stage.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "ui/models/play/duel_text.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/duel/choice_bars.hpp"
#include "ui/views/duel/player_choice.hpp"
#include "ui/views/status_line.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"
#include "ui/views/watch/paint_canvas.hpp"
#include "ui/views/watch/scene_grid.hpp"

namespace seedbed::ui {
namespace {

constexpr int kLeastDuelStage = 200;  // height in pixels

// A canvas with Vulkan needs a native window, which cannot be in a scrolled page.
std::unique_ptr<Canvas> paintedDuel(QWidget* parent, CanvasReports /*reports*/) {
    return std::make_unique<PaintCanvas>(parent, kCardRadius);
}

// Needs no more than its minimum, and uses all space there is.
class DuelGrid : public SceneGrid {
public:
    DuelGrid(const Theme& theme, QWidget* parent) : SceneGrid(theme, parent, &paintedDuel) {
        setMinimumHeight(kLeastDuelStage);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    }
    QSize sizeHint() const override { return {kLeastDuelStage, kLeastDuelStage}; }
};

// Whether the last state of an episode is shown.
bool hasEnded(const PlayerCell& cell, int seat) {
    const PlayerRecord& now = cell.nowOf(seat);
    return !now.decided || (now.step == 0 && cell.last_end == EpisodeMark::terminated);
}

bool hasPicture(const Scene& scene) { return !scene.shapes.empty() || scene.frame_width > 0; }

}  // namespace

DuelStage::DuelStage(const Services& services, int number, QWidget* parent)
    : Card(parent), grid_(new DuelGrid(*services.theme, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, kGrid + 4);
    column->setSpacing(kGrid);
    grid_->setObjectName(
        QStringLiteral("duel-game-%1").arg(number == 0 ? QStringLiteral("a") : QStringLiteral("b")));
    grid_->setAccessibleName(number == 0 ? tr("Game of the first player") : tr("Game of the second player"));
    grid_->setOnCard(true);
    grid_->setBackgroundRole(QPalette::Window);  // not that of the card, so that the note has its own colour
    column->addWidget(grid_, 1);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(2 * kGrid, 0, 2 * kGrid, 0);
    row->setSpacing(2 * kGrid);
    for (int seat = 0; seat < 2; ++seat) {
        Caption& caption = captions_[static_cast<std::size_t>(seat)];
        caption.box = new QWidget(this);
        auto* box = new QVBoxLayout(caption.box);
        box->setContentsMargins(0, 0, 0, 0);
        box->setSpacing(2);
        auto* head = new QHBoxLayout;
        head->setSpacing(kGrid);
        caption.mark = new PlayerMark(*services.theme, std::max(number, seat), caption.box);
        head->addWidget(caption.mark);
        caption.name = new QLabel(caption.box);
        caption.name->setTextFormat(Qt::PlainText);
        caption.name->setFont(textFont(TextSize::body, QFont::DemiBold));
        caption.name->setWordWrap(true);
        head->addWidget(caption.name, 1);
        box->addLayout(head);
        caption.facts = new StatusLine(caption.box, services.theme);
        box->addWidget(caption.facts);
        caption.bars = new ChoiceBars(*services.theme, caption.box);
        caption.bars->setObjectName(QStringLiteral("duel-choices"));
        caption.bars->hide();
        box->addWidget(caption.bars);
        row->addWidget(caption.box, 1, Qt::AlignTop);
        caption.box->setVisible(seat == 0);
    }
    column->addLayout(row);
}

void DuelStage::setNames(const QStringList& names) {
    for (int seat = 0; seat < 2; ++seat) {
        const Caption& caption = captions_[static_cast<std::size_t>(seat)];
        caption.box->setVisible(seat < names.size());
        // In a game for two the pieces have colours of their own.
        caption.mark->setVisible(names.size() == 1);
        caption.name->setText(names.size() == 2 ? tr("%1 · seat %2").arg(names[seat]).arg(seat + 1)
                                                : names.value(seat));
    }
}

void DuelStage::setActions(const std::vector<ActionLeaf>& leaves) { actions_ = actionNames(leaves); }

QString DuelStage::facts(int seat) const { return captions_[static_cast<std::size_t>(seat)].facts->text(); }

void DuelStage::setNote(const QString& text) {
    note_ = text;
    grid_->setNote(text);
}

QString DuelStage::factsOf(const PlayerCell& cell, int seat) const {
    const PlayerRecord& now = cell.nowOf(seat);
    if (hasEnded(cell, seat))
        return tr("Return %1 · %2").arg(shortNumber(cell.lastReturnOf(seat)), endText(cell.last_end));
    QString text = tr("Step %1 · return %2").arg(countText(now.step), shortNumber(now.return_so_far));
    if (now.action.empty() || seat == person_) return text;
    text += QStringLiteral(" · ") + actionText(actions_, now.action);
    const auto choice = static_cast<std::size_t>(std::max(0.0F, now.action.front()));
    if (actions_.size() == 1 && actions_.front().discrete && choice < now.shown.size())
        text += QLatin1Char(' ') + shareText(static_cast<double>(now.shown[choice]));
    return text;
}

// Null: no decision of a policy is shown. The place stays empty then, so that both games have the same size.
void DuelStage::showChoices(const Caption& caption, const PlayerRecord* now) {
    const QStringList names =
        actions_.size() == 1 && actions_.front().discrete ? actions_.front().names : QStringList();
    const bool fits = !names.isEmpty() && names.size() <= ChoiceBars::kMost,
               known = fits && now != nullptr && now->shown.size() == static_cast<std::size_t>(names.size());
    if (known)
        caption.bars->setChoices(names, now->shown,
                                 static_cast<int>(now->action.empty() ? -1 : now->action[0]));
    else caption.bars->setChoices(names, {}, -1);
    caption.bars->setVisible(fits && shown_);
}

void DuelStage::show(const std::shared_ptr<const PlayerFrame>& frame) {
    if (frame == shown_ && (frame || note_ == shown_note_)) return;
    shown_ = frame;
    shown_note_ = note_;
    const bool drawn = frame && hasPicture(frame->cells.front().scene);
    grid_->setNote(
        frame && !drawn ? tr("This environment has no pictures. The decisions are described below.") : note_);
    grid_->show(drawn ? frame : nullptr);
    QStringList all;
    for (int seat = 0; seat < 2; ++seat) {
        const Caption& caption = captions_[static_cast<std::size_t>(seat)];
        const bool plays = frame && seat < frame->cells.front().agents() && !caption.box->isHidden();
        caption.facts->setText(plays ? factsOf(frame->cells.front(), seat) : QString());
        const bool decides = plays && seat != person_ && !hasEnded(frame->cells.front(), seat);
        showChoices(caption, decides ? &frame->cells.front().nowOf(seat) : nullptr);
        if (plays) all << QStringLiteral("%1: %2").arg(caption.name->text(), caption.facts->text());
        if (decides && !caption.bars->isHidden()) all << caption.bars->text();
    }
    // Screen readers get updates only while the game is paused.
    if (!frame || frame->paused) grid_->setAccessibleDescription(all.join(QStringLiteral(". ")));
}

}  // namespace seedbed::ui
