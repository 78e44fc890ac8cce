// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/charts/chart_controls.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSlider>

#include "ui/models/settings.hpp"
#include "ui/models/text/number_input.hpp"
#include "ui/models/text/number_text.hpp"
#include "ui/views/flow_layout.hpp"
#include "ui/views/style/tokens.hpp"

namespace seedbed::ui {
namespace {

constexpr std::array kSmoothings{Smoothing::none,
                                 Smoothing::time_weighted_ema,
                                 Smoothing::tensorboard_ema,
                                 Smoothing::gaussian,
                                 Smoothing::mean,
                                 Smoothing::median};
constexpr int kPositions = 100;
// The slider covers widths from 10^kLow to 10^kHigh units of x.
constexpr double kLow = -1, kHigh = 8;
constexpr double kDefaultShare = 0.01;  // share of the length of the curves
constexpr double kOpen = std::numeric_limits<double>::infinity();

// Keeps the text as typed if it already has this value.
void showEnd(QLineEdit& edit, double value) {
    if (!std::isfinite(value)) return edit.clear();
    if (numberFromText(edit.text()) != value)
        edit.setText(QLocale().toString(value, 'g', QLocale::FloatingPointShortest));
}

}  // namespace

ChartControls::ChartControls(Settings* settings, QString settings_key, bool with_bands, QWidget* parent)
    : QWidget(parent), settings_(settings), key_(std::move(settings_key)) {
    auto* flow = new FlowLayout(this);
    // Controls of a group stay on one line.
    QHBoxLayout* row = nullptr;
    const auto group = [&] {
        auto* box = new QWidget(this);
        row = new QHBoxLayout(box);
        row->setContentsMargins(0, 0, 0, 0);
        flow->addWidget(box);
    };
    const auto labelled = [&](const QString& text, QWidget* widget) {
        auto* label = new QLabel(text, this);
        label->setBuddy(widget);
        widget->setAccessibleName(QString(text).remove(QLatin1Char('&')));
        row->addWidget(label);
        row->addWidget(widget);
    };
    group();
    axis_ = new QComboBox(this);
    for (const XAxis axis : kXAxes) axis_->addItem(titleOf(axis), static_cast<int>(axis));
    axis_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    labelled(tr("&X axis"), axis_);
    const auto check = [&](const QString& text) {
        auto* box = new QCheckBox(text, this);
        row->addWidget(box);
        connect(box, &QCheckBox::toggled, this, &ChartControls::chosen);
        return box;
    };
    group();
    log_x_ = check(tr("Log x"));
    log_y_ = check(tr("Log y"));
    bands_ = check(tr("95 % bands"));
    bands_->setVisible(with_bands);
    group();
    smoothing_ = new QComboBox(this);
    for (const QString& name : {tr("None"), tr("EMA (time-weighted)"), tr("EMA (TensorBoard)"),
                                tr("Gaussian"), tr("Running mean"), tr("Running median")})
        smoothing_->addItem(name);
    smoothing_->setToolTip(
        tr("Smoothing uses all points regardless of zoom; the raw line is shown behind the smoothed one"));
    smoothing_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    labelled(tr("S&moothing"), smoothing_);
    amount_ = new QSlider(Qt::Horizontal, this);
    amount_->setRange(0, kPositions);
    amount_->setFixedWidth(100);
    amount_->setAccessibleName(tr("Amount of smoothing"));
    row->addWidget(amount_);
    amount_text_ = new QLabel(this);
    amount_text_->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("over 000k steps")));
    row->addWidget(amount_text_);
    group();
    const auto bound = [&](const QString& text, const QString& name) {
        auto* edit = new QLineEdit(this);
        labelled(text, edit);
        edit->setAccessibleName(name);
        edit->setPlaceholderText(tr("all"));
        edit->setClearButtonEnabled(true);
        edit->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("00.00M")) + 42);
        connect(edit, &QLineEdit::editingFinished, this, &ChartControls::filterTyped);
        // Clearing a field has an effect without pressing Enter.
        connect(edit, &QLineEdit::textChanged, this, [this](const QString& now) {
            if (now.isEmpty()) filterTyped();
        });
        return edit;
    };
    from_ = bound(tr("&From"), tr("Smallest x of the included points"));
    to_ = bound(tr("t&o"), tr("Largest x of the included points"));
    explainFilter();
    restoreOptions();
    show(options_);
    connect(axis_, &QComboBox::currentIndexChanged, this, &ChartControls::chosen);
    connect(smoothing_, &QComboBox::currentIndexChanged, this, &ChartControls::chosen);
    connect(amount_, &QSlider::valueChanged, this, &ChartControls::chosen);
}

