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
// An error message if no setting would end the training; "" otherwise.
QString endlessProblem(const ConfigForm& form, const QString& grid);
// The axes in the form that the command line accepts: values separated by commas, with decimal points, values
// with commas in brackets.
QStringList gridArguments(const ConfigForm& form, const QString& text);

// The setting that chooses the algorithm.
inline const QString kAlgorithmKey = QStringLiteral("algo.id");

// The values of a setting in a grid; empty if it is not varied.
QStringList valuesOf(const QList<GridAxis>& axes, const QString& key);
// The grid with these values of a setting, or without the setting if there are none. Unchanged if it cannot
// be parsed.
QString gridWith(const ConfigForm& form, const QString& grid, const QString& key, const QStringList& values);
// Arguments of the form without the settings of the grid, which the command line rejects in both places.
QStringList withoutVaried(const QStringList& arguments, const QStringList& grid);
// "Gamma: 0.98 | 0.99" for every varied setting, then "2 values × 5 seeds = 10 runs".
QString runsText(const ConfigForm& form, const QString& grid, int seeds);

// Number of seeds in "1..5" or "1,2,7"; 0 if the text is invalid.
int countSeeds(const QString& text);
// Number of combinations in "algo.gamma=0.9,0.99 run.threads=1,2"; 0 if the text is invalid.
int countGrid(const QString& text);

}  // namespace seedbed::ui
