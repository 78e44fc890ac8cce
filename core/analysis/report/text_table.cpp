// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/report/text_table.hpp"

#include "core/base/text.hpp"

namespace seedbed {
namespace {

std::string csv(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string out = "\"";
    for (const char letter : text) out += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    return out + "\"";
}

std::string markdown(const std::string& text) {
    std::string out;
    for (const char letter : text) {
        if (letter == '|') out += '\\';
        out += letter == '\n' ? ' ' : letter;
    }
    return out;
}

std::string latex(const std::string& text) {
    std::string out;
    for (const char letter : text) {
        switch (letter) {
            case '&':
            case '%':
            case '$':
            case '#':
            case '_':
            case '{':
            case '}': out += std::string("\\") + letter; break;
            case '~': out += "\\textasciitilde{}"; break;
            case '^': out += "\\textasciicircum{}"; break;
            case '\\': out += "\\textbackslash{}"; break;
            case '<': out += "$<$"; break;
            case '>': out += "$>$"; break;
            case '|': out += "\\textbar{}"; break;
            case '\n': out += ' '; break;
            default: out += letter;
        }
    }
    // A number below zero has a minus sign, not a hyphen.
    return out.starts_with("-") && parseNumber(text) ? "$" + out + "$" : out;
}

template <class Cell>
std::string line(const std::vector<std::string>& row, const char* begin, const char* between, const char* end,
                 Cell cell) {
    std::vector<std::string> cells;
    cells.reserve(row.size());
    for (const std::string& text : row) cells.push_back(cell(text));
    return begin + join(cells, between) + end;
}

}  // namespace

std::optional<TableFormat> tableFormat(const std::string& name) {
    if (name == "csv") return TableFormat::csv;
    if (name == "markdown") return TableFormat::markdown;
    if (name == "latex") return TableFormat::latex;
    return std::nullopt;
}

std::string tableText(const std::vector<std::vector<std::string>>& rows, TableFormat format) {
    std::string out;
    const std::size_t columns = rows.empty() ? 0 : rows.front().size();
    if (format == TableFormat::latex && columns > 0)
        out = "\\begin{tabular}{l" + std::string(columns - 1, 'r') + "}\n\\toprule\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (format == TableFormat::csv) out += line(rows[i], "", ",", "\n", csv);
        if (format == TableFormat::markdown) out += line(rows[i], "| ", " | ", " |\n", markdown);
        if (format == TableFormat::latex) {
            const std::string row = line(rows[i], "", " & ", " \\\\\n", latex);
            out += row.starts_with("[") ? "{[}" + row.substr(1)
                                        : row;  // otherwise an argument of the line above
        }
        if (i > 0) continue;
        if (format == TableFormat::latex) out += "\\midrule\n";
        if (format == TableFormat::markdown)
            out += line(std::vector<std::string>(columns), "| ", " | ", " |\n",
                        [](const std::string&) { return std::string("---"); });
    }
    if (format == TableFormat::latex) out += "\\bottomrule\n\\end{tabular}\n";
    return out;
}

}  // namespace seedbed
