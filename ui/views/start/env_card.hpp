// SPDX-License-Identifier: GPL-3.0-or-later
// The card of one environment in the gallery: its picture on a stage, a sentence, the result of training,
// and buttons.
#pragma once

#include "ui/models/packs/env_choice.hpp"
#include "ui/views/services.hpp"
#include "ui/views/start/card_result.hpp"
#include "ui/views/style/card.hpp"

class QPushButton;

namespace seedbed::ui {

class MovingPicture;

// The texts of a card. `id` is the ending of its object names, such as train-ID.
struct EnvCardText {
    QString id{}, title{}, tip{}, sentence{};
    EnvChoice choice{};
};

class EnvCard : public Card {
    Q_OBJECT

public:
    // Largest size of pictures on the stage, in device-independent pixels.
    static constexpr QSize kPicture{300, 104};

    EnvCard(const Services& services, const EnvCardText& text, QWidget* parent);
    void setResult(const CardResult& result);
    // can_train: whether one click suffices.
    void setCanTrain(bool can_train);
    void setStarting(bool starting);
    // Adds a button to edit the environment.
    void addEdit();
    MovingPicture* picture() const { return picture_; }
    // The buttons in the order of the Tab key.
    const QList<QPushButton*>& buttons() const { return buttons_; }

Q_SIGNALS:
    void trainClicked();
    void customizeClicked();
    void editClicked();

protected:
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QPushButton* addButton(const char* prefix, const QString& text, const QString& name);
    void showState();

    QString id_;
    MovingPicture* picture_;
    Chip* chip_;
    QPushButton* train_;
    QList<QPushButton*> buttons_;
    QLayout* row_;
    bool has_focus_ = false, can_train_ = true;
};

}  // namespace seedbed::ui
