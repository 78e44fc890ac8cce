// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text/core_text.hpp"

#include <QCoreApplication>
#include <QLocale>

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
    name.replace(QLatin1Char('_'), QLatin1Char(' ')).replace(QLatin1Char('.'), QStringLiteral(": "));
    if (name.startsWith(QStringLiteral("lr "))) name.replace(0, 2, QStringLiteral("learning-rate"));
    if (!name.isEmpty()) name[0] = name[0].toUpper();
    return coreText(name);
}

QString localNumber(const QString& text) {
    bool number = false;
    (void)QLocale::c().toDouble(text, &number);
    return number ? QString(text).replace(QLatin1Char('.'), QLocale().decimalPoint()) : text;
}

}  // namespace seedbed::ui
