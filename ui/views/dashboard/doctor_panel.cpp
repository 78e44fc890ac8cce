// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/dashboard/doctor_panel.hpp"

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/text/core_text.hpp"
#include "ui/views/style/card.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/text_colour.hpp"

namespace seedbed::ui {
namespace {

QString severityText(Finding::Severity severity) {
    switch (severity) {
        case Finding::Severity::problem: return DoctorPanel::tr("Problem");
        case Finding::Severity::warning: return DoctorPanel::tr("Warning");
        case Finding::Severity::note: return DoctorPanel::tr("Note");
    }
    return {};
}

QLabel* paragraph(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

}  // namespace

DoctorPanel::DoctorPanel(const Theme& theme, QWidget* parent) : QScrollArea(parent), theme_(theme) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Training doctor"));
    setReport(nullptr);
}

QWidget* DoctorPanel::makeFinding(const Finding& finding, const Json& config, QWidget* parent) {
    auto* frame = new Card(parent);
    frame->setTone(finding.severity == Finding::Severity::problem   ? Tone::bad
                   : finding.severity == Finding::Severity::warning ? Tone::warning
                                                                    : Tone::plain);
    auto* box = new QVBoxLayout(frame);
    auto* title =
        paragraph(severityText(finding.severity) + QStringLiteral(": ") + coreText(finding.title), frame);
    title->setFont(textFont(TextSize::body, QFont::DemiBold));
    setTextColour(title, theme_,
                  finding.severity == Finding::Severity::problem   ? TextColour::bad
                  : finding.severity == Finding::Severity::warning ? TextColour::warning
                                                                   : TextColour::plain);
    box->addWidget(title);
    evidence_.push_back(paragraph(tr("Evidence: %1").arg(coreText(finding.evidence)), frame));
    box->addWidget(evidence_.back());
    box->addWidget(paragraph(tr("Likely cause: %1").arg(coreText(finding.cause)), frame));
    if (!finding.remedy.empty())
        box->addWidget(paragraph(tr("Try: %1").arg(coreText(finding.remedy)), frame));
    if (!finding.settings.empty()) {
        auto* difference = paragraph(proposedChangeText(config, finding), frame);
        QFont fixed(QStringLiteral("monospace"));
        fixed.setStyleHint(QFont::Monospace);
        difference->setFont(fixed);
        box->addWidget(difference);
    }
    // The form cannot resume runs, only start new ones.
    if (finding.resume) {
        box->addWidget(
            paragraph(tr("In a terminal: %1").arg(QString::fromStdString(finding.command)), frame));
    } else if (!finding.settings.empty()) {
        auto* attempt = new QPushButton(tr("Try this as a new run…"), frame);
        attempt->setAccessibleName(tr("Try as a new run: %1").arg(coreText(finding.title)));
        attempt->setObjectName(QStringLiteral("try-") + QString::fromStdString(finding.rule));
        connect(attempt, &QPushButton::clicked, this, [this, finding] { Q_EMIT tryRequested(finding); });
        box->addWidget(attempt, 0, Qt::AlignLeft);
    }
    return frame;
}

void DoctorPanel::setReport(const RunReport* report) {
    const bool examined = report != nullptr && report->examined;
    QString now =
        examined ? QStringLiteral("examined %1").arg(report->details.run.id) : QStringLiteral("waiting");
    if (examined)
        for (const Finding& finding : report->findings)
            now += QString::fromStdString("\n" + finding.rule + "\n" + finding.title + finding.remedy +
                                          finding.settings.dump());
    if (now == shown_) {
        // Only numbers changed, so the panel keeps its focus, selection and scroll position.
        for (std::size_t f = 0; f < evidence_.size(); ++f)
            if (const QString text = tr("Evidence: %1").arg(coreText(report->findings[f].evidence));
                evidence_[f]->text() != text)
                evidence_[f]->setText(text);
        return;
    }
    shown_ = now;
    evidence_.clear();
    count_ = examined ? static_cast<int>(report->findings.size()) : 0;
    auto* inner = new QWidget(this);
    auto* column = new QVBoxLayout(inner);
    column->setContentsMargins(4, 4, 4, 4);
    if (!examined) column->addWidget(paragraph(tr("Examining the metrics…"), inner));
    else if (count_ == 0)
        column->addWidget(paragraph(tr("No problems found in run %1.").arg(report->details.run.id), inner));
    for (std::size_t f = 0; examined && f < report->findings.size(); ++f) {
        column->addWidget(makeFinding(report->findings[f], report->details.config, inner));
    }
    column->addStretch(1);
    setWidget(inner);
}

}  // namespace seedbed::ui
