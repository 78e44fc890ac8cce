// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/run_count.hpp"

#include <algorithm>

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <QSet>

#include "ui/models/config_form.hpp"

namespace seedbed::ui {
namespace {

QString translated(const char* text) {
    return QCoreApplication::translate("seedbed::ui::CustomizeView", text);
}

bool isNumber(const FormField* field) {
    return field != nullptr &&
           (field->type == QLatin1String("integer") || field->type == QLatin1String("real"));
}

}  // namespace

int countSeeds(const QString& text) {
    static const QRegularExpression range(QStringLiteral("^\\s*(\\d{1,18})\\s*\\.\\.\\s*(\\d{1,18})\\s*$"));
    static const QRegularExpression list(QStringLiteral("^\\s*\\d{1,18}(\\s*,\\s*\\d{1,18})*\\s*$"));
    if (const auto match = range.match(text); match.hasMatch()) {
        const qint64 count = match.captured(2).toLongLong() - match.captured(1).toLongLong() + 1;
        return count < 1 || count > 10'000 ? 0 : static_cast<int>(count);
    }
    return list.match(text).hasMatch() ? static_cast<int>(text.count(QLatin1Char(','))) + 1 : 0;
}

std::optional<QList<GridAxis>> parseGrid(const QString& text) {
    static const QRegularExpression item(QStringLiteral("^([a-z_.0-9]+)=([^=]+)$"));
    static const QRegularExpression after_separator(QStringLiteral("([,;])\\s+(?![a-z_.0-9]+=)"));
    QList<GridAxis> axes;
    const QString joined = QString(text).replace(after_separator, QStringLiteral("\\1"));
    for (const QString& part : joined.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const auto match = item.match(part);
        if (!match.hasMatch()) return std::nullopt;
        GridAxis axis{match.captured(1), {}, part.contains(QLatin1Char(';'))};
        axis.values = match.captured(2).split(QLatin1Char(axis.semicolons ? ';' : ','));
        // A semicolon at the end marks a single value with commas.
        if (axis.semicolons && axis.values.last().isEmpty()) axis.values.removeLast();
        if (axis.values.contains(QString())) return std::nullopt;
        axes += axis;
    }
    return axes;
}

bool hasAmbiguousCommas(const GridAxis& axis, bool real) {
    static const QRegularExpression fraction(QStringLiteral("^0\\d+$")), digits(QStringLiteral("^\\d+$"));
    if (axis.semicolons || axis.values.size() < 2) return false;
    if (!axis.values.filter(fraction).isEmpty()) return true;
    return real && QLocale().decimalPoint() == QLatin1String(",") &&
           axis.values.filter(digits).size() == axis.values.size();
}

int countGrid(const QString& text) {
    const auto axes = parseGrid(text);
    if (!axes) return 0;
    qint64 count = 1;
    for (const GridAxis& axis : *axes) {
        count *= axis.values.size();
        if (count > 10'000) return 0;
    }
    return static_cast<int>(count);
}

QString gridProblem(const ConfigForm& form, const QString& text) {
    if (form.env().isEmpty()) return {};
    QSet<QString> keys;
    const QList<GridAxis> axes = parseGrid(text).value_or(QList<GridAxis>());
    const bool other_algorithms =
        std::any_of(axes.begin(), axes.end(), [](const GridAxis& axis) { return axis.key == kAlgorithmKey; });
    for (const GridAxis& axis : axes) {
        if (keys.contains(axis.key))
            return translated(QT_TRANSLATE_NOOP("seedbed::ui::CustomizeView", "“%1” is in the grid twice"))
                .arg(axis.key);
        keys += axis.key;
        const FormField* field = form.field(axis.key);
        if (hasAmbiguousCommas(axis, field != nullptr && field->type == QLatin1String("real")))
            return translated(
                       QT_TRANSLATE_NOOP("seedbed::ui::CustomizeView",
                                         "Grid: are the commas in “%1” decimal separators? Separate values "
                                         "with semicolons: %2=0,001;0,01"))
                .arg(axis.values.join(QLatin1Char(',')), axis.key);
        // A different algorithm may have settings that this form does not contain.
        if (axis.key == kAlgorithmKey || (other_algorithms && !axis.key.startsWith(QLatin1String("run."))))
            continue;
        for (const QString& value : axis.values)
            if (const QString problem = form.problemWith(axis.key, value); !problem.isEmpty())
                return translated(QT_TRANSLATE_NOOP("seedbed::ui::CustomizeView", "Grid: %1")).arg(problem);
    }
    return {};
}

QString endlessProblem(const ConfigForm& form, const QString& grid) {
    const QList<GridAxis> axes = parseGrid(grid).value_or(QList<GridAxis>());
    QStringList names;
    for (const char* name : {"run.steps", "run.minutes", "run.target_return"}) {
        const QString key = QLatin1String(name);
        const FormField* field = form.field(key);
        if (field == nullptr) return {};
        const QStringList varied = valuesOf(axes, key);
        // The program chooses the steps itself if the form does not set them.
        if (key == QLatin1String("run.steps") && varied.isEmpty() && !field->changed()) return {};
        const auto has_no_limit = [&](const QString& value) {
            return std::any_of(field->special.begin(), field->special.end(), [&](const auto& special) {
                return value == special.first || value == special.second;
            });
        };
        const QStringList values = varied.isEmpty() ? QStringList{field->text} : varied;
        if (std::none_of(values.begin(), values.end(), has_no_limit)) return {};
        names += form.nameOf(key);
    }
    return translated(QT_TRANSLATE_NOOP("seedbed::ui::CustomizeView",
                                        "Without a limit, training would never stop. Set %1, %2 or %3."))
        .arg(names[0], names[1], names[2]);
}

QStringList valuesOf(const QList<GridAxis>& axes, const QString& key) {
    for (const GridAxis& axis : axes)
        if (axis.key == key) return axis.values;
    return {};
}

QString gridWith(const ConfigForm& form, const QString& grid, const QString& key, const QStringList& values) {
    auto axes = parseGrid(grid);
    if (!axes) return grid;
    const auto known =
        std::find_if(axes->begin(), axes->end(), [&](const GridAxis& axis) { return axis.key == key; });
    if (known == axes->end()) axes->push_back({key, values});
    else known->values = values;
    QStringList texts;
    for (GridAxis axis : *axes) {
        if (axis.values.isEmpty()) continue;
        if (axis.key == key) {
            axis.semicolons = false;
            axis.semicolons = !values.filter(QStringLiteral(",")).isEmpty() ||
                              hasAmbiguousCommas(axis, form.field(key) != nullptr &&
                                                           form.field(key)->type == QLatin1String("real"));
        }
        // A semicolon at the end marks a single value with commas.
        const QString end = axis.semicolons && axis.values.size() == 1 ? QStringLiteral(";") : QString();
        texts += axis.key + QLatin1Char('=') +
                 axis.values.join(axis.semicolons ? QLatin1Char(';') : QLatin1Char(',')) + end;
    }
    return texts.join(QLatin1Char(' '));
}

QStringList withoutVaried(const QStringList& arguments, const QStringList& grid) {
    QStringList kept;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const auto is_varied = [&](const QString& axis) {
            const QString key = axis.section(QLatin1Char('='), 0, 0);
            return arguments[i].startsWith(QStringLiteral("--%1=").arg(key)) ||
                   (key == kAlgorithmKey && arguments[i] == QLatin1String("--algo"));
        };
        if (std::none_of(grid.begin(), grid.end(), is_varied)) kept += arguments[i];
        else if (arguments[i] == QLatin1String("--algo")) ++i;
    }
    return kept;
}

QString runsText(const ConfigForm& form, const QString& grid, int seeds) {
    QStringList lines, factors;
    int runs = seeds;
    for (const GridAxis& axis : parseGrid(grid).value_or(QList<GridAxis>())) {
        const FormField* field = form.field(axis.key);
        QStringList shown = axis.values;
        if (field != nullptr)
            for (QString& value : shown) value = field->shown(value);
        const QString name = axis.key == kAlgorithmKey
                                 ? translated(QT_TRANSLATE_NOOP("seedbed::ui::CustomizeView", "Algorithm"))
                                 : form.nameOf(axis.key);
        lines += translated(QT_TRANSLATE_NOOP("seedbed::ui::CustomizeView", "%1: %2"))
                     .arg(name, shown.join(QStringLiteral(" | ")));
        const auto count = static_cast<int>(axis.values.size());
        if (count > 1)
            factors += QCoreApplication::translate("seedbed::ui::CustomizeView", "%n value(s)", "", count);
        runs *= count;
    }
    if (seeds > 1)
        factors += QCoreApplication::translate("seedbed::ui::CustomizeView", "%n seed(s)", "", seeds);
    const QString count = QCoreApplication::translate("seedbed::ui::CustomizeView", "%n run(s)", "", runs);
    lines += factors.isEmpty() ? count
                               : translated(QT_TRANSLATE_NOOP("seedbed::ui::CustomizeView", "%1 = %2"))
                                     .arg(factors.join(QStringLiteral(" × ")), count);
    return lines.join(QLatin1Char('\n'));
}

QStringList gridArguments(const ConfigForm& form, const QString& text) {
    QStringList arguments;
    for (const GridAxis& axis : parseGrid(text).value_or(QList<GridAxis>())) {
        const FormField* field = form.field(axis.key);
        QStringList values = axis.values;
        if (axis.semicolons && field != nullptr && !isNumber(field))
            for (QString& value : values) value = QLatin1Char('[') + value + QLatin1Char(']');
        else if (axis.semicolons) values.replaceInStrings(QStringLiteral(","), QStringLiteral("."));
        arguments << axis.key + QLatin1Char('=') + values.join(QLatin1Char(','));
    }
    return arguments;
}

}  // namespace seedbed::ui
