// SPDX-License-Identifier: GPL-3.0-or-later
// The packs page: installs and removes third-party environments, and shows how their processes are restricted
// on this computer.
#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/models/packs/env_pictures.hpp"
#include "ui/models/packs/pack_list.hpp"
#include "ui/views/packs/own_env_link.hpp"
#include "ui/views/packs/pack_card.hpp"
#include "ui/views/packs/packs_link.hpp"
#include "ui/views/packs/train_and_watch.hpp"
#include "ui/views/page.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/text_colour.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kCardsAtOnce = 4;

class PacksPage : public Page {
    Q_OBJECT

public:
    explicit PacksPage(const Services& services)
        : services_(services), starter_(new TrainAndWatch(services, this)) {
        auto* layout = new QVBoxLayout(this);
        layout->addLayout(makeHead());
        problem_ = new QLabel(this);
        problem_->setObjectName(QStringLiteral("packs-problem"));
        makeMessage(problem_, *services_.theme, TextColour::bad);
        layout->addWidget(problem_);
        area_ = new QScrollArea(this);
        area_->setWidgetResizable(true);
        area_->setFrameShape(QFrame::NoFrame);
        area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        area_->setFocusPolicy(Qt::NoFocus);
        auto* inside = new QWidget;
        list_ = new QVBoxLayout(inside);
        list_->setContentsMargins(0, 0, 6, 0);
        list_->setSpacing(12);
        restrictions_ = new QLabel(inside);
        restrictions_->setObjectName(QStringLiteral("restrictions"));
        restrictions_->setWordWrap(true);
        restrictions_->setTextFormat(Qt::PlainText);
        restrictions_->setTextInteractionFlags(Qt::TextSelectableByMouse);
        list_->addWidget(restrictions_);
        list_->addStretch(1);
        area_->setWidget(inside);
        layout->addWidget(area_, 1);
        connect(services_.packs, &PackList::changed, this, &PacksPage::showAll);
        connect(services_.packs, &PackList::jobChanged, this, [this](const QString& name) {
            if (const auto card = cards_.find(name); card != cards_.end()) (*card)->refresh();
        });
        connect(services_.packs, &PackList::installed, this, &PacksPage::drawPictures);
        connect(starter_, &TrainAndWatch::changed, this, [this] {
            for (PackCard* card : cards_) card->setCanStart(!starter_->isStarting());
        });
        addNamedAction(QStringLiteral("refresh-packs"), tr("Reload the packs"), QStringLiteral("F5"),
                       [this] { services_.packs->refresh(); });
        addNamedAction(QStringLiteral("own-environment"), tr("Your own environment…"),
                       QStringLiteral("Ctrl+E"), [this] { services_.navigator->open(OwnEnvLink{}); });
        showAll();
    }

    // Packs may have been installed on the command line since the last visit.
    void open(const std::any& link) override {
        services_.packs->refresh();
        services_.packs->readRestrictions();
        const auto* wanted = std::any_cast<PacksLink>(&link);
        if (wanted == nullptr || wanted->pack.isEmpty()) return;
        wanted_ = wanted->pack;
        scrollToWanted();
    }

private:
    QLayout* makeHead() {
        auto* head = new QVBoxLayout;
        auto* row = new QHBoxLayout;
        auto* title = pageTitle(tr("Packs"), this);
        row->addWidget(title, 1);
        auto* own =
            new QPushButton(services_.theme->icon(QStringLiteral("add")), tr("Your own environment…"), this);
        own->setObjectName(QStringLiteral("own-environment"));
        own->setAccessibleName(own->text());
        connect(own, &QPushButton::clicked, this, [this] { services_.navigator->open(OwnEnvLink{}); });
        row->addWidget(own);
        head->addLayout(row);
        auto* text = new QLabel(tr("Third-party environments with their own licences. Installing "
                                   "downloads Python packages with "
                                   "fixed versions and hashes into the data folder and changes nothing else "
                                   "on this computer. Using a "
                                   "pack needs no network."),
                                this);
        text->setWordWrap(true);
        setTextColour(text, *services_.theme, TextColour::quiet);
        head->addWidget(text);
        return head;
    }

    void showAll() {
        showMessage(problem_, services_.packs->problem());
        int row = 0, made = 0;
        for (const PackInfo& pack : services_.packs->packs()) {
            PackCard* card = cards_.value(pack.name);
            if (card == nullptr) {
                // All at once would block the window's thread for 60 ms; the first ones fill the page.
                if (++made > kCardsAtOnce) {
                    QTimer::singleShot(0, this, &PacksPage::showAll);
                    break;
                }
                card = cards_[pack.name] = new PackCard(services_, pack, area_->widget());
                connect(card, &PackCard::watchRequested, this,
                        [this](const QString& env) { starter_->start({.env = env}); });
                list_->insertWidget(row, card);
            }
            card->refresh();
            ++row;
        }
        showRestrictions();
        scrollToWanted();
    }

    void showRestrictions() {
        if (!services_.packs->restrictionProblem().isEmpty())
            return restrictions_->setText(tr("The restrictions of environments are unknown: %1")
                                              .arg(services_.packs->restrictionProblem()));
        if (services_.packs->restrictions().isEmpty()) return restrictions_->setText({});
        QStringList lines{tr("Environments run in separate processes. Their restrictions on this computer:")};
        for (const RestrictionInfo& each : services_.packs->restrictions())
            lines += each.is_active ? QStringLiteral("✓  ") + each.sentence
                                    : tr("✗  Not active: %1 (%2)").arg(each.sentence, each.reason);
        restrictions_->setText(lines.join(QLatin1Char('\n')));
    }

    // Call after the layout has placed new cards.
    void scrollToWanted() {
        if (wanted_.isEmpty() || !cards_.contains(wanted_)) return;
        QTimer::singleShot(0, this, [this, card = cards_[std::exchange(wanted_, {})]] {
            area_->ensureWidgetVisible(card, 0, 20);
        });
    }

    // Draws pictures for the gallery after the user has installed a pack.
    void drawPictures(const QString& name) {
        if (const PackInfo* pack = services_.packs->find(name))
            for (const QString& env : pack->envs) services_.pictures->request({.env = env}, true);
    }

    Services services_;
    TrainAndWatch* starter_;
    QLabel *problem_ = nullptr, *restrictions_ = nullptr;
    QScrollArea* area_ = nullptr;
    QVBoxLayout* list_ = nullptr;
    QMap<QString, PackCard*> cards_;
    QString wanted_;  // the pack to scroll to, once it is shown
};

SEEDBED_REGISTER_PAGE(packs, {.order = 60,
                              .title = QT_TRANSLATE_NOOP("Page", "&Packs"),
                              .icon = "packs",
                              .make = [](const Services& s) -> Page* { return new PacksPage(s); }});

}  // namespace
}  // namespace seedbed::ui

#include "packs_page.moc"
