// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/gallery_view.hpp"

#include <algorithm>
#include <utility>

#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/models/catalogue.hpp"
#include "ui/models/packs/pack_list.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/game_picture.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/packs/moving_picture.hpp"
#include "ui/views/packs/own_env_link.hpp"
#include "ui/views/packs/packs_link.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/search_keys.hpp"
#include "ui/views/start/env_card.hpp"
#include "ui/views/start/flow_grid.hpp"
#include "ui/views/start/hero_card.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kSideMargin = 12, kScrollBar = 12;

const QString kOwnFamily = QStringLiteral("own"), kAllFamily = QStringLiteral("all");

}  // namespace

GalleryView::GalleryView(const Services& services, QWidget* parent)
    : QWidget(parent),
      services_(services),
      search_(new QLineEdit(this)),
      difficulty_(new QComboBox(this)),
      hero_(new HeroCard(services, this)),
      chips_(new QWidget(this)),
      none_(new QLabel(this)),
      grid_(new FlowGrid(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kSideMargin, kGrid, kSideMargin - kScrollBar, 0);
    layout->setSpacing(2 * kGrid);
    layout->addLayout(makeTitleRow());
    layout->addWidget(grid_, 1);
    none_->setAlignment(Qt::AlignCenter);
    none_->hide();
    new FlowLayout(chips_);
    grid_->addAbove(hero_);
    grid_->addAbove(chips_);
    grid_->addAbove(none_);
    connect(hero_, &HeroCard::trainClicked, this, [this] {
        const QString id = QStringLiteral("cartpole");
        Q_EMIT trainRequested(startArguments({.env = id}, true), id);
    });
    connect(search_, &QLineEdit::textChanged, this, &GalleryView::filter);
    clearByEscape(search_);
    connect(difficulty_, &QComboBox::currentIndexChanged, this, &GalleryView::filter);
    connect(services_.catalogue, &Catalogue::estimatesChanged, this, [this] {
        for (const Entry& entry : entries_) showResult(entry);
    });
    addIncluded();
    if (services_.own != nullptr) {
        connect(services_.own, &OwnEnvironments::changed, this, &GalleryView::readFamilies);
        connect(services_.packs, &PackList::changed, this, &GalleryView::readFamilies);
    }
    readFamilies();
    connect(services_.theme, &Theme::changed, this, &GalleryView::reloadPictures);
}

QLayout* GalleryView::makeTitleRow() {
    title_row_ = new QHBoxLayout;
    title_row_->setContentsMargins(0, 0, kScrollBar, 0);
    title_row_->addWidget(pageTitle(tr("What should an agent learn?"), this), 1);
    auto* row = new QHBoxLayout;
    search_->setPlaceholderText(tr("Search all environments"));
    search_->setAccessibleName(tr("Search environments"));
    search_->setClearButtonEnabled(true);
    search_->addAction(services_.theme->icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    search_->setMinimumWidth(220);
    row->addWidget(search_, 1);
    difficulty_->setAccessibleName(tr("Difficulty"));
    difficulty_->addItem(tr("Any difficulty"), QString());
    for (const char* level : {"easy", "medium", "hard"})
        difficulty_->addItem(difficultyText(QLatin1String(level)), QString::fromLatin1(level));
    row->addWidget(difficulty_);
    if (services_.own != nullptr) {
        auto* own = new QPushButton(services_.theme->icon(QStringLiteral("add")), tr("Your own…"), this);
        own->setObjectName(QStringLiteral("gallery-own"));
        own->setAccessibleName(tr("Your own environment…"));
        own->setToolTip(tr("A Python class or an id registered with Gymnasium"));
        connect(own, &QPushButton::clicked, this, [this] { services_.navigator->open(OwnEnvLink{}); });
        row->addWidget(own);
    }
    title_row_->addLayout(row);
    return title_row_;
}

// The width that title and controls need side by side.
int GalleryView::widthOfTitleRow() const {
    int width = kSideMargin + 2 * kScrollBar;
    for (int i = 0; i < title_row_->count(); ++i)
        width += title_row_->itemAt(i)->minimumSize().width() + title_row_->spacing();
    return width;
}

QSize GalleryView::minimumSizeHint() const {
    int width = 0;
    for (int i = 0; i < title_row_->count(); ++i)
        width = std::max(width, title_row_->itemAt(i)->minimumSize().width());
    return {width + kSideMargin + kScrollBar, QWidget::minimumSizeHint().height()};
}

void GalleryView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    title_row_->setDirection(width() < widthOfTitleRow() ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void GalleryView::focusSearch() {
    search_->setFocus();
    search_->selectAll();
}

void GalleryView::clearSearch() { search_->clear(); }

QVariantMap GalleryView::saveState() const {
    return {{QStringLiteral("search"), search_->text()},
            {QStringLiteral("difficulty"), difficulty_->currentIndex()},
            {QStringLiteral("family"), family_}};
}

void GalleryView::restoreState(const QVariantMap& state) {
    search_->setText(state[QStringLiteral("search")].toString());
    difficulty_->setCurrentIndex(state[QStringLiteral("difficulty")].toInt());
    family_ = state.value(QStringLiteral("family"), kPopularFamily).toString();
    filter();
}

// --- environments and their families

void GalleryView::addIncluded() {
    for (const EnvInfo& env : services_.catalogue->environments())
        entries_.push_back(
            {.card = env.id,
             .search_text =
                 QStringList{env.id, env.title, env.sentence, env.aliases.join(u' ')}.join(QLatin1Char(' ')),
             .difficulty = env.difficulty,
             .families = familiesOf(env.id),
             .env = {.title = env.title, .choice = {.env = env.id}}});
    // Popular environments are first in every family; the others are in the order of the catalogue.
    std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
        const auto place = [](const Entry& entry) { return static_cast<unsigned>(popularity(entry.card)); };
        return place(a) < place(b);
    });
}

