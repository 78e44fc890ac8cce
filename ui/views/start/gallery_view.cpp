// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/gallery_view.hpp"

#include <algorithm>
#include <utility>

#include <QComboBox>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/models/catalogue.hpp"
#include "ui/models/packs/env_pictures.hpp"
#include "ui/models/packs/pack_list.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/game_picture.hpp"
#include "ui/views/navigator.hpp"
#include "ui/views/packs/moving_picture.hpp"
#include "ui/views/packs/own_env_link.hpp"
#include "ui/views/page_parts.hpp"
#include "ui/views/search_keys.hpp"
#include "ui/views/start/flow_grid.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kCardWidth = 250, kPictureHeight = 130;

QString difficultyText(const QString& difficulty) {
    if (difficulty == QLatin1String("easy")) return GalleryView::tr("easy");
    if (difficulty == QLatin1String("medium")) return GalleryView::tr("medium");
    if (difficulty == QLatin1String("hard")) return GalleryView::tr("hard");
    return difficulty;
}

}  // namespace

GalleryView::GalleryView(const Services& services, QWidget* parent)
    : QWidget(parent),
      services_(services),
      search_(new QLineEdit(this)),
      difficulty_(new QComboBox(this)),
      none_(new QLabel(this)),
      grid_(new FlowGrid(this)) {
    auto* layout = new QVBoxLayout(this);
    auto* title = pageTitle(tr("What should an agent learn?"), this);
    auto* row = new QHBoxLayout;
    row->addWidget(title, 1);
    search_->setPlaceholderText(tr("Search"));
    search_->setAccessibleName(tr("Search environments"));
    search_->setClearButtonEnabled(true);
    search_->addAction(services_.theme->icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    search_->setMinimumWidth(220);
    row->addWidget(search_);
    difficulty_->setAccessibleName(tr("Difficulty"));
    difficulty_->addItem(tr("All"), QString());
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
    layout->addLayout(row);
    none_->setAlignment(Qt::AlignCenter);
    none_->hide();
    layout->addWidget(none_);
    layout->addWidget(grid_, 1);
    connect(search_, &QLineEdit::textChanged, this, &GalleryView::filter);
    clearByEscape(search_);
    connect(difficulty_, &QComboBox::currentIndexChanged, this, &GalleryView::filter);
    connect(services_.catalogue, &Catalogue::estimatesChanged, this, &GalleryView::showEstimates);

    for (const EnvInfo& env : services_.catalogue->environments()) cards_ += makeCard(env);
    showCards();
    if (services_.own != nullptr) {
        showFamilies();
        connect(services_.own, &OwnEnvironments::changed, this, &GalleryView::showFamilies);
        connect(services_.packs, &PackList::changed, this, &GalleryView::showFamilies);
    }
    showEstimates();
    QTimer::singleShot(0, this, &GalleryView::loadPictures);
    connect(services_.theme, &Theme::changed, this, [this] {
        const bool loading = next_picture_ < cards_.size();
        next_picture_ = 0;
        if (!loading) loadPictures();
    });
}

void GalleryView::focusSearch() {
    search_->setFocus();
    search_->selectAll();
}

QVariantMap GalleryView::saveState() const {
    return {{QStringLiteral("search"), search_->text()},
            {QStringLiteral("difficulty"), difficulty_->currentIndex()}};
}

void GalleryView::restoreState(const QVariantMap& state) {
    search_->setText(state[QStringLiteral("search")].toString());
    difficulty_->setCurrentIndex(state[QStringLiteral("difficulty")].toInt());
}

GalleryView::Card GalleryView::makeCard(const EnvInfo& env) {
    Card card;
    card.id = env.id;
    card.difficulty = env.difficulty;
    card.search_text = QStringList{env.id, env.title, env.sentence, env.aliases.join(QLatin1Char(' '))}.join(
        QLatin1Char(' '));
    card.frame = makeFrame(env.id);
    auto* layout = new QVBoxLayout(card.frame);
    card.picture = new QLabel(card.frame);
    card.picture->setFixedHeight(kPictureHeight);
    card.picture->setAlignment(Qt::AlignCenter);
    layout->addWidget(card.picture);
    auto* title = new QLabel(
        QStringLiteral("<b>%1</b> · %2").arg(env.title.toHtmlEscaped(), difficultyText(env.difficulty)),
        card.frame);
    title->setToolTip(env.upstream);
    layout->addWidget(title);
    auto* sentence = new QLabel(env.sentence, card.frame);
    sentence->setTextFormat(Qt::PlainText);
    sentence->setWordWrap(true);
    sentence->setAlignment(Qt::AlignTop);
    layout->addWidget(sentence, 1);
    card.time = new QLabel(card.frame);
    card.time->setWordWrap(true);
    layout->addWidget(card.time);
    const PresetInfo* preset = services_.catalogue->defaultPreset(env.id);
    QStringList scores = scoresOf(preset);
    if (preset == nullptr && env.reference_score)
        scores += tr("reference %1").arg(shortNumber(*env.reference_score));
    if (env.random_return) scores += tr("random %1").arg(shortNumber(*env.random_return));
    auto* score = new QLabel(scores.join(QStringLiteral(" · ")), card.frame);
    score->setToolTip(preset != nullptr ? preset->source : QString());
    layout->addWidget(score);
    // Scores do not wrap, so that neighbouring cards align.
    const QMargins margins = layout->contentsMargins();
    const int facts =
        score->sizeHint().width() + margins.left() + margins.right() + 2 * card.frame->frameWidth();
    card.frame->setMinimumWidth(std::max(kCardWidth, facts));
    layout->addLayout(makeButtons(env, preset != nullptr, card));
    return card;
}

QLayout* GalleryView::makeButtons(const EnvInfo& env, bool has_preset, Card& card) {
    auto* buttons = new QHBoxLayout;
    card.train = new QPushButton(services_.theme->icon(QStringLiteral("start")), tr("Train"), card.frame);
    card.train->setObjectName(QStringLiteral("train-") + env.id);
    card.train->setAccessibleName(tr("Train %1").arg(env.title));
    card.train->setEnabled(has_preset);
    if (!has_preset) card.train->setToolTip(tr("There is no preset yet: choose Customize"));
    auto* customize = new QPushButton(tr("Customize…"), card.frame);
    customize->setObjectName(QStringLiteral("customize-") + env.id);
    customize->setAccessibleName(tr("Customize %1").arg(env.title));
    connect(card.train, &QPushButton::clicked, this,
            [this, id = env.id] { Q_EMIT trainRequested(startArguments({.env = id}, true), id); });
    connect(customize, &QPushButton::clicked, this,
            [this, id = env.id] { Q_EMIT customizeRequested({.env = id, .preset = {}, .settings = {}}); });
    buttons->addWidget(card.train);
    buttons->addWidget(customize);
    buttons->addStretch(1);
    return buttons;
}

// The goal and the reference score of a preset.
QStringList GalleryView::scoresOf(const PresetInfo* preset) const {
    if (preset == nullptr) return {};
    QStringList scores;
    if (services_.catalogue->hasGoal(*preset))
        scores += tr("goal %1").arg(shortNumber(preset->expected_score));
    else if (!preset->is_measured) scores += tr("not measured yet");
    else if (preset->best_score)
        scores += tr("not solved yet: best %1").arg(shortNumber(*preset->best_score));
    return scores += tr("reference %1").arg(shortNumber(preset->reference_score));
}

QFrame* GalleryView::makeFrame(const QString& id) {
    auto* frame = new QFrame;
    frame->setObjectName(QStringLiteral("card-") + id);
    frame->setFrameShape(QFrame::StyledPanel);
    frame->setBackgroundRole(QPalette::Base);
    frame->setAutoFillBackground(true);
    return frame;
}

// --- environments of worker processes

QList<GalleryView::Family> GalleryView::families() const {
    QList<Family> families;
    if (!services_.own->all().isEmpty())
        families += {.title = tr("Yours"), .is_own = true, .envs = services_.own->all()};
    for (const PackInfo& pack : services_.packs->packs()) {
        if (!pack.isUsable()) continue;
        Family family{.title = pack.title};
        for (const QString& env : pack.envs)
            family.envs += {.title = shortTitle(env), .choice = {.env = env}};
        families += family;
    }
    return families;
}

void GalleryView::showFamilies() {
    const QList<Family> wanted = families();
    QStringList shown;
    for (const Family& family : wanted) {
        shown += family.title;
        for (const OwnEnvironment& env : family.envs) shown << env.title << env.choice.key();
    }
    if (std::exchange(shown_families_, shown.join(QLatin1Char('\n'))) == shown_families_) return;
    for (const Card& card : worker_cards_) card.frame->deleteLater();
    for (const Card& card : worker_cards_) card.frame->hide();
    worker_cards_.clear();
    worker_sections_.clear();
    for (const Family& family : wanted) {
        FlowGrid::Section section{.title = family.title};
        for (const OwnEnvironment& env : family.envs) {
            worker_cards_ += makeCard(env, family.is_own);
            section.cards += worker_cards_.last().frame;
        }
        worker_sections_ += section;
    }
    showCards();
    filter();
}

void GalleryView::showCards() {
    QList<FlowGrid::Section> sections = worker_sections_;
    FlowGrid::Section included{.title = sections.isEmpty() ? QString() : tr("Included in Seedbed")};
    for (const Card& card : cards_) included.cards += card.frame;
    sections += included;
    grid_->setSections(sections);
}

GalleryView::Card GalleryView::makeCard(const OwnEnvironment& env, bool is_own) {
    Card card;
    card.id = env.choice.key();
    card.search_text = env.title + QLatin1Char(' ') + env.choice.env;
    card.frame = makeFrame(env.title);
    card.frame->setMinimumWidth(kCardWidth);
    auto* layout = new QVBoxLayout(card.frame);
    auto* picture = new MovingPicture(*services_.pictures, *services_.theme, card.frame);
    picture->setFixedHeight(kPictureHeight);
    picture->setChoice(env.choice);
    card.picture = picture;
    layout->addWidget(picture);
    auto* title = new QLabel(QStringLiteral("<b>%1</b>").arg(env.title.toHtmlEscaped()), card.frame);
    layout->addWidget(title);
    auto* id =
        new QLabel(fontMetrics().elidedText(env.choice.env, Qt::ElideMiddle, kCardWidth - 30), card.frame);
    id->setTextFormat(Qt::PlainText);
    id->setToolTip(env.choice.env);
    layout->addWidget(id);
    QStringList values;
    for (const auto& [name, value] : env.choice.values) values += QStringLiteral("%1 %2").arg(name, value);
    if (!values.isEmpty()) {
        auto* arguments = new QLabel(values.join(QStringLiteral(", ")), card.frame);
        arguments->setTextFormat(Qt::PlainText);
        arguments->setWordWrap(true);
        layout->addWidget(arguments);
    }
    const PresetInfo* preset = services_.catalogue->defaultPreset(env.choice.env);
    if (preset != nullptr) {
        auto* score = new QLabel(scoresOf(preset).join(QStringLiteral(" · ")), card.frame);
        score->setToolTip(preset->source);
        layout->addWidget(score);
    } else {
        const qint64 steps = QString::fromLatin1(kStepsWithoutPreset).toLongLong();
        layout->addWidget(
            new QLabel(tr("no preset: default settings, %1 steps").arg(countText(steps)), card.frame));
    }
    layout->addStretch(1);
    layout->addLayout(makeButtons(env, preset != nullptr, is_own, card));
    return card;
}

QLayout* GalleryView::makeButtons(const OwnEnvironment& env, bool has_preset, bool is_own, Card& card) {
    auto* buttons = new QHBoxLayout;
    const auto add = [&](const char* id_prefix, const QString& text, const QString& name) {
        auto* button = new QPushButton(text, card.frame);
        button->setObjectName(QLatin1String(id_prefix) + env.title);
        button->setAccessibleName(name);
        buttons->addWidget(button);
        return button;
    };
    card.train = add("train-", tr("Train"), tr("Train %1").arg(env.title));
    card.train->setIcon(services_.theme->icon(QStringLiteral("start")));
    auto* customize = add("customize-", tr("Customize…"), tr("Customize %1").arg(env.title));
    connect(card.train, &QPushButton::clicked, this, [this, choice = env.choice, has_preset] {
        Q_EMIT trainRequested(startArguments(choice, has_preset), choice.key());
    });
    connect(customize, &QPushButton::clicked, this, [this, choice = env.choice, has_preset] {
        Q_EMIT customizeRequested(newRunRequest(choice, has_preset));
    });
    if (is_own) {
        auto* edit = add("edit-", tr("Edit…"), tr("Edit %1").arg(env.title));
        connect(edit, &QPushButton::clicked, this,
                [this, own = env.title] { services_.navigator->open(OwnEnvLink{.title = own}); });
    }
    buttons->addStretch(1);
    return buttons;
}

void GalleryView::setStarting(const QString& id, bool starting) {
    for (const Card& card : cards_ + worker_cards_) {
        if (card.id != id) continue;
        card.train->setEnabled(!starting);
        card.train->setText(starting ? tr("Starting…") : tr("Train"));
    }
}

// Loads a few pictures at a time, so that the window stays responsive.
void GalleryView::loadPictures() {
    for (int i = 0; i < 4 && next_picture_ < cards_.size(); ++i, ++next_picture_) {
        Card& card = cards_[next_picture_];
        const QImage image = tintPaper(services_.catalogue->picture(card.id), paperColour(*services_.theme));
        if (image.isNull()) continue;
        const qreal ratio = devicePixelRatioF();
        QPixmap pixmap = QPixmap::fromImage(image.scaled(QSize(kCardWidth - 20, kPictureHeight) * ratio,
                                                         Qt::KeepAspectRatio, Qt::SmoothTransformation));
        pixmap.setDevicePixelRatio(ratio);
        card.picture->setPixmap(pixmap);
    }
    if (next_picture_ < cards_.size()) QTimer::singleShot(0, this, &GalleryView::loadPictures);
}

void GalleryView::filter() {
    const QStringList words = search_->text().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const QString level = difficulty_->currentData().toString();
    int shown = 0;
    for (const Card& card : cards_ + worker_cards_) {
        bool fits = level.isEmpty() || card.difficulty == level;
        for (const QString& word : words) fits = fits && card.search_text.contains(word, Qt::CaseInsensitive);
        card.frame->setVisible(fits);
        shown += fits;
    }
    none_->setText(
        level.isEmpty() ? tr("No environment matches. Clear the search to see all of them.")
        : words.isEmpty()
            ? tr("There is no environment of this difficulty.")
            : tr("No environment of this difficulty matches. Clear the search or choose all difficulties."));
    none_->setVisible(shown == 0);
    grid_->arrange();
}

void GalleryView::showEstimates() {
    for (const Card& card : cards_) {
        const PresetInfo* preset = services_.catalogue->defaultPreset(card.id);
        const auto estimate = preset == nullptr ? std::nullopt : services_.catalogue->estimate(preset->name);
        QString text;
        if (preset == nullptr) text = tr("no preset yet");
        else if (!estimate) text = tr("training time: not measured yet");
        else if (estimate->middle_minutes > 0 && services_.catalogue->hasGoal(*preset))
            text = tr("%1 to reach the goal").arg(minutesText(*estimate));
        else
            text = (preset->is_measured ? tr("%1 for all steps") : tr("%1 for all steps; no result recorded"))
                       .arg(secondsText(static_cast<double>(estimate->steps) /
                                        ((estimate->low_sps + estimate->high_sps) / 2)));
        if (card.time->text() != text) card.time->setText(text);
    }
}

}  // namespace seedbed::ui
