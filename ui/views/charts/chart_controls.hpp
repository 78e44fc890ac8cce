// SPDX-License-Identifier: GPL-3.0-or-later
// Controls shared by several charts: x axis, smoothing, logarithmic axes, bands, and the range of x. Wraps
// into several rows in narrow windows.
#pragma once

#include <QWidget>

#include "ui/models/charts/chart_model.hpp"

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
    // The choices are saved in the settings under `settings_key`; if `settings` is null, they are not saved.
    ChartControls(Settings* settings, QString settings_key, bool with_bands, QWidget* parent = nullptr);

    // Adds a widget at the end of the row.
    void addNote(QWidget* note);
    const ChartOptions& options() const { return options_; }
    void setOptions(const ChartOptions& options);
    // Selects a smoothing width for runs of this many steps, unless the user has selected one before.
    void proposeFor(double steps);
    // Call after curves have been read along `axis`. After a change of axis the smoothing width keeps its
    // share of the length (1 % if nothing was shown), converted to the unit of the new axis.
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
    void restoreOptions();
    bool hasWidth() const;
    void remember();

    Settings* settings_;
    QString key_;
    ChartOptions options_;
    std::optional<std::pair<XAxis, double>> length_;  // axis and length of the displayed curves
    std::optional<double> share_;  // new width as a share of the length, until the curves along the new axis
                                   // are read
    bool remembered_ = false, showing_ = false;
    QComboBox *axis_, *smoothing_;
    QSlider* amount_;
    QLabel* amount_text_;
    QCheckBox *log_x_, *log_y_, *bands_;
    QLineEdit *from_, *to_;
};

}  // namespace seedbed::ui