void ChartControls::restoreOptions() {
    if (settings_ != nullptr) {
        remembered_ = settings_->value(key_ + QStringLiteral("/smoothing")).isValid();
        options_.x = static_cast<XAxis>(std::clamp(settings_->value(key_ + QStringLiteral("/x"), 0).toInt(),
                                                   0, static_cast<int>(kXAxes.size()) - 1));
        options_.smoothing.kind = static_cast<Smoothing>(std::clamp(
            settings_
                ->value(key_ + QStringLiteral("/smoothing"), static_cast<int>(Smoothing::time_weighted_ema))
                .toInt(),
            0, static_cast<int>(kSmoothings.size()) - 1));
        options_.smoothing.amount = settings_->value(key_ + QStringLiteral("/amount"), 1000.0).toDouble();
        options_.bands = settings_->value(key_ + QStringLiteral("/bands"), true).toBool();
    } else {
        options_.smoothing = {Smoothing::time_weighted_ema, 1000};
    }
}

void ChartControls::addNote(QWidget* note) { layout()->addWidget(note); }

double ChartControls::amountAt(int position) const {
    const double share = static_cast<double>(position) / kPositions;
    if (options_.smoothing.kind == Smoothing::tensorboard_ema) return 1 - std::pow(10, -3 * share);
    // Rounds to two digits, so that the label shows the exact value.
    const double amount = std::pow(10, kLow + (kHigh - kLow) * share),
                 unit = std::pow(10, std::floor(std::log10(amount)) - 1);
    return std::round(amount / unit) * unit;
}

int ChartControls::positionOf(double amount) const {
    double share = 0;
    if (options_.smoothing.kind == Smoothing::tensorboard_ema)
        share = amount < 1 ? -std::log10(1 - amount) / 3 : 1;
    else share = amount > 0 ? (std::log10(amount) - kLow) / (kHigh - kLow) : 0;
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kPositions));
}

void ChartControls::describeAmount() {
    const SmoothingSpec& spec = options_.smoothing;
    amount_->setEnabled(spec.kind != Smoothing::none);
    if (spec.kind == Smoothing::none) {
        amount_text_->clear();
    } else if (share_ && hasWidth()) {
        amount_text_->setText(
            QStringLiteral("…"));  // shown in the unit of the new axis once its length is known
    } else if (spec.kind == Smoothing::tensorboard_ema) {
        amount_text_->setText(shortNumber(spec.amount));
    } else {
        const bool time = options_.x == XAxis::wall_time || options_.x == XAxis::train_time;
        amount_text_->setText(
            time                           ? tr("over %1").arg(durationText(spec.amount))
            : options_.x == XAxis::steps   ? tr("over %1 steps").arg(compactCount(spec.amount))
            : options_.x == XAxis::updates ? tr("over %1 updates").arg(compactCount(spec.amount))
                                           : tr("over %1 episodes").arg(compactCount(spec.amount)));
    }
    amount_->setToolTip(amount_text_->text());
}

// Applies both fields; invalid input is marked and ignored.
void ChartControls::filterTyped() {
    if (showing_) return;
    std::pair<double, double> range{-kOpen, kOpen};
    bool valid = true;
    for (const auto& [edit, end] : {std::pair{from_, &range.first}, std::pair{to_, &range.second}}) {
        if (edit->text().trimmed().isEmpty()) continue;
        const auto number = numberFromText(edit->text());
        valid = valid && number.has_value();
        *end = number.value_or(*end);
    }
    valid = valid && range.first <= range.second;
    QPalette colours;
    if (!valid) colours.setColor(QPalette::Text, tokens().bad);
    for (QLineEdit* edit : {from_, to_}) {
        edit->setPalette(colours);
        if (!valid)
            edit->setToolTip(
                tr("Enter two numbers, the smaller one first, such as 20k and 1.5M. The range was not "
                   "changed."));
        edit->setAccessibleDescription(edit->toolTip());
    }
    if (!valid) return;
    const bool open = from_->text().trimmed().isEmpty() && to_->text().trimmed().isEmpty();
    const auto filter = open ? std::nullopt : std::optional(range);
    explainFilter();
    if (filter == options_.filter) return;
    options_.filter = filter;
    Q_EMIT changed(options_);
}

