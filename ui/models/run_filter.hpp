// SPDX-License-Identifier: GPL-3.0-or-later
// The filter of the run table: words and field:value terms.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/store/records.hpp"

namespace seedbed::ui {

// The lower-case text that plain words are searched in: name, environment, algorithm, status, tags, notes,
// seed and id.
QString searchTextOf(const RunRecord& run);

// All terms must match. Plain words match the search text. `env:`, `algo:`, `status:`, `tag:`, `name:`,
// `notes:`, `seed:` and `id:` match one field; `is:star` and `is:live` match flags; a leading "-" negates;
// quotes keep words together.
class RunFilter {
public:
    RunFilter() = default;
    explicit RunFilter(const QString& text);

    bool empty() const { return terms_.empty(); }
    // Unknown field names before a colon: "colour" in "colour:red". Such terms are searched as plain words.
    const QStringList& unknownFields() const { return unknown_; }
    static QString fieldNames();
    bool accepts(const RunRecord& run, const QString& search_text) const;

private:
    enum class Field : std::uint8_t { any, name, env, algo, status, tag, notes, seed, id, mark };
    struct Term {
        Field field = Field::any;
        bool negated = false;
        QString text;  // lower case
    };
    static const std::array<std::pair<QLatin1String, Field>, 9> kFields;
    static bool matches(const Term& term, const RunRecord& run, const QString& search_text);

    std::vector<Term> terms_;
    QStringList unknown_;
};

}  // namespace seedbed::ui
