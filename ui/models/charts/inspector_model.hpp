// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs, probable actions and memory of the watched agent: for the inspector on the canvas, and as a table.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <QAbstractTableModel>

#include "core/control/inspection.hpp"
#include "ui/models/charts/trace_model.hpp"

namespace seedbed::ui {

// Thread: GUI.
class InspectorModel : public QAbstractTableModel {
    Q_OBJECT

public:
    // A choice of a discrete action, or a dimension of a continuous one.
    struct Choice {
        QString name{}, text{};  // text: the probability, or the mean and deviation
        double share = 0;        // probability, NaN for dimensions
        bool chosen = false;
    };
    // A number that the network sees.
    struct Sight {
        QString name{}, text{};
        double weight = 0;  // size of its saliency, as a part of the largest one
    };
    // A channel of a small picture that it sees: [height, width], each number as a part of the largest one.
    struct Plane {
        QString name{};
        int width = 0, height = 0;
        std::vector<float> shares{};
    };
    struct Content {
        QString title{};
        std::vector<Sight> sights{};
        std::vector<Plane> planes{};
        std::vector<Choice> choices{};
        std::vector<std::pair<QString, QString>> numbers{};  // name and text
        std::vector<float> values{};                         // estimates of the rows played, oldest first
        QString problem{};                                   // why there is no inspection
        QString ended{};  // the game whose end is shown; the rest belongs to the first step of the next one
    };

    // The names of actions and the records are those of `trace`, which must outlive this model.
    explicit InspectorModel(const TraceModel& trace, QObject* parent = nullptr);

    // The names of the inputs.
    void setObservations(std::vector<ObsLeaf> leaves) { observations_ = std::move(leaves); }
    // For the trace's frame; null or another agent's inspection: only what the frame contains.
    void show(std::shared_ptr<const Inspection> inspection);
    const Content& content() const { return content_; }
    // The recurrent state after the row, empty if there is none.
    const std::vector<float>& memory() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 2; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void fill(const PlayerFrame& frame);
    void addChoices(const PlayerRecord& now);
    QString entropyText(const PlayerRecord& now) const;
    void addSights();
    std::pair<QString, QString> lineAt(std::size_t row) const;
    std::pair<QString, QString> inputAt(std::size_t row) const;

    const TraceModel& trace_;
    std::shared_ptr<const Inspection> inspection_;
    std::vector<ObsLeaf> observations_;
    Content content_;
    std::size_t inputs_ = 0;  // rows of the table with inputs
    int rows_ = 0;
};

}  // namespace seedbed::ui