void GalleryView::addFamily(const Family& family, const QList<OwnEnvironment>& envs, bool is_own) {
    own_and_packs_ += family;
    qsizetype place = 0;
    while (place < std::ssize(entries_) && !entries_[static_cast<std::size_t>(place)].is_included) ++place;
    for (const OwnEnvironment& env : envs)
        entries_.insert(entries_.begin() + place++,
                        {.card = env.choice.key(),
                         .search_text = env.title + QLatin1Char(' ') + env.choice.env,
                         .families = {family.key},
                         .env = env,
                         .is_included = false,
                         .is_own = is_own});
}

// Reads the families of the user's own environments and of packs.
void GalleryView::readFamilies() {
    const QList<OwnEnvironment> own =
        services_.own != nullptr ? services_.own->all() : QList<OwnEnvironment>();
    const QList<PackInfo> packs = services_.packs != nullptr ? services_.packs->packs() : QList<PackInfo>();
    QStringList shown{QStringLiteral("external")};  // not empty, so that the first call shows the chips
    for (const OwnEnvironment& env : own) shown << env.title << env.choice.key();
    for (const PackInfo& pack : packs)
        if (pack.isUsable()) shown << pack.title << pack.envs;
    if (std::exchange(shown_families_, shown.join(QLatin1Char('\n'))) == shown_families_) return;

    while (!entries_.empty() && !entries_.front().is_included) {
        if (EnvCard* card = entries_.front().widget; card != nullptr) {
            grid_->forget(card);
            card->hide();
            card->deleteLater();
        }
        entries_.pop_front();
    }
    own_and_packs_.clear();
    for (const PackInfo& pack : packs) {
        if (!pack.isUsable()) continue;
        QList<OwnEnvironment> envs;
        for (const QString& env : pack.envs) envs += {.title = shortTitle(env), .choice = {.env = env}};
        addFamily({.key = QStringLiteral("pack-") + pack.name, .title = tr("%1 · pack").arg(pack.title)},
                  envs, false);
    }
    if (!own.isEmpty()) addFamily({.key = kOwnFamily, .title = tr("Yours")}, own, true);
    // A new environment is shown at once.
    if (const qsizetype before = std::exchange(own_count_, own.size()); before >= 0 && own.size() > before)
        family_ = kOwnFamily;
    showChips();
    filter();
}

void GalleryView::showChips() {
    delete chip_group_;
    qDeleteAll(chips_->findChildren<QPushButton*>(QString(), Qt::FindDirectChildrenOnly));
    chip_group_ = new QButtonGroup(this);
    QList<Family> families = includedFamilies() + own_and_packs_;
    families += {.key = kAllFamily, .title = tr("All", "all families of environments")};
    for (const Family& family : families) {
        auto* chip = new QPushButton(family.title, chips_);
        chip->setObjectName(QStringLiteral("family-") + family.key);
        chip->setAccessibleName(tr("Environments: %1").arg(family.title));
        chip->setCheckable(true);
        setKind(chip, ButtonKind::chip);
        chips_->layout()->addWidget(chip);
        chip_group_->addButton(chip);
        chip->show();
        connect(chip, &QPushButton::clicked, this, [this, key = family.key] {
            family_ = key;
            search_->clear();
            filter();
        });
    }
    if (services_.packs == nullptr) return;
    auto* packs = new QPushButton(tr("More in packs…"), chips_);
    packs->setObjectName(QStringLiteral("gallery-packs"));
    packs->setAccessibleName(packs->text());
    packs->setToolTip(tr("Atari, MuJoCo and other environments that can be installed"));
    setKind(packs, ButtonKind::chip);
    chips_->layout()->addWidget(packs);
    packs->show();
    connect(packs, &QPushButton::clicked, this, [this] { services_.navigator->open(PacksLink{}); });
}

QString GalleryView::shownFamily() const {
    if (!search_->text().trimmed().isEmpty()) return kAllFamily;
    return findChild<QPushButton*>(QStringLiteral("family-") + family_) != nullptr ? family_ : kPopularFamily;
}

