// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/start/env_card.hpp"

#include <algorithm>

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QTextLayout>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/views/packs/moving_picture.hpp"
#include "ui/views/start/gallery_view.hpp"
#include "ui/views/style/seed_style.hpp"
#include "ui/views/style/tokens.hpp"
#include "ui/views/theme.hpp"

namespace seedbed::ui {
namespace {

constexpr int kStageHeight = 118, kCardPadding = 14, kCardMinimumWidth = 240;
// The pointer must stay this long before a picture moves, since crossing cards should start nothing.
constexpr int kDwellMs = 120;

// Muted text of at least two lines, so that cards align. A text of more than four lines ends with "…" after a
// whole word; its tool tip has the rest.
class Sentence : public QLabel {
public:
    Sentence(const QString& text, QWidget* parent) : QLabel(text, parent) {
        setTextFormat(Qt::PlainText);
        QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override {
        return std::max(kLeastLines, static_cast<int>(lines(width).size())) * fontMetrics().lineSpacing();
    }
    QSize sizeHint() const override { return {1, kLeastLines * fontMetrics().lineSpacing()}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QLabel::resizeEvent(event);
        setToolTip(lines(width()).join(QLatin1Char(' ')).contains(kMore) ? text() : QString());
    }
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(tokens().muted);
        QRect row(0, 0, width(), fontMetrics().lineSpacing());
        for (const QString& line : lines(width())) {
            painter.drawText(row, Qt::AlignLeft | Qt::TextSingleLine, line);  // mirrored by drawText()
            row.translate(0, row.height());
        }
    }

private:
    static constexpr int kLeastLines = 2, kMostLines = 4;
    static constexpr QChar kMore = QChar(0x2026);

    QStringList lines(int width) const {
        QStringList lines;
        QTextLayout layout(text(), font());
        layout.beginLayout();
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
            line.setLineWidth(width);
            const QString shown = text().mid(line.textStart(), line.textLength()).trimmed();
            if (lines.size() < kMostLines) {
                lines += shown;
                continue;
            }
            QString& last = lines.last();
            while (fontMetrics().horizontalAdvance(last + kMore) > width && last.contains(QLatin1Char(' ')))
                last.truncate(last.lastIndexOf(QLatin1Char(' ')));
            last += kMore;
            break;
        }
        layout.endLayout();
        for (QString& line : lines)
            line = fontMetrics().elidedText(line, Qt::ElideRight, width);  // long words
        return lines;
    }
};

}  // namespace

EnvCard::EnvCard(const Services& services, const EnvCardText& text, QWidget* parent)
    : Card(parent), id_(text.id) {
    setObjectName(QStringLiteral("card-") + id_);
    setLively(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 3);  // the outline and the shadow
    layout->setSpacing(0);
    picture_ = new MovingPicture(services.pictures, *services.theme, this);
    picture_->setFixedHeight(kStageHeight);
    picture_->setContentsMargins(7, (kStageHeight - kPicture.height()) / 2, 7,
                                 (kStageHeight - kPicture.height()) / 2);
    picture_->setOnCard(true);
    picture_->setAttribute(Qt::WA_TransparentForMouseEvents);  // the whole card moves it
    picture_->setChoice(text.choice);
    layout->addWidget(picture_);

    auto* below = new QVBoxLayout;
    below->setContentsMargins(kCardPadding, 11, kCardPadding, 12);
    below->setSpacing(3);
    auto* title = new QLabel(text.title, this);
    title->setTextFormat(Qt::PlainText);
    title->setWordWrap(true);
    title->setFont(textFont(TextSize::section, QFont::DemiBold));
    title->setToolTip(text.tip);
    below->addWidget(title);
    below->addWidget(new Sentence(text.sentence, this));
    below->addStretch(1);
    chip_ = new Chip(this);
    chip_->setObjectName(QStringLiteral("result-") + id_);
    below->addSpacing(5);
    below->addWidget(chip_, 0, Qt::AlignLeft);
    below->addSpacing(9);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    row_ = row;
    train_ = addButton("train-", GalleryView::tr("Train"), GalleryView::tr("Train %1").arg(text.title));
    train_->setIcon(services.theme->icon(QStringLiteral("start")));
    connect(train_, &QPushButton::clicked, this, &EnvCard::trainClicked);
    QPushButton* customize = addButton("customize-", GalleryView::tr("Customize…"),
                                       GalleryView::tr("Customize %1").arg(text.title));
    setKind(customize, ButtonKind::quiet);
    connect(customize, &QPushButton::clicked, this, &EnvCard::customizeClicked);
    below->addLayout(row);
    layout->addLayout(below);
    setMinimumWidth(std::max(kCardMinimumWidth, minimumSizeHint().width()));
}

QPushButton* EnvCard::addButton(const char* prefix, const QString& text, const QString& name) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(prefix) + id_);
    button->setAccessibleName(name);
    button->installEventFilter(this);
    delete row_->takeAt(static_cast<int>(buttons_.size()));  // the stretch
    row_->addWidget(button);
    static_cast<QHBoxLayout*>(row_)->addStretch(1);
    buttons_ += button;
    return button;
}

void EnvCard::addEdit() {
    QPushButton* edit = addButton("edit-", GalleryView::tr("Edit…"), GalleryView::tr("Edit %1").arg(id_));
    setKind(edit, ButtonKind::quiet);
    connect(edit, &QPushButton::clicked, this, &EnvCard::editClicked);
    setMinimumWidth(std::max(minimumWidth(), layout()->minimumSize().width()));
}

void EnvCard::setResult(const CardResult& result) {
    chip_->setText(result.text);
    chip_->setTone(result.tone);
    chip_->setToolTip(result.facts);
    chip_->setAccessibleDescription(result.facts);
    chip_->updateGeometry();
}

void EnvCard::setCanTrain(bool can_train) {
    can_train_ = can_train;
    train_->setEnabled(can_train);
    train_->setToolTip(can_train ? QString() : GalleryView::tr("There is no preset yet: choose Customize"));
}

void EnvCard::setStarting(bool starting) {
    train_->setEnabled(can_train_ && !starting);
    train_->setText(starting ? GalleryView::tr("Starting…") : GalleryView::tr("Train"));
}

void EnvCard::enterEvent(QEnterEvent* event) {
    Card::enterEvent(event);
    showState();
    QTimer::singleShot(kDwellMs, this, [this] { picture_->setPointed(underMouse()); });
}

void EnvCard::leaveEvent(QEvent* event) {
    Card::leaveEvent(event);
    picture_->setPointed(false);
    showState();
}

bool EnvCard::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) {
        has_focus_ = event->type() == QEvent::FocusIn;
        showState();
    }
    return Card::eventFilter(watched, event);
}

// The card in use has the page's next step.
void EnvCard::showState() {
    setKind(train_, underMouse() || has_focus_ ? ButtonKind::primary : ButtonKind::plain);
}

}  // namespace seedbed::ui
