// SPDX-License-Identifier: GPL-3.0-or-later
// The text above the run table as a condition on runs: words, and field:value.
#pragma once

#include <vector>

#include <QString>

#include "core/store/records.hpp"

namespace seedbed::ui {

// Everything a bare word looks for, in lower case: name, environment, algorithm, status, tags, notes, seed and id.
QString searchTextOf(const RunRecord& run);

// All words must match. A word is looked for in the search text; `env:`, `algo:`, `status:`, `tag:`, `name:`, `notes:`, `seed:`, `id:` look
// at one field only; `is:star`, `is:live` at marks; "-" before a word means "not"; quotes keep words together.
class RunFilter {
public:
    RunFilter() = default;
    explicit RunFilter(const QString& text);

    bool empty() const { return terms_.empty(); }
    bool accepts(const RunRecord& run, const QString& search_text) const;

private:
    enum class Field : std::uint8_t { any, name, env, algo, status, tag, notes, seed, id, mark };
    struct Term {
        Field field = Field::any;
        bool negated = false;
        QString text;  // lower case
    };
    static bool matches(const Term& term, const RunRecord& run, const QString& search_text);

    std::vector<Term> terms_;
};

}  // namespace seedbed::ui
