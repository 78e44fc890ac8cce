// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/watch/play_panel.hpp"

#include <algorithm>
#include <cmath>

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QCompleter>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>

#include "ui/models/play/player_client.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/style/card.hpp"
#include "ui/views/style/paint.hpp"
#include "ui/views/watch/scene_grid.hpp"

namespace seedbed::ui {
namespace {

constexpr std::size_t kMaxButtons = 16;  // more choices are a list
constexpr int kRepeatDelay = 250;        // ms until a held key of a game that waits repeats
constexpr int kListLetters = 14;

}  // namespace

PlayPanel::PlayPanel(PlayerClient& client, QWidget* parent) : QWidget(parent), client_(client) {
    auto* layout = new FlowLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    who_ = new Chip(this);
    who_->setTone(Tone::good);
    hint_ = new QLabel(this);
    hint_->setObjectName(QStringLiteral("play-hint"));
    back_ = new QPushButton(tr("Let the agent play"), this);
    back_->setObjectName(QStringLiteral("play-return"));
    back_->setAccessibleName(back_->text());
    back_->setToolTip(tr("The policy continues (Esc)"));
    colour_ = new QLabel(this);
    colour_->setObjectName(QStringLiteral("play-colour"));
    colour_->setAccessibleName(tr("Colour of your pieces"));
    colour_->setToolTip(colour_->accessibleName());
    layout->addWidget(who_);
    layout->addWidget(colour_);
    layout->addWidget(hint_);
    layout->addWidget(back_);
    hold_.setSingleShot(true);
    hold_.setInterval(kRepeatDelay);
    connect(&hold_, &QTimer::timeout, this, [this] {
        if (held_.empty()) return;
        is_running_ = true;
        act(0);
    });
    connect(back_, &QPushButton::clicked, this, &PlayPanel::giveBack);
    connect(&client_, &PlayerClient::stateChanged, this, [this] {
        if (client_.state() == PlayerClient::State::playing) return;
        wish_ = Wish::none;
        end();
    });
    connect(&client_, &PlayerClient::frameChanged, this, &PlayPanel::showFrame);
    connect(&client_, &PlayerClient::statusChanged, this, &PlayPanel::showStatus);
    // Also refusals of what take() asked for.
    connect(&client_, &PlayerClient::message, this, [this] { wish_ = Wish::none; });
    hide();
}

void PlayPanel::take(std::optional<int> agent) {
    const auto& frame = client_.frame();
    if (!frame || plays() || wish_ != Wish::none) return;
    wanted_ = {frame->focus, agent.value_or(frame->focus_agent)};
    cells_ = frame->cells.size();
    if (frame->row < frame->newest_row) {
        wish_ = Wish::branch;
        client_.ask(QStringLiteral("branch"));
    } else {
        askForSeat();
    }
}

// Requests are applied later than the seat is given, which is the one in focus: it must be in focus before.
void PlayPanel::askForSeat() {
    const auto& frame = client_.frame();
    if (frame->focus != wanted_.env || frame->focus_agent != wanted_.agent) {
        wish_ = Wish::focus;
        return client_.ask(QStringLiteral("focus"),
                           {{QStringLiteral("env"), wanted_.env}, {QStringLiteral("agent"), wanted_.agent}});
    }
    wish_ = Wish::reply;
    client_.ask(QStringLiteral("act"), {{QStringLiteral("agent"), wanted_.agent}},
                [this](const QJsonObject& reply) {
                    if (wish_ != Wish::reply) return client_.ask(QStringLiteral("release"));
                    begin({reply[QStringLiteral("env")].toInt(), reply[QStringLiteral("agent")].toInt()});
                });
}

void PlayPanel::pursue() {
    const PlayerFrame& frame = *client_.frame();
    if (wish_ == Wish::branch && frame.cells.size() > cells_) {
        wanted_.env = static_cast<int>(frame.cells.size()) - 1;
        askForSeat();
    } else if (wish_ == Wish::focus && frame.focus == wanted_.env && frame.focus_agent == wanted_.agent) {
        askForSeat();
    }
}

void PlayPanel::setReturn(const QString& text, const QString& tip) {
    back_->setText(text);
    back_->setAccessibleName(text);
    back_->setToolTip(tip);
}

void PlayPanel::giveBack() {
    if (!plays()) {
        wish_ = Wish::none;
        return;
    }
    client_.ask(QStringLiteral("release"));
    const bool waits = ready_ != Ready::no;  // for a first key, in a game that this panel paused
    end();
    if (waits) pause(false);
}

void PlayPanel::begin(Seat seat) {
    const PlayerAbout& about = client_.about();
    wish_ = Wish::none;
    seat_ = seat;
    confirmed_ = false;
    generation_ = client_.frame() ? client_.frame()->generation : 0;
    takes_turns_ = about.idle_waits && about.has_mask;
    choices_ = playChoices(about.actions);
    rest_ = about.rest;
    if (rest_.empty())
        for (const ActionLeaf& leaf : about.actions)
            for (std::size_t i = 0; i < static_cast<std::size_t>(leaf.words()); ++i)
                rest_.push_back(
                    leaf.kind == ActionLeaf::Kind::discrete ? 0 : std::clamp(0.0, leaf.low[i], leaf.high[i]));
    who_->setText(about.agents > 1 ? tr("You play seat %1").arg(seat.agent + 1) : tr("You play"));
    who_->setMinimumWidth(who_->sizeHint().width());
    showColour();
    makeButtons();
    setVisible(true);
    if (takes_turns_ && isPaused() && steps_) client_.ask(QStringLiteral("resume"));
    ready_ = Ready::no;
    over_hint_.clear();
    episodes_ = gamesPlayed();
    if (!isPaused() || pause_) rest();
    showFrame();
    Q_EMIT changed();
}

// A game that does not wait for its person begins with the first key.
void PlayPanel::getReady(const QString& hint) {
    if (takes_turns_ || client_.about().idle_waits) return;
    letGo();
    ready_ = Ready::asked;
    ready_hint_ = hint;
    pause(true);
}

// The next game has begun, unless it waits for a key. The result is shown until the person's next action.
void PlayPanel::endGame(const QString& result) {
    if (takes_turns_) {
        over_hint_ = tr("Game over: return %1. The next game has begun").arg(result);
        return;
    }
    const QString hint = tr("Game over: return %1. A key starts the next").arg(result);
    if (!client_.about().idle_waits) return getReady(hint);
    letGo();  // a held key would begin the next game
    over_hint_ = hint;
}

void PlayPanel::pause(bool on) {
    if (pause_) pause_(on);
    else client_.ask(on ? QStringLiteral("pause") : QStringLiteral("resume"));
}

std::uint32_t PlayPanel::gamesPlayed() const {
    const auto& frame = client_.frame();
    const auto env = static_cast<std::size_t>(seat_->env);
    return frame && env < frame->cells.size() ? frame->cells[env].episodes : 0;
}

void PlayPanel::end() {
    if (!plays()) return;
    seat_.reset();
    held_.clear();
    hold_.stop();
    is_running_ = false;
    showAreas({});
    hide();
    Q_EMIT changed();
}

QPushButton* PlayPanel::makeButton(std::size_t choice) {
    const PlayChoice& made = choices_[choice];
    auto* button = new QPushButton(
        made.key_text.isEmpty() ? made.name : QStringLiteral("%1  %2").arg(made.key_text, made.name), this);
    button->setObjectName(QStringLiteral("play-choice-%1").arg(choice));
    button->setAccessibleName(made.name);
    button->setFocusPolicy(Qt::TabFocus);  // a click leaves the keyboard to the game
    button->installEventFilter(this);
    const auto number = static_cast<int>(choice);
    connect(button, &QPushButton::pressed, this, [this, number] { press(number); });
    connect(button, &QPushButton::released, this, [this, number] { release(number); });
    return button;
}

void PlayPanel::makeButtons() {
    for (QPushButton* button : buttons_) delete button;
    buttons_.clear();
    delete list_;
    list_ = nullptr;
    if (choices_.size() <= kMaxButtons)
        for (std::size_t i = 0; i < choices_.size(); ++i) {
            buttons_.push_back(makeButton(i));
            layout()->addWidget(buttons_.back());
            // A side that is not on move waits by itself.
            const bool is_rest = takes_turns_ && client_.about().rest.size() == 1 &&
                                 choices_[i].value == client_.about().rest.front();
            buttons_.back()->setVisible(!is_rest);
        }
    else makeList();
    layout()->removeWidget(back_);
    layout()->addWidget(back_);
}

void PlayPanel::makeList() {
    list_ = new QComboBox(this);
    list_->setObjectName(QStringLiteral("play-list"));
    list_->setAccessibleName(tr("Your action; Return plays it"));
    list_->setToolTip(list_->accessibleName());
    list_->setEditable(true);
    list_->setInsertPolicy(QComboBox::NoInsert);
    list_->setMinimumContentsLength(kListLetters);
    for (const PlayChoice& choice : choices_) list_->addItem(choice.name);
    list_->completer()->setCompletionMode(QCompleter::PopupCompletion);
    // Not activated(), which the wheel and the arrow keys emit as well.
    const auto play = [this](const QString& name) {
        playOnce(list_->findText(name, Qt::MatchFixedString));
        list_->lineEdit()->selectAll();
    };
    connect(list_->lineEdit(), &QLineEdit::returnPressed, this, [this, play] { play(list_->currentText()); });
    connect(list_->completer(), qOverload<const QString&>(&QCompleter::activated), this, play);
    connect(list_->view(), &QAbstractItemView::clicked, this,
            [play](const QModelIndex& index) { play(index.data().toString()); });
    layout()->addWidget(list_);
    list_->show();
    list_->setFocus();
}

void PlayPanel::playOnce(int choice) {
    if (!plays() || choice < 0 || (isPaused() && !steps_ && ready_ == Ready::no)) return;
    held_ = {choice};
    act(1);
    held_.clear();
    if (std::exchange(ready_, Ready::no) != Ready::no) pause(false);
    else if (isPaused()) client_.ask(QStringLiteral("step"), {{QStringLiteral("count"), 1}});
}

void PlayPanel::setPictures(SceneGrid& pictures) {
    pictures_ = &pictures;
    connect(pictures_, &SceneGrid::areaClicked, this, [this](std::size_t number) {
        if (number < area_choices_.size()) playOnce(area_choices_[number]);
    });
}

bool PlayPanel::isAllowed(const PlayChoice& choice, const PlayerRecord& now) const {
    const auto place = static_cast<std::size_t>(choice.place);
    return choice.place < 0 || place >= now.shown.size() || now.shown[place] > 0 || !now.decided;
}

void PlayPanel::showAreas(const PlayerRecord& now) {
    if (pictures_ == nullptr) return;
    std::vector<QRectF> areas;
    area_choices_.clear();
    if (plays())
        for (const PlayerAbout::Area& each : client_.about().areas)
            for (std::size_t i = 0; i < choices_.size(); ++i)
                if (choices_[i].place == each.place && isAllowed(choices_[i], now)) {
                    areas.push_back(each.area);
                    area_choices_.push_back(static_cast<int>(i));
                }
    pictures_->setAreas(plays() ? seat_->env : -1, std::move(areas));
}

// The colour of the person's pieces, if there are some.
void PlayPanel::showColour() {
    const auto& colours = client_.about().seat_colours;
    const auto seat = static_cast<std::size_t>(seat_->agent);
    colour_->setVisible(seat < colours.size());
    if (seat >= colours.size()) return;
    const int side = fontMetrics().height();
    QPixmap disc(QSize(side, side) * devicePixelRatioF());
    disc.setDevicePixelRatio(devicePixelRatioF());
    disc.fill(Qt::transparent);
    QPainter painter(&disc);
    const PainterState state(painter);
    painter.setPen(palette().color(QPalette::Mid));
    painter.setBrush(colours[seat]);
    painter.drawEllipse(QRectF(0.5, 0.5, side - 1.0, side - 1.0));
    colour_->setPixmap(disc);
}

int PlayPanel::choiceOf(int key) const {
    for (std::size_t i = 0; i < choices_.size(); ++i)
        if (std::find(choices_[i].keys.begin(), choices_[i].keys.end(), key) != choices_[i].keys.end())
            return static_cast<int>(i);
    return -1;
}

bool PlayPanel::filter(QObject* watched, QEvent* event) {
    if (!plays()) return false;
    if (event->type() == QEvent::FocusOut) letGo();  // the release of a held key goes elsewhere
    const bool overrides = event->type() == QEvent::ShortcutOverride,
               presses = event->type() == QEvent::KeyPress;
    if ((!overrides && !presses && event->type() != QEvent::KeyRelease) ||
        qobject_cast<QLineEdit*>(watched) != nullptr || qobject_cast<QAbstractSpinBox*>(watched) != nullptr)
        return false;
    const auto& key = *static_cast<QKeyEvent*>(event);
    const bool leaves = key.key() == Qt::Key_Escape;
    if (overrides) {
        // A button that has the focus is pressed by Space.
        const bool pushes = key.key() == Qt::Key_Space && qobject_cast<QPushButton*>(watched) != nullptr;
        if (!leaves && !pushes && !isFree(key)) return false;
        event->accept();
        return true;
    }
    if (presses && leaves) giveBack();
    return (presses && leaves) || handle(key);
}

// Whether the key has a choice and no modifier that makes it a shortcut.
bool PlayPanel::isFree(const QKeyEvent& event) const {
    constexpr auto kOthers = Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier;
    return choiceOf(event.key()) >= 0 && !(event.modifiers() & kOthers);
}

// An event of a key that has a choice; false: the key has another use.
bool PlayPanel::handle(const QKeyEvent& event) {
    const bool presses = event.type() == QEvent::KeyPress;
    const int choice = choiceOf(event.key());
    if (choice < 0 || (presses && !isFree(event))) return false;
    if (event.isAutoRepeat()) return true;
    if (presses) press(choice);
    else release(choice);
    return true;
}

void PlayPanel::press(int choice) {
    if (!plays() || std::find(held_.begin(), held_.end(), choice) != held_.end()) return;
    const bool begins = std::exchange(ready_, Ready::no) != Ready::no;
    if (isPaused() && !steps_ && !begins) return;
    held_.push_back(choice);
    showHeld();
    pressed_.start();
    if (begins) {
        pause(false);
    } else if (isPaused() && !is_running_) {
        act(1);
        return client_.ask(QStringLiteral("step"), {{QStringLiteral("count"), 1}});
    }
    if (takes_turns_) return act(1);
    is_running_ = is_running_ || !client_.about().idle_waits;
    act(is_running_ ? 0 : 1);
    if (!is_running_) hold_.start();
}

void PlayPanel::release(int choice) {
    if (!plays()) return;
    const QJsonArray before = action();
    const bool was_held = std::erase(held_, choice) > 0;
    showHeld();
    if (!was_held || !is_running_) return;
    if (!held_.empty()) return act(0);
    hold_.stop();
    is_running_ = false;
    // A short press is used for one row.
    const auto& frame = client_.frame();
    const double speed = frame && frame->speed > 0 ? static_cast<double>(frame->speed) : 1;
    if (!client_.about().idle_waits &&
        static_cast<double>(pressed_.elapsed()) < 1000 / (client_.about().rate * speed))
        return client_.ask(QStringLiteral("act"), {{QStringLiteral("agent"), seat_->agent},
                                                   {QStringLiteral("action"), before},
                                                   {QStringLiteral("rows"), 1}});
    client_.ask(QStringLiteral("act"),
                {{QStringLiteral("agent"), seat_->agent}, {QStringLiteral("action"), QJsonValue::Null}});
}

// Buttons look pressed while their key is.
void PlayPanel::showHeld() {
    for (std::size_t i = 0; i < buttons_.size(); ++i)
        buttons_[i]->setDown(std::find(held_.begin(), held_.end(), static_cast<int>(i)) != held_.end());
}

void PlayPanel::letGo() {
    while (!held_.empty()) release(held_.back());
}

// The held choices; a later one replaces an earlier one of the same word.
QJsonArray PlayPanel::action() const {
    std::vector<double> words = rest_;
    for (const int held : held_) {
        const PlayChoice& choice = choices_[static_cast<std::size_t>(held)];
        words[choice.word] = choice.value;
    }
    QJsonArray json;
    for (const double word : words) json.append(word);
    return json;
}

void PlayPanel::act(int rows) {
    if (!std::exchange(over_hint_, QString()).isEmpty()) showHint();
    Q_EMIT acted();
    client_.ask(QStringLiteral("act"), {{QStringLiteral("agent"), seat_->agent},
                                        {QStringLiteral("action"), action()},
                                        {QStringLiteral("rows"), rows}});
}

bool PlayPanel::isPaused() const {
    if (is_paused_) return is_paused_();
    return client_.frame() && client_.frame()->paused;
}

// The player releases a seat whose game has ended: that of a branch, or one of many environments.
void PlayPanel::showStatus() {
    if (plays()) {
        const auto& seats = client_.status().seats;
        const bool has = std::find(seats.begin(), seats.end(),
                                   PlayerStatus::Seat{seat_->env, seat_->agent}) != seats.end();
        if (confirmed_ && !has) return end();
        confirmed_ = confirmed_ || has;
    }
    showHint();
}

// Choices that are forbidden now cannot be chosen.
void PlayPanel::showFrame() {
    const auto& frame = client_.frame();
    if (!frame) return;
    pursue();
    if (!plays()) return;
    // Rows before a branch do not have its cell; a new game has no branches.
    if (static_cast<std::size_t>(seat_->env) >= frame->cells.size()) {
        if (frame->generation != generation_) end();
        return;
    }
    // An earlier row has its own count.
    const std::uint32_t before =
        frame->row == frame->newest_row ? std::exchange(episodes_, gamesPlayed()) : episodes_;
    if (episodes_ > before && steps_) {
        const PlayerCell& cell = frame->cells[static_cast<std::size_t>(seat_->env)];
        endGame(shortNumber(cell.lastReturnOf(seat_->agent)));
    } else if (ready_ == Ready::asked && isPaused()) {
        ready_ = Ready::yes;
    } else if (ready_ == Ready::yes && !isPaused()) {
        ready_ = Ready::no;  // continued in another way
    }
    showHint();
    const PlayerRecord& now = frame->cells[static_cast<std::size_t>(seat_->env)].nowOf(seat_->agent);
    showAreas(now);
    if (!client_.about().has_mask) return;
    for (std::size_t i = 0; i < buttons_.size(); ++i) {
        const bool allowed = isAllowed(choices_[i], now);
        if (buttons_[i]->isEnabled() != allowed) buttons_[i]->setEnabled(allowed);
    }
}

void PlayPanel::showHint() {
    if (!plays()) return;
    QString hint;
    if (ready_ != Ready::no) hint = ready_hint_;
    else if (!over_hint_.isEmpty()) hint = over_hint_;
    else if (isPaused()) hint = steps_ ? tr("Paused: each key plays one step") : tr("Paused");
    else if (takes_turns_)
        hint = !client_.status().waiting ? tr("The other side moves")
               : area_choices_.empty()   ? tr("Your move")
                                         : tr("Your move: click on the board");
    else if (client_.about().idle_waits) hint = tr("The game waits for your keys");
    else hint = tr("Hold a key to act");
    if (hint_->text() != hint) hint_->setText(hint);
}

}  // namespace seedbed::ui
