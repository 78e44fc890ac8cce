// SPDX-License-Identifier: GPL-3.0-or-later
// The gallery of environments: one card each with picture, description, expected training time, reference
// score, and a button to train.
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
    // See Page.
    QVariantMap saveState() const;
    void restoreState(const QVariantMap& state);

Q_SIGNALS:
    void trainRequested(const QString& env);
    void customizeRequested(const QString& env);

public Q_SLOTS:
    // Whether a run of this environment is being queued.
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
