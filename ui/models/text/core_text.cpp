// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text/core_text.hpp"

#include <array>
#include <utility>

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

namespace seedbed::ui {

QString coreText(const QString& english) {
    return english.isEmpty() ? english
                             : QCoreApplication::translate(kCoreContext, english.toUtf8().constData());
}

QString coreText(std::string_view english) {
    return coreText(QString::fromUtf8(english.data(), static_cast<qsizetype>(english.size())));
}

QString coreText(const LocalizableText& sentence) {
    LocalizableText local{coreText(sentence.pattern).toStdString(), {}};
    for (const std::string& part : sentence.arguments)
        local.arguments.push_back(localNumber(QString::fromStdString(part)).toStdString());
    return QString::fromStdString(local.text());
}

QString coreText(const std::vector<LocalizableText>& sentences, const QString& between) {
    QString text;
    for (const LocalizableText& sentence : sentences)
        text += (text.isEmpty() ? QString() : between) + coreText(sentence);
    return text;
}

QString readableName(QString name) {
    // Abbreviations in the names of settings. ui/translations/update.py has the same list.
    static const std::array<std::pair<QRegularExpression, QString>, 13> kWords = [] {
        const auto pair = [](const char* word, const char* full) {
            return std::pair(QRegularExpression(QStringLiteral("\\b%1\\b").arg(QLatin1String(word))),
                             QString::fromLatin1(full));
        };
        return std::array{pair("lr", "learning-rate"),
                          pair("num envs", "number of environments"),
                          pair("every (steps|s)", "interval"),
                          pair("stall s", "stall timeout"),
                          pair("deadline ms", "deadline"),
                          pair("max", "maximum"),
                          pair("min", "minimum"),
                          pair("obs", "observations"),
                          pair("grad", "gradient"),
                          pair("std", "standard deviation"),
                          pair("kl", "KL"),
                          pair("noop", "no-op"),
                          pair("wrap", "wrapper")};
    }();
    name.replace(QLatin1Char('_'), QLatin1Char(' ')).replace(QLatin1Char('.'), QStringLiteral(": "));
    for (const auto& [word, full] : kWords) name.replace(word, full);
    if (!name.isEmpty()) name[0] = name[0].toUpper();
    return coreText(name);
}

QString localNumber(const QString& text) {
    bool number = false;
    (void)QLocale::c().toDouble(text, &number);
    return number ? QString(text).replace(QLatin1Char('.'), QLocale().decimalPoint()) : text;
}

}  // namespace seedbed::ui
