// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/suggested_values.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QLocale>

#include "ui/models/config_form.hpp"

namespace seedbed::ui {
namespace {

constexpr int kMostSuggestions = 3;

double rounded(double value, int digits) {
    return QLocale::c().toDouble(QString::number(value, 'g', digits));
}

bool isPowerOfTwo(double value) { return value >= 8 && std::exp2(std::round(std::log2(value))) == value; }

// Rounds to two digits, powers of two to powers of two.
double scaled(double value, double factor, bool whole) {
    if (whole && isPowerOfTwo(value)) return std::exp2(std::round(std::log2(value * factor)));
    return whole ? std::round(rounded(value * factor, 2)) : rounded(value * factor, 2);
}

std::vector<double> near(const FormField& field, double value) {
    const bool whole = field.type == QLatin1String("integer");
    if (value == 0) return {};
    if (!whole && field.min >= 0 && field.max == 1) {
        if (value >= 0.9 && value < 1)
            return {1 - scaled(1 - value, 3, false), 1 - scaled(1 - value, 1. / 3, false)};
        if (value > 0.1) return {rounded(value - 0.1, 6), rounded(value + 0.1, 6)};
    }
    return {scaled(value, 1. / 3, whole), scaled(value, 3, whole)};
}

QString scaledItems(const QString& list, double factor) {
    QStringList items = list.split(QLatin1Char(','), Qt::SkipEmptyParts);
    for (QString& item : items) item = settingText(scaled(item.toDouble(), factor, item.toDouble() >= 8));
    return items.join(QLatin1Char(','));
}

}  // namespace

QStringList suggestedValues(const ConfigForm& form, const QString& key) {
    const FormField* field = form.field(key);
    if (field == nullptr || !field->choices.isEmpty() || field->type == QLatin1String("text") ||
        field->type == QLatin1String("boolean"))
        return {};
    QStringList found;
    const auto is_special = [&](const QString& text) {
        return std::any_of(field->special.begin(), field->special.end(),
                           [&](const auto& each) { return each.first == text; });
    };
    const auto offer = [&](const QString& text) {
        QString value = text;
        if (found.size() < kMostSuggestions && form.problemWith(key, text, &value).isEmpty() &&
            value != field->text && !value.isEmpty() && !found.contains(value) && !is_special(value))
            found += value;
    };
    if (field->type == QLatin1String("integer") || field->type == QLatin1String("real")) {
        if (!is_special(field->text))
            for (const double value : near(*field, field->text.toDouble()))
                offer(settingText(field->type == QLatin1String("real") ? rounded(value, 6) : value));
    } else {
        for (const double factor : {0.5, 2.}) offer(scaledItems(field->text, factor));
    }
    offer(field->preset_text);
    offer(field->default_text);
    return found;
}

}  // namespace seedbed::ui
