// SPDX-License-Identifier: GPL-3.0-or-later
// The text above the run table as a condition on runs: words, and field:value.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/store/records.hpp"

namespace seedbed::ui {

// Everything a bare word looks for, in lower case: name, environment, algorithm, status, tags, notes, seed
// and id.
QString searchTextOf(const RunRecord& run);

// All words must match. A word is looked for in the search text; `env:`, `algo:`, `status:`, `tag:`, `name:`,
// `notes:`, `seed:`, `id:` look at one field only; `is:star`, `is:live` at marks; "-" before a word means
// "not"; quotes keep words together.
class RunFilter {
public:
    RunFilter() = default;
    explicit RunFilter(const QString& text);

    bool empty() const { return terms_.empty(); }
    // Words before a colon that name no field: "colour" of "colour:red". Such words are looked for as they
    // stand.
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
