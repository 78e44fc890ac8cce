// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text/number_input.hpp"

#include <array>
#include <cmath>
#include <utility>

#include <QLocale>

namespace seedbed::ui {

std::optional<double> numberFromText(const QString& text) {
    // Case matters: "M" is million, "min" minutes.
    static constexpr std::array<std::pair<const char*, double>, 8> kUnits{
        {{"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"min", 60}, {"s", 1}, {"h", 3600}, {"d", 86400}, {"", 1}}};
    const QString whole = text.trimmed();
    for (const auto& [unit, factor] : kUnits) {
        if (!whole.endsWith(QLatin1String(unit))) continue;
        const QString number =
            whole.chopped(static_cast<qsizetype>(std::char_traits<char>::length(unit))).trimmed();
        bool valid = false;
        double value = QLocale().toDouble(number, &valid);
        if (!valid) value = QLocale::c().toDouble(number, &valid);
        if (valid && std::isfinite(value * factor)) return value * factor;
    }
    return std::nullopt;
}

}  // namespace seedbed::ui
