// SPDX-License-Identifier: GPL-3.0-or-later
// What several charts have in common, in one row or as many as it takes: x axis, smoothing, logarithmic axes,
// bands, and which stretch of x takes part at all.
#pragma once

#include <QWidget>

#include "ui/models/chart_model.hpp"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSlider;

namespace seedbed::ui {

class Settings;

class ChartControls : public QWidget {
    Q_OBJECT
public:
    // What was chosen is kept in the settings under `settings_key`; null forgets it.
    ChartControls(Settings* settings, QString settings_key, bool with_bands, QWidget* parent = nullptr);

    // At the end of the row, where there is room.
    void addNote(QWidget* note);
    const ChartOptions& options() const { return options_; }
    void setOptions(const ChartOptions& options);
    // A width for smoothing that fits runs of this many steps, unless the user has chosen one before.
    void proposeFor(double steps);
    // How long the shown curves are along their x axis, which is `axis`; told whenever they were read. When
    // the axis changes, the width of smoothing stays the same share of that length, in the unit of the new
    // axis; the default, where nothing was shown, is a hundredth.
    void setLength(XAxis axis, double length);

Q_SIGNALS:
    void changed(const seedbed::ui::ChartOptions& options);

private:
    void show(const ChartOptions& options);
    void chosen();
    double amountAt(int position) const;
    int positionOf(double amount) const;
    void describeAmount();
    void filterTyped();
    void explainFilter();
    bool hasWidth() const;
    void remember();

    Settings* settings_;
    QString key_;
    ChartOptions options_;
    std::optional<std::pair<XAxis, double>> length_;  // of what is shown
    std::optional<double> share_;  // that the width is to be of the length along an axis that is not read yet
    bool remembered_ = false, showing_ = false;
    QComboBox *axis_, *smoothing_;
    QSlider* amount_;
    QLabel* amount_text_;
    QCheckBox *log_x_, *log_y_, *bands_;
    QLineEdit *from_, *to_;
};

}  // namespace seedbed::ui