void GalleryView::filter() {
    const QStringList words = search_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const QString level = difficulty_->currentData().toString();
    const QString family = shownFamily();
    QList<QWidget*> cards;
    QWidget* before = findChild<QPushButton*>(QStringLiteral("gallery-packs"));
    if (before == nullptr) before = chip_group_->buttons().last();
    for (Entry& entry : entries_) {
        // Own environments and those of packs have no difficulty.
        bool fits = (level.isEmpty() || entry.difficulty.isEmpty() || entry.difficulty == level) &&
                    (family == kAllFamily || entry.families.contains(family));
        for (const QString& word : words)
            fits = fits && entry.search_text.contains(word, Qt::CaseInsensitive);
        if (!fits) continue;
        if (entry.widget == nullptr) makeCard(entry);
        cards += entry.widget;
        for (QPushButton* button : entry.widget->buttons())
            setTabOrder(std::exchange(before, button), button);
    }
    none_->setText(
        level.isEmpty() ? tr("No environment matches. Clear the search to see all of them.")
        : words.isEmpty()
            ? tr("There is no environment of this difficulty.")
            : tr("No environment of this difficulty matches. Clear the search or choose all difficulties."));
    none_->setVisible(cards.isEmpty());
    grid_->setCards(cards);
    auto* chip = findChild<QPushButton*>(QStringLiteral("family-") + family);
    chip->setChecked(true);
    if (std::exchange(last_family_, family) != family) grid_->verticalScrollBar()->setValue(0);
}

// --- cards

void GalleryView::makeCard(Entry& entry) {
    const EnvChoice& choice = entry.env.choice;
    const EnvInfo* info = entry.is_included ? services_.catalogue->environment(choice.env) : nullptr;
    EnvCardText text{.title = entry.env.title, .choice = choice};
    if (info != nullptr) {
        text.id = info->id;
        text.tip = info->id + QLatin1Char('\n') + info->upstream;
        text.sentence = info->sentence;
    } else {
        QStringList values{shortId(choice.env)};
        for (const auto& [name, value] : choice.values) values += QStringLiteral("%1 %2").arg(name, value);
        text.id = entry.env.title;
        text.tip = choice.env;
        text.sentence = values.join(QStringLiteral(", "));
    }
    auto* card = entry.widget = new EnvCard(services_, text, grid_->inside());
    const bool has_preset = services_.catalogue->defaultPreset(choice.env) != nullptr;
    card->setCanTrain(has_preset || info == nullptr);
    // The default number of steps without a preset is for external environments only.
    const bool sets_steps = info == nullptr && !has_preset;
    connect(card, &EnvCard::trainClicked, this, [this, choice, id = entry.card, sets_steps] {
        Q_EMIT trainRequested(startArguments(choice, !sets_steps), id);
    });
    connect(card, &EnvCard::customizeClicked, this,
            [this, choice, sets_steps] { Q_EMIT customizeRequested(newRunRequest(choice, !sets_steps)); });
    if (entry.is_own) {
        card->addEdit();
        connect(card, &EnvCard::editClicked, this,
                [this, title = entry.env.title] { services_.navigator->open(OwnEnvLink{.title = title}); });
    }
    showResult(entry);
    if (starting_.contains(entry.card)) card->setStarting(true);
    if (info == nullptr) return;
    if (missing_pictures_.isEmpty()) QTimer::singleShot(0, this, &GalleryView::loadPictures);
    missing_pictures_ += info->id;
}

void GalleryView::showResult(const Entry& entry) {
    if (entry.widget == nullptr) return;
    const Catalogue& catalogue = *services_.catalogue;
    const QString& env = entry.env.choice.env;
    entry.widget->setResult(cardResult(catalogue, catalogue.defaultPreset(env),
                                       entry.is_included ? catalogue.environment(env) : nullptr));
}

void GalleryView::setStarting(const QString& id, bool starting) {
    if (starting) starting_ += id;
    else starting_.removeOne(id);
    for (const Entry& entry : entries_)
        if (entry.card == id && entry.widget != nullptr) entry.widget->setStarting(starting);
    if (id == QLatin1String("cartpole")) hero_->setStarting(starting);
}

// Loads a few pictures at a time, so that the window stays responsive.
void GalleryView::loadPictures() {
    for (int i = 0; i < 4 && !missing_pictures_.isEmpty(); ++i) {
        const QString id = missing_pictures_.takeFirst();
        const QImage image = tintPaper(services_.catalogue->picture(id).convertToFormat(QImage::Format_RGB32),
                                       paperColour(*services_.theme));
        if (image.isNull()) continue;
        const qreal ratio = devicePixelRatioF();
        QPixmap pixmap = QPixmap::fromImage(
            image.scaled(EnvCard::kPicture * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation));
        pixmap.setDevicePixelRatio(ratio);
        for (const Entry& entry : entries_)
            if (entry.card == id && entry.widget != nullptr) entry.widget->picture()->setStill(pixmap);
    }
    if (!missing_pictures_.isEmpty()) QTimer::singleShot(0, this, &GalleryView::loadPictures);
}

// After a change of the theme.
void GalleryView::reloadPictures() {
    const bool is_loading = !missing_pictures_.isEmpty();
    missing_pictures_.clear();
    for (const Entry& entry : entries_)
        if (entry.is_included && entry.widget != nullptr) missing_pictures_ += entry.card;
    if (!is_loading) loadPictures();
}

}  // namespace seedbed::ui
