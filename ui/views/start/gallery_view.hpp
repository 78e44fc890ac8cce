// SPDX-License-Identifier: GPL-3.0-or-later
// The gallery of environments: a card each with picture, sentence, expected time here, reference score, and a
// button that trains.
#pragma once

#include <QPointer>
#include <QVariantMap>
#include <QWidget>

#include "ui/views/services.hpp"

class QComboBox;
class QFrame;
class QLabel;
class QLineEdit;
class QPushButton;

namespace seedbed::ui {

struct EnvInfo;
class FlowGrid;

class GalleryView : public QWidget {
    Q_OBJECT

public:
    GalleryView(const Services& services, QWidget* parent = nullptr);
    void focusSearch();
    // What was searched for; see Page.
    QVariantMap handOver() const;
    void takeOver(const QVariantMap& state);

Q_SIGNALS:
    void trainWanted(const QString& env);
    void customizeWanted(const QString& env);

public Q_SLOTS:
    // While a run of this environment is being started.
    void setStarting(const QString& env, bool starting);

private:
    struct Card {
        QString id, search_text, difficulty;
        QFrame* frame = nullptr;
        QLabel* time = nullptr;
        QPushButton* train = nullptr;
        QLabel* picture = nullptr;
    };

    Card makeCard(const EnvInfo& env);
    void filter();
    void showEstimates();
    void loadPictures();

    Services services_;
    QLineEdit* search_;
    QComboBox* difficulty_;
    QLabel* none_;
    FlowGrid* grid_;
    QList<Card> cards_;
    qsizetype next_picture_ = 0;
};

}  // namespace seedbed::ui
