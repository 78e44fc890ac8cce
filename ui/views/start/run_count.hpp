// SPDX-License-Identifier: GPL-3.0-or-later
// Seeds and grid of the form: parsing, checks, and the number of runs they give.
#pragma once

#include <optional>

#include <QList>
#include <QString>
#include <QStringList>

namespace seedbed::ui {

class ConfigForm;
struct FormField;

// One setting of a grid and its values. Values separated by semicolons may have decimal commas.
struct GridAxis {
    QString key;
    QStringList values;
    bool semicolons = false;
};

// Parses axes separated by spaces: "algo.gamma=0.9,0.99 run.threads=1;2". nullopt if the text is invalid.
std::optional<QList<GridAxis>> parseGrid(const QString& text);
// Whether commas in the axis could be meant as decimal separators: "0,001,0,01", or "1,5" for a real number
// if the locale writes 1.5 that way.
bool hasAmbiguousCommas(const GridAxis& axis, bool real);

// An error message about keys and values of the grid; "" if they are valid or the form is not loaded.
QString gridProblem(const ConfigForm& form, const QString& text);
// The axes in the form that the command line accepts: values separated by commas, with decimal points, lists
// in brackets.
QStringList gridArguments(const ConfigForm& form, const QString& text);

// The grid with a setting and its value added; unchanged if it contains the setting. A list is followed by a
// semicolon, since its commas do not separate values of the grid.
QString withSetting(const QString& grid, const FormField& field);

// Number of seeds in "1..5" or "1,2,7"; 0 if the text is invalid.
int countSeeds(const QString& text);
// Number of combinations in "algo.gamma=0.9,0.99 run.threads=1,2"; 0 if the text is invalid.
int countGrid(const QString& text);

}  // namespace seedbed::ui
