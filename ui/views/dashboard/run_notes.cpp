// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dashboard/run_notes.hpp"

#include <algorithm>
#include <array>

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/text/core_text.hpp"
#include "ui/views/dashboard/bottleneck_strip.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"

namespace seedbed::ui {
namespace {

QVBoxLayout* noteColumn(QWidget* card) {
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(16, 12, 16, 14);
    column->setSpacing(8);
    return column;
}

QLabel* noteTitle(const QString& text, QWidget* card) {
    auto* title = new QLabel(text, card);
    title->setFont(textFont(TextSize::body, QFont::DemiBold));
    return title;
}

QLabel* noteText(const Theme& theme, QWidget* card) {
    auto* text = new QLabel(card);
    text->setTextFormat(Qt::PlainText);
    text->setWordWrap(true);
    setTextColour(text, theme, TextColour::quiet);
    return text;
}

QString timeSentence(const TimeShares& shares) {
    const std::array<std::pair<double, QString>, 4> parts{
        {{shares.learning, TimeCard::tr("learning")},
         {shares.env, TimeCard::tr("the environments")},
         {shares.inference, TimeCard::tr("choosing actions")},
         {shares.waiting, TimeCard::tr("waiting for other threads")}}};
    const auto most = std::max_element(parts.begin(), parts.end(),
                                       [](const auto& a, const auto& b) { return a.first < b.first; });
    return most->first >= 0.5 ? TimeCard::tr("Most of the time goes into %1.").arg(most->second)
                              : TimeCard::tr("The largest part goes into %1.").arg(most->second);
}

}  // namespace

RunVerdictStrip::RunVerdictStrip(const Theme& theme, QWidget* parent) : Card(parent), theme_(theme) {
    setObjectName(QStringLiteral("run-verdict"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 8, 12, 8);
    text_ = new QLabel(this);
    text_->setObjectName(QStringLiteral("run-problem"));
    makeMessage(text_, theme_, TextColour::plain);
    row->addWidget(text_, 1);
    const auto button = [&](const QString& text, const char* name) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(QLatin1String(name));
        row->addWidget(made, 0, Qt::AlignTop);
        return made;
    };
    moment_ = button(tr("Watch the &moment"), "verdict-moment");
    moment_->setToolTip(tr("Watch the agent with the weights of the checkpoint nearest to this step"));
    longer_ = button(tr("Train longer…"), "verdict-longer");
    diagnose_ = button(tr("What is wrong?"), "verdict-diagnose");
    diagnose_->setToolTip(tr("What the training doctor found in the metrics of this run"));
    connect(moment_, &QPushButton::clicked, this,
            [this] { Q_EMIT momentRequested(verdict_.step.value_or(0)); });
    connect(longer_, &QPushButton::clicked, this, &RunVerdictStrip::longerRequested);
    connect(diagnose_, &QPushButton::clicked, this, &RunVerdictStrip::diagnosisRequested);
    setVerdict({});
}

void RunVerdictStrip::setVerdict(const RunVerdict& verdict) {
    using Kind = RunVerdict::Kind;
    verdict_ = verdict;
    const Kind kind = verdict.kind;
    setTone(kind == Kind::solved                                ? Tone::good
            : kind == Kind::failed                              ? Tone::bad
            : kind == Kind::missed || kind == Kind::interrupted ? Tone::warning
                                                                : Tone::plain);
    setTextColour(text_, theme_,
                  kind == Kind::solved   ? TextColour::good
                  : kind == Kind::failed ? TextColour::bad
                                         : TextColour::warning);
    moment_->setVisible(kind == Kind::solved);
    longer_->setVisible(kind == Kind::missed && !verdict.like_random);
    diagnose_->setVisible(verdict.like_random);
    showMessage(text_, verdict.text);
    setVisible(!verdict.text.isEmpty());
}

TimeCard::TimeCard(const Theme& theme, QWidget* parent) : Card(parent) {
    QVBoxLayout* column = noteColumn(this);
    column->addWidget(noteTitle(tr("Where the time goes"), this));
    strip_ = new BottleneckStrip(theme, this);
    column->addWidget(strip_);
    text_ = noteText(theme, this);
    column->addWidget(text_);
    column->addStretch(1);
    setShares(std::nullopt);
}

void TimeCard::setShares(const std::optional<TimeShares>& shares) {
    strip_->setShares(shares);
    text_->setText(shares ? timeSentence(*shares) : tr("Measured with the first updates."));
}

DoctorCard::DoctorCard(const Theme& theme, QWidget* parent) : Card(parent) {
    QVBoxLayout* column = noteColumn(this);
    auto* row = new QHBoxLayout();
    row->addWidget(noteTitle(tr("Doctor"), this));
    chip_ = new Chip(this);
    chip_->setAccessibleName(tr("Result of the training doctor"));
    row->addWidget(chip_);
    healthy_ = noteText(theme, this);
    healthy_->setWordWrap(false);
    healthy_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(healthy_, 1);
    details_ = new QPushButton(tr("&Details"), this);
    details_->setObjectName(QStringLiteral("doctor-details"));
    setKind(details_, ButtonKind::quiet);
    connect(details_, &QPushButton::clicked, this, &DoctorCard::detailsRequested);
    row->addWidget(details_);
    column->addLayout(row);
    text_ = noteText(theme, this);
    column->addWidget(text_);
    setReport(nullptr);
}

void DoctorCard::setReport(const RunReport* report) {
    const bool examined = report != nullptr && report->examined;
    const auto count = examined ? report->findings.size() : 0;
    details_->setVisible(count > 0);
    text_->setVisible(count > 0);
    healthy_->setText(examined && count == 0 ? tr("Nothing to change.") : QString());
    chip_->setToolTip(examined ? tr("What the training doctor found in the metrics of this run")
                               : tr("The training doctor reads the metrics of this run."));
    if (count == 0) {
        chip_->setText(examined ? tr("healthy") : tr("examining"));
        chip_->setTone(examined ? Tone::good : Tone::plain);
        return;
    }
    // The first finding is the most important one.
    const Finding& first = report->findings.front();
    chip_->setText(tr("%n finding(s)", "", static_cast<int>(count)));
    chip_->setTone(first.severity == Finding::Severity::problem   ? Tone::bad
                   : first.severity == Finding::Severity::warning ? Tone::warning
                                                                  : Tone::plain);
    QString title = coreText(first.title);
    if (title.endsWith(QLatin1Char('.'))) title.chop(1);
    text_->setText(first.remedy.empty() ? title : tr("%1. Try: %2").arg(title, coreText(first.remedy)));
}

}  // namespace seedbed::ui
