// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_filter.hpp"
#include "ui/models/run_title.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <QRegularExpression>

namespace seedbed::ui {
namespace {

QString lower(const std::string& text) { return QString::fromStdString(text).toLower(); }

// Splits into words; quoted parts stay together.
std::vector<QString> wordsOf(const QString& text) {
    std::vector<QString> words;
    QString word;
    bool quoted = false;
    for (const QChar letter : text) {
        if (letter == QLatin1Char('"')) {
            quoted = !quoted;
        } else if (letter.isSpace() && !quoted) {
            if (!word.isEmpty()) words.push_back(std::exchange(word, QString()));
        } else {
            word += letter;
        }
    }
    if (!word.isEmpty()) words.push_back(word);
    return words;
}

}  // namespace

QString searchTextOf(const RunRecord& run) {
    QString text = lower(run.name) + QLatin1Char('\n') + lower(run.env) + QLatin1Char('\n') +
                   lower(run.algo) + QLatin1Char('\n') + QLatin1String(nameOf(run.status)) +
                   QLatin1Char('\n') + QString::number(run.seed) + QLatin1Char('\n') +
                   QString::number(run.id) + QLatin1Char('\n');
    for (const std::string& tag : run.tags) text += lower(tag) + QLatin1Char('\n');
    text +=
        envTitle(run.env).toLower() + QLatin1Char('\n') + algoTitle(run.algo).toLower() + QLatin1Char('\n');
    return text + lower(run.notes);
}

const std::array<std::pair<QLatin1String, RunFilter::Field>, 9> RunFilter::kFields{
    {{QLatin1String("name"), Field::name},
     {QLatin1String("env"), Field::env},
     {QLatin1String("algo"), Field::algo},
     {QLatin1String("status"), Field::status},
     {QLatin1String("tag"), Field::tag},
     {QLatin1String("notes"), Field::notes},
     {QLatin1String("seed"), Field::seed},
     {QLatin1String("id"), Field::id},
     {QLatin1String("is"), Field::mark}}};

QString RunFilter::fieldNames() {
    QStringList names;
    for (const auto& [name, field] : kFields) names << name + QLatin1Char(':');
    return names.join(QStringLiteral(", "));
}

RunFilter::RunFilter(const QString& text) {
    static const QRegularExpression field_like(QStringLiteral("^([a-z_.]+):"));
    for (QString word : wordsOf(text.toLower())) {
        Term term;
        if (word.size() > 1 && word.startsWith(QLatin1Char('-'))) {
            term.negated = true;
            word.remove(0, 1);
        }
        for (const auto& [name, field] : kFields) {
            if (!word.startsWith(name + QLatin1Char(':'))) continue;
            term.field = field;
            word.remove(0, name.size() + 1);
            break;
        }
        if (const auto match = field_like.match(word); term.field == Field::any && match.hasMatch())
            unknown_ << match.captured(1);
        // Ignores a term without a value, such as "tag:", which the user is still typing.
        if (word.isEmpty()) continue;
        term.text = word;
        terms_.push_back(std::move(term));
    }
}

bool RunFilter::matches(const Term& term, const RunRecord& run, const QString& search_text) {
    switch (term.field) {
        case Field::any: return search_text.contains(term.text);
        case Field::name: return lower(run.name).contains(term.text);
        case Field::env: return lower(run.env).contains(term.text);
        case Field::algo: return lower(run.algo).contains(term.text);
        case Field::status: return QLatin1String(nameOf(run.status)).startsWith(term.text);
        case Field::tag:
            return std::any_of(run.tags.begin(), run.tags.end(),
                               [&](const std::string& tag) { return lower(tag).contains(term.text); });
        case Field::notes: return lower(run.notes).contains(term.text);
        case Field::seed: return QString::number(run.seed) == term.text;
        case Field::id: return QString::number(run.id) == term.text;
        case Field::mark:
            return (QLatin1String("star").startsWith(term.text) && run.star) ||
                   (QLatin1String("live").startsWith(term.text) && isLive(run.status));
    }
    return false;
}

bool RunFilter::accepts(const RunRecord& run, const QString& search_text) const {
    return std::all_of(terms_.begin(), terms_.end(),
                       [&](const Term& term) { return matches(term, run, search_text) != term.negated; });
}

}  // namespace seedbed::ui
