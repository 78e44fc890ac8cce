// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/play/play_keys.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#include <QRegularExpression>
#include <QSet>
#include <QStringList>

#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

struct Direction {
    int arrow = 0, letter = 0;
    const char* sign = "";
    std::array<const char*, 6> words{};  // of a choice's name
};

constexpr Direction kLeft{Qt::Key_Left, Qt::Key_A, "←", {"left", "west", "-1", "−1", "negative", ""}};
constexpr Direction kRight{Qt::Key_Right, Qt::Key_D, "→", {"right", "east", "+1", "positive", "", ""}};
constexpr Direction kUp{
    Qt::Key_Up, Qt::Key_W, "↑", {"up", "north", "forward", "forwards", "accelerate", "gas"}};
constexpr Direction kDown{
    Qt::Key_Down, Qt::Key_S, "↓", {"down", "south", "backward", "backwards", "back", "brake"}};
constexpr std::array kDirections{&kLeft, &kRight, &kUp, &kDown};
constexpr std::array kFireWords{"fire", "shoot", "jump", "toggle", "act", "use", "interact", "flap"};
constexpr int kDigits = 10;

class Keyboard {
public:
    // Gives the choice the keys that are free; its text is that of the first one.
    void give(PlayChoice& choice, std::initializer_list<int> keys, const QString& text) {
        for (const int key : keys) {
            if (taken_.contains(key)) continue;
            taken_.insert(key);
            choice.keys.push_back(key);
            if (choice.key_text.isEmpty()) choice.key_text = text;
        }
    }
    // If the arrow is free.
    bool give(PlayChoice& choice, const Direction& direction) {
        if (taken_.contains(direction.arrow)) return false;
        give(choice, {direction.arrow, direction.letter}, QString::fromUtf8(direction.sign));
        return true;
    }

private:
    QSet<int> taken_;
};

QStringList wordsOf(const std::string& label) {
    static const QRegularExpression spaces(QStringLiteral("[\\s_(),]+"));
    QStringList words = QString::fromStdString(label).toLower().split(spaces, Qt::SkipEmptyParts);
    if (words.contains(QStringLiteral("pick"))) words.clear();  // "pick up" gives no direction
    return words;
}

template <class Words>
bool hasAny(const QStringList& words, const Words& wanted) {
    return std::any_of(wanted.begin(), wanted.end(), [&](const char* word) {
        return *word != '\0' && words.contains(QString::fromUtf8(word));
    });
}

// Keys for choices that are the only ones with a direction, or whose name is the direction: those of a board,
// "top left" and "bottom left", have none.
void giveByName(Keyboard& keyboard, std::vector<PlayChoice*>& choices,
                const std::vector<std::string>& labels) {
    std::vector<QStringList> words;
    for (const std::string& label : labels) words.push_back(wordsOf(label));
    const auto give = [&](const auto& wanted, const auto& keys) {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < std::min(words.size(), choices.size()); ++i)
            if (hasAny(words[i], wanted)) found.push_back(i);
        for (const std::size_t i : found)
            if (found.size() == 1 || words[i].size() == 1) return keys(*choices[i]);
    };
    for (const Direction* direction : kDirections)
        give(direction->words, [&](PlayChoice& choice) { keyboard.give(choice, *direction); });
    give(kFireWords,
         [&](PlayChoice& choice) { keyboard.give(choice, {Qt::Key_Space}, QStringLiteral("Space")); });
}

// The digits of names that end with one, such as "column 1", otherwise the numbers of the first choices.
void giveDigits(Keyboard& keyboard, std::vector<PlayChoice*>& choices,
                const std::vector<std::string>& labels) {
    std::array<int, kDigits> ends{};
    const auto digitOf = [](const std::string& label) {
        const std::size_t n = label.size();
        return n > 1 && label[n - 2] == ' ' && label[n - 1] >= '0' && label[n - 1] <= '9' ? label[n - 1] - '0'
                                                                                          : -1;
    };
    bool named = false, clear = true;
    for (const std::string& label : labels)
        if (const int digit = digitOf(label); digit >= 0) {
            named = true;
            clear &= ++ends[static_cast<std::size_t>(digit)] == 1;
        }
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const int digit = !named || !clear    ? static_cast<int>(i)
                          : i < labels.size() ? digitOf(labels[i])
                                              : -1;
        if (digit >= 0 && digit < kDigits)
            keyboard.give(*choices[i], {Qt::Key_0 + digit}, QString::number(digit));
    }
}

}  // namespace

std::vector<PlayChoice> playChoices(const std::vector<ActionLeaf>& actions) {
    Keyboard keyboard;
    std::vector<PlayChoice> choices;
    std::size_t word = 0, dimension = 0;
    int place = 0;
    for (const ActionLeaf& leaf : actions) {
        const auto label = [&](int i) {
            const auto at = static_cast<std::size_t>(i);
            return at < leaf.labels.size() ? leaf.labels[at] : std::string();
        };
        if (leaf.kind == ActionLeaf::Kind::discrete) {
            const std::size_t first = choices.size();
            for (int i = 0; i < leaf.n; ++i)
                choices.push_back(
                    {.name = label(i).empty() ? QString::number(i) : QString::fromStdString(label(i)),
                     .word = word,
                     .place = place + i,
                     .value = static_cast<double>(i)});
            std::vector<PlayChoice*> own;
            for (std::size_t i = first; i < choices.size(); ++i) own.push_back(&choices[i]);
            giveByName(keyboard, own, leaf.labels);
            if (word == 0) giveDigits(keyboard, own, leaf.labels);
            ++word;
            place += leaf.n;
            continue;
        }
        for (int i = 0; i < leaf.words(); ++i, ++word, ++dimension) {
            const ActionRange range = rangeOf(leaf, static_cast<std::size_t>(i));
            const QString name = label(i).empty()
                                     ? QStringLiteral("%1 %2").arg(QString::fromStdString(leaf.name)).arg(i)
                                     : QString::fromStdString(label(i));
            for (const int end : {-1, 1}) {
                PlayChoice choice{.word = word, .place = -1, .value = range.centre + end * range.half};
                choice.name = QStringLiteral("%1 %2").arg(name, shortNumber(choice.value));
                if (dimension == 0) keyboard.give(choice, end < 0 ? kLeft : kRight);
                if (dimension == 1) keyboard.give(choice, end < 0 ? kDown : kUp);
                choices.push_back(std::move(choice));
            }
        }
    }
    return choices;
}

}  // namespace seedbed::ui
