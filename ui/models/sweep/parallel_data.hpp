// SPDX-License-Identifier: GPL-3.0-or-later
// Compared runs as lines over parallel axes: one per setting that differs, and the score. Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/store/store_reader.hpp"

namespace seedbed::ui {

struct CompareData;

struct ParallelAxis {
    enum class Scale : std::uint8_t { linear, logarithmic, categories };
    QString field;  // dotted; "" for the score
    QString title;
    Scale scale = Scale::linear;
    double low = 0, high = 0;  // smallest and largest value
    QStringList categories;    // from bottom to top

    // Place of a number: 0 at the bottom, 1 at the top.
    double placeOf(double value) const;
    // The value at a place, as displayed.
    QString textAt(double place) const;
};

struct ParallelLine {
    RunId run = 0;
    QString name;
    std::vector<double> places;  // per axis; NaN if the run has no value
    QStringList texts;           // "–" if the run has no value

    double score() const { return places.back(); }  // place of the score
};

struct ParallelData {
    std::vector<ParallelAxis> axes;   // the last one is the score; empty if no setting differs
    std::vector<ParallelLine> lines;  // in the order of the runs
    int more_settings = 0;            // number of settings that differ and are not shown
};

inline constexpr std::size_t kMaxParallelAxes = 20;  // of settings

// Numbers are on a linear axis, or on a logarithmic one if all are positive and span a decade or more; words,
// lists and truth values are categories.
ParallelData parallelData(const CompareData& data);

}  // namespace seedbed::ui
