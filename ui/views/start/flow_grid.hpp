// SPDX-License-Identifier: GPL-3.0-or-later
// A scroll area with cards of equal width in as many columns as fit, in sections with headings.
#pragma once

#include <QList>
#include <QScrollArea>

class QGridLayout;
class QLabel;

namespace seedbed::ui {

class FlowGrid : public QScrollArea {
    Q_OBJECT

public:
    explicit FlowGrid(QWidget* parent = nullptr);
    struct Section {
        QString title{};  // "": no heading
        QList<QWidget*> cards{};
    };
    // Takes ownership of the cards. Cards of the previous sections that are not used again must have been
    // deleted. Hidden cards, and headings without visible cards, take no space.
    void setSections(const QList<Section>& sections);
    // Call after showing or hiding cards.
    void arrange();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int columnsThatFit() const;

    QWidget* inside_;
    QGridLayout* grid_;
    QList<Section> sections_;
    QList<QLabel*> headings_;  // one per section
    int columns_ = 0;
};

}  // namespace seedbed::ui
