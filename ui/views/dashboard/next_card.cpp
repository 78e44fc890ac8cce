// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dashboard/next_card.hpp"

#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/launcher.hpp"
#include "ui/models/run_store.hpp"
#include "ui/views/compare/compare_link.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {

NextCard::NextCard(const Services& services, QWidget* parent) : Card(parent), services_(services) {
    setObjectName(QStringLiteral("run-next"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 14);
    column->setSpacing(8);
    auto* title = new QLabel(tr("Next"), this);
    title->setFont(textFont(TextSize::body, QFont::DemiBold));
    column->addWidget(title);
    text_ = new QLabel(this);
    text_->setObjectName(QStringLiteral("run-next-text"));
    text_->setWordWrap(true);
    setTextColour(text_, *services_.theme, TextColour::quiet);
    column->addWidget(text_);
    button_ = new QPushButton(tr("Compare the &seeds"), this);
    button_->setObjectName(QStringLiteral("run-next-button"));
    connect(button_, &QPushButton::clicked, this, &NextCard::act);
    column->addWidget(button_, 0, Qt::AlignLeft);
    column->addStretch(1);
    hide();
}

void NextCard::follow(const RunRecord* run, const Json* config) {
    if (run == nullptr || config == nullptr || run->status != RunStatus::finished) {
        known_ = {};
        return hide();
    }
    std::size_t alike = 0, finished = 0, waiting = 0;
    for (const RunRecord& other : *services_.runs->runs()) {
        if (other.env != run->env || other.algo != run->algo || other.in_trash) continue;
        ++alike;
        finished += other.status == RunStatus::finished;
        waiting += other.status == RunStatus::queued || isLive(other.status);
    }
    if (std::exchange(known_, {run->id, alike, finished, waiting}) == known_) return;
    if (std::exchange(run_, run->id) != run->id) hide();
    config_ = *config;
    read(*run);
}

void NextCard::read(const RunRecord& run) {
    services_.runs->read(
        this, QStringLiteral("seeds"), [run](StoreReader& reader) { return readSeeds(reader, run); },
        [this, id = run.id](const Result<RunSeeds>& seeds) {
            if (id != run_ || std::get<0>(known_) != id) return;
            if (seeds) showSeeds(*seeds);
            else known_ = {};  // read again with the next change
        });
}

void NextCard::showSeeds(const RunSeeds& seeds) {
    seeds_ = seeds;
    const auto missing = static_cast<int>(seeds.next.size()), done = static_cast<int>(seeds.runs.size());
    if (missing > 0)
        text_->setText(tr("%n more seed(s) would tell whether this was luck.", nullptr, missing));
    else if (seeds.waiting > 0)
        text_->setText(tr("%n more seed(s) are on their way.", nullptr, seeds.waiting));
    else text_->setText(tr("%n seeds with these settings have finished.", nullptr, done));
    button_->setText(missing > 0 ? tr("&Queue %n seed(s)", nullptr, missing) : tr("Compare the &seeds"));
    button_->setEnabled(true);
    button_->setVisible(missing > 0 || done > 1);
    setVisible(true);
}

void NextCard::act() {
    if (seeds_->next.empty()) return services_.navigator->open(CompareLink{seeds_->runs});
    button_->setEnabled(false);
    QStringList words = againArguments(config_, seeds_->preset, seeds_->name, services_.catalogue);
    words << QStringLiteral("--seeds=%1").arg(seeds_->next.join(QLatin1Char(',')));
    services_.launcher->train(words, this, [this](const Queued& queued) {
        // Otherwise enabled again when the new runs are known.
        if (queued.runs.isEmpty()) button_->setEnabled(true);
        if (!queued.error.isEmpty()) return services_.navigator->showProblem(queued.error);
        services_.navigator->showStatus(
            tr("%n run(s) were queued.", nullptr, static_cast<int>(queued.runs.size())));
    });
}

}  // namespace seedbed::ui
