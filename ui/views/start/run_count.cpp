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

const QString kAlgorithm = QStringLiteral("algo.id");

QString translated(const char* text) {
    return QCoreApplication::translate("seedbed::ui::CustomizeView", text);
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
        std::any_of(axes.begin(), axes.end(), [](const GridAxis& axis) { return axis.key == kAlgorithm; });
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
        if (axis.key == kAlgorithm || (other_algorithms && !axis.key.startsWith(QLatin1String("run."))))
            continue;
        for (const QString& value : axis.values)
            if (const QString problem = form.problemWith(axis.key, value); !problem.isEmpty())
                return translated(QT_TRANSLATE_NOOP("seedbed::ui::CustomizeView", "Grid: %1")).arg(problem);
    }
    return {};
}

QString withSetting(const QString& grid, const FormField& field) {
    const QString axis = field.key + QLatin1Char('=');
    if (grid.startsWith(axis) || grid.contains(QLatin1Char(' ') + axis)) return grid;
    const QString end = field.text.contains(QLatin1Char(',')) ? QStringLiteral(";") : QString();
    return (grid.isEmpty() ? grid : grid + QLatin1Char(' ')) + axis + field.text + end;
}

QStringList gridArguments(const ConfigForm& form, const QString& text) {
    QStringList arguments;
    for (const GridAxis& axis : parseGrid(text).value_or(QList<GridAxis>())) {
        const FormField* field = form.field(axis.key);
        const bool lists = field != nullptr && (field->type == QLatin1String("integers") ||
                                                field->type == QLatin1String("reals"));
        QStringList values = axis.values;
        if (axis.semicolons && lists)
            for (QString& value : values) value = QLatin1Char('[') + value + QLatin1Char(']');
        else if (axis.semicolons) values.replaceInStrings(QStringLiteral(","), QStringLiteral("."));
        arguments << axis.key + QLatin1Char('=') + values.join(QLatin1Char(','));
    }
    return arguments;
}

}  // namespace seedbed::ui
