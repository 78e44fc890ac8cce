// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/packs/python_classes.hpp"

#include <algorithm>
#include <utility>

#include <QMap>
#include <QRegularExpression>
#include <QStringList>

namespace seedbed::ui {
namespace {

struct Parsed {
    PythonClass found;
    QStringList bases;
    bool has_reset = false, has_step = false, has_constructor = false;
};

// Splits at the separators outside of brackets and quotes.
QStringList splitOutside(const QString& text, QChar separator) {
    QStringList parts{QString()};
    int depth = 0;
    QChar quote;
    for (const QChar c : text) {
        if (!quote.isNull()) {
            if (c == quote) quote = QChar();
        } else if (c == QLatin1Char('"') || c == QLatin1Char('\'')) {
            quote = c;
        } else if (QStringLiteral("([{").contains(c)) {
            ++depth;
        } else if (QStringLiteral(")]}").contains(c)) {
            --depth;
        } else if (c == separator && depth == 0) {
            parts += QString();
            continue;
        }
        parts.last() += c;
    }
    return parts;
}

// Parses "self, length: int = 8, *, name='x', **more", omitting self, * and **more.
QList<PythonArgument> argumentsIn(const QString& list) {
    QList<PythonArgument> arguments;
    for (const QString& part : splitOutside(list, QLatin1Char(','))) {
        const QStringList sides = splitOutside(part, QLatin1Char('='));
        const QString name = sides.front().section(QLatin1Char(':'), 0, 0).trimmed();
        if (name.isEmpty() || name == QLatin1String("self") || name.startsWith(QLatin1Char('*')) ||
            name == QLatin1String("/") || name == QLatin1String("render_mode"))
            continue;
        arguments.append(
            {name, sides.size() > 1 ? sides.mid(1).join(QLatin1Char('=')).trimmed() : QString()});
    }
    return arguments;
}

// The text between the bracket at `open` and the matching one.
QString insideBrackets(const QString& text, qsizetype open) {
    int depth = 0;
    for (qsizetype at = open; at < text.size(); ++at) {
        if (text[at] == QLatin1Char('(')) ++depth;
        if (text[at] == QLatin1Char(')') && --depth == 0) return text.mid(open + 1, at - open - 1);
    }
    return {};
}

// Removes comments. Also cuts at a "#" in a string, which is rare in class and function headers.
QString withoutComments(QString text) {
    static const QRegularExpression comment(QStringLiteral("(?m)(^|\\s)#[^\n]*"));
    return text.replace(comment, QString());
}

QString firstLineOfDocumentation(const QString& body) {
    static const QRegularExpression documentation(
        QStringLiteral("^\\s*[rRuU]?(?:\"\"\"|''')\\s*([^\n]*?)\\s*(?:\"\"\"|'''|\n|$)"));
    return documentation.match(body).captured(1);
}

Parsed parse(const QString& name, const QString& bases, const QString& body) {
    static const QRegularExpression method(QStringLiteral("(?m)^[ \t]+(?:async )?def (\\w+)\\s*(\\()"));
    Parsed parsed;
    parsed.found.name = name;
    parsed.found.sentence = firstLineOfDocumentation(body);
    for (const QString& base : splitOutside(bases, QLatin1Char(',')))
        if (!base.trimmed().isEmpty()) parsed.bases += base.trimmed();
    const QString code = withoutComments(body);
    for (auto it = method.globalMatch(code); it.hasNext();) {
        const auto match = it.next();
        parsed.has_reset |= match.captured(1) == QLatin1String("reset");
        parsed.has_step |= match.captured(1) == QLatin1String("step");
        if (match.captured(1) == QLatin1String("__init__")) {
            parsed.has_constructor = true;
            parsed.found.arguments = argumentsIn(insideBrackets(code, match.capturedStart(2)));
        }
    }
    return parsed;
}

}  // namespace

QList<PythonClass> environmentClasses(const QString& text) {
    static const QRegularExpression head(QStringLiteral("(?m)^class (\\w+)\\s*(?:\\(([^)]*)\\))?\\s*:"));
    static const QRegularExpression next(QStringLiteral("(?m)^[^\\s#)\\]}]"));
    QMap<QString, Parsed> known;
    QList<PythonClass> classes;
    for (auto it = head.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        const qsizetype begin = match.capturedEnd();
        const qsizetype end = text.indexOf(next, begin);
        Parsed parsed =
            parse(match.captured(1), match.captured(2), text.mid(begin, end < 0 ? -1 : end - begin));
        for (const QString& base : parsed.bases) {
            const auto inside = known.constFind(base);
            const bool is_foreign_env = inside == known.cend() && base.contains(QLatin1String("Env"));
            parsed.has_reset |= is_foreign_env || (inside != known.cend() && inside->has_reset);
            parsed.has_step |= is_foreign_env || (inside != known.cend() && inside->has_step);
            if (inside == known.cend()) continue;
            if (!std::exchange(parsed.has_constructor, true))
                parsed.found.arguments = inside->found.arguments;
        }
        if (parsed.has_reset && parsed.has_step && !parsed.found.name.startsWith(QLatin1Char('_')))
            classes += parsed.found;
        known[parsed.found.name] = std::move(parsed);
    }
    return classes;
}

}  // namespace seedbed::ui