void ChartControls::explainFilter() {
    for (QLineEdit* edit : {from_, to_}) {
        edit->setToolTip(
            tr("Only points in this range of the x axis are used for curves, smoothing, bands, tables and "
               "files, unlike when zooming. Enter numbers such as 20k, 1.5M or 1e6; on time axes also 90 s, "
               "5 min, 2 h."));
        edit->setAccessibleDescription(edit->toolTip());
    }
}

void ChartControls::show(const ChartOptions& options) {
    showing_ = true;
    options_ = options;
    axis_->setCurrentIndex(static_cast<int>(options.x));
    smoothing_->setCurrentIndex(static_cast<int>(options.smoothing.kind));
    amount_->setValue(positionOf(options.smoothing.amount));
    log_x_->setChecked(options.log_x);
    log_y_->setChecked(options.log_y);
    bands_->setChecked(options.bands);
    describeAmount();
    showEnd(*from_, options.filter ? options.filter->first : kOpen);
    showEnd(*to_, options.filter ? options.filter->second : kOpen);
    showing_ = false;
}

void ChartControls::setOptions(const ChartOptions& options) {
    show(options);
    Q_EMIT changed(options_);
}

void ChartControls::proposeFor(double steps) {
    if (remembered_ || !(steps > 0)) return;
    remembered_ = true;
    ChartOptions options = options_;
    // Along other axes the length is known only after the curves have been read.
    if (options.x == XAxis::steps) options.smoothing.amount = amountAt(positionOf(steps * kDefaultShare));
    else share_ = kDefaultShare;
    setOptions(options);
}

void ChartControls::chosen() {
    if (showing_) return;
    const bool other_unit = static_cast<int>(options_.smoothing.kind) != smoothing_->currentIndex() &&
                            (options_.smoothing.kind == Smoothing::tensorboard_ema) !=
                                (smoothing_->currentIndex() == static_cast<int>(Smoothing::tensorboard_ema));
    if (const auto axis = static_cast<XAxis>(axis_->currentIndex()); axis != options_.x) {
        // Widths and bounds now have a different unit.
        if (!share_)
            share_ = length_ && length_->first == options_.x ? options_.smoothing.amount / length_->second
                                                             : kDefaultShare;
        if (!hasWidth()) share_.reset();
        options_.x = axis;
        options_.filter.reset();
        showing_ = true;
        from_->clear();
        to_->clear();
        showing_ = false;
    }
    options_.smoothing.kind = static_cast<Smoothing>(smoothing_->currentIndex());
    if (other_unit) {
        // The slider now has a different unit.
        showing_ = true;
        amount_->setValue(positionOf(options_.smoothing.kind == Smoothing::tensorboard_ema ? 0.9 : 1000));
        showing_ = false;
    }
    // The user's choice is kept, even before the curves along the new axis are read.
    if (sender() == amount_ || other_unit) share_.reset();
    if (!share_) options_.smoothing.amount = amountAt(amount_->value());
    options_.log_x = log_x_->isChecked();
    options_.log_y = log_y_->isChecked();
    options_.bands = bands_->isChecked();
    describeAmount();
    remember();
    Q_EMIT changed(options_);
}

void ChartControls::remember() {
    if (settings_ == nullptr) return;
    settings_->setValue(key_ + QStringLiteral("/x"), static_cast<int>(options_.x));
    settings_->setValue(key_ + QStringLiteral("/smoothing"), static_cast<int>(options_.smoothing.kind));
    settings_->setValue(key_ + QStringLiteral("/amount"), options_.smoothing.amount);
    settings_->setValue(key_ + QStringLiteral("/bands"), options_.bands);
    remembered_ = true;
}

bool ChartControls::hasWidth() const {
    return options_.smoothing.kind != Smoothing::none &&
           options_.smoothing.kind != Smoothing::tensorboard_ema;
}

void ChartControls::setLength(XAxis axis, double length) {
    if (!(length > 0)) return;
    length_ = std::pair(axis, length);
    if (!share_ || axis != options_.x) return;
    const double share = *std::exchange(share_, std::nullopt);
    if (!hasWidth()) return;
    ChartOptions options = options_;
    options.smoothing.amount = amountAt(positionOf(share * length));
    show(options);
    remember();
    Q_EMIT changed(options_);
}

}  // namespace seedbed::ui
