// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/charts/inspector_model.hpp"

#include <algorithm>
#include <cmath>

#include <QLocale>

#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

// Larger inputs, such as images, have one row with their range.
constexpr std::size_t kMaxListedInputs = 64;
// On the canvas; the table has all.
constexpr std::size_t kMaxSights = 8, kMaxPlanes = 10;
constexpr std::uint32_t kMaxPlaneSide = 20;

std::size_t rowsOf(const InspectedLeaf& leaf) {
    return leaf.seen.empty() || leaf.seen.size() > kMaxListedInputs ? 1 : leaf.seen.size();
}

QString numberText(float value) { return shortNumber(static_cast<double>(value)); }

}  // namespace

InspectorModel::InspectorModel(const TraceModel& trace, QObject* parent)
    : QAbstractTableModel(parent), trace_(trace) {}

const std::vector<float>& InspectorModel::memory() const {
    static const std::vector<float> none;
    return inspection_ ? inspection_->state_after : none;
}

void InspectorModel::show(std::shared_ptr<const Inspection> inspection) {
    const auto& frame = trace_.frame();
    const bool fits = frame && inspection && inspection->generation == frame->generation &&
                      static_cast<std::int32_t>(inspection->env) == frame->focus &&
                      static_cast<std::int32_t>(inspection->agent) == frame->focus_agent;
    inspection_ = fits ? std::move(inspection) : nullptr;
    content_ = {};
    inputs_ = 0;
    if (frame) fill(*frame);
    const auto rows =
        static_cast<int>(content_.numbers.size() + content_.choices.size() + inputs_ + memory().size());
    if (rows == rows_) {
        if (rows > 0) Q_EMIT dataChanged(index(0, 0), index(rows - 1, 1));
        return;
    }
    beginResetModel();
    rows_ = rows;
    endResetModel();
}

void InspectorModel::fill(const PlayerFrame& frame) {
    const PlayerCell& cell = frame.cells[static_cast<std::size_t>(frame.focus)];
    const PlayerRecord& now = cell.nowOf(frame.focus_agent);
    content_.title = tr("Agent %1").arg(frame.focus + 1);
    if (cell.agents() > 1) content_.title += tr(" · seat %1").arg(frame.focus_agent + 1);
    // Not while playing, when this row is shown for a moment only.
    if (frame.paused && now.step == 0 && cell.last_end == EpisodeMark::terminated)
        content_.ended = tr("Game over: return %1").arg(shortNumber(cell.lastReturnOf(frame.focus_agent)));
    content_.numbers = {{tr("Value"), numberText(now.value)},
                        {tr("Entropy"), entropyText(now)},
                        {tr("Return"), shortNumber(now.return_so_far)}};
    for (const PlayerRecord& record : frame.trace)
        if (record.row <= frame.row && !std::isnan(record.value)) content_.values.push_back(record.value);
    addChoices(now);
    if (!inspection_) return;
    content_.problem = QString::fromStdString(inspection_->unavailable);
    for (const InspectedLeaf& leaf : inspection_->leaves) inputs_ += rowsOf(leaf);
    addSights();
}

// With the largest one that is possible, if no choice is forbidden: it means that nothing was learned.
QString InspectorModel::entropyText(const PlayerRecord& now) const {
    double largest = 0;
    for (const ActionNames& leaf : trace_.names()) {
        if (!leaf.discrete) return numberText(now.entropy);
        largest += std::log(static_cast<double>(std::max<qsizetype>(1, leaf.names.size())));
    }
    const bool masks =
        std::any_of(now.shown.begin(), now.shown.end(), [](float share) { return share == 0; });
    if (std::isnan(now.entropy) || largest <= 0 || masks) return numberText(now.entropy);
    return tr("%1 of %2")
        .arg(QLocale().toString(static_cast<double>(now.entropy), 'f', 2),
             QLocale().toString(largest, 'f', 2));
}

// Vectors with few elements and small pictures; of a stack, the newest frame.
void InspectorModel::addSights() {
    double largest = 0;
    for (std::size_t l = 0; l < inspection_->leaves.size() && l < observations_.size(); ++l) {
        const InspectedLeaf& leaf = inspection_->leaves[l];
        const ObsLeaf& spec = observations_[l];
        const auto label = [&](std::size_t i) {
            return i < spec.labels.size()
                       ? QString::fromStdString(spec.labels[i])
                       : QStringLiteral("%1 %2").arg(QString::fromStdString(leaf.name)).arg(i);
        };
        const std::size_t elements = spec.elements();
        if (elements == 0 || leaf.seen.size() < elements) continue;
        const std::size_t first = leaf.seen.size() - elements;
        if (spec.kind == ObsLeaf::Kind::vector) {
            for (std::size_t i = 0; i < elements && content_.sights.size() < kMaxSights; ++i) {
                const double weight = first + i < leaf.of_action.size()
                                          ? std::abs(static_cast<double>(leaf.of_action[first + i]))
                                          : 0;
                largest = std::max(largest, weight);
                content_.sights.push_back({label(i), numberText(leaf.seen[first + i]), weight});
            }
        } else if (spec.kind == ObsLeaf::Kind::image && leaf.shape.size() == 3 && leaf.shape[1] > 0 &&
                   leaf.shape[1] <= kMaxPlaneSide && leaf.shape[2] > 0 && leaf.shape[2] <= kMaxPlaneSide) {
            const std::size_t size = std::size_t{leaf.shape[1]} * leaf.shape[2];
            for (std::size_t c = 0; (c + 1) * size <= elements && content_.planes.size() < kMaxPlanes; ++c) {
                Plane plane{label(c), static_cast<int>(leaf.shape[2]), static_cast<int>(leaf.shape[1])};
                const auto from = leaf.seen.begin() + static_cast<std::ptrdiff_t>(first + c * size);
                plane.shares.assign(from, from + static_cast<std::ptrdiff_t>(size));
                float most = 0;
                for (const float share : plane.shares) most = std::max(most, std::abs(share));
                for (float& share : plane.shares) share = most > 0 ? std::abs(share) / most : 0;
                content_.planes.push_back(std::move(plane));
            }
        }
    }
    for (Sight& sight : content_.sights) sight.weight = largest > 0 ? sight.weight / largest : 0;
}

void InspectorModel::addChoices(const PlayerRecord& now) {
    std::size_t word = 0, shown = 0, choice = 0;
    for (const ActionNames& leaf : trace_.names()) {
        const auto size = static_cast<std::size_t>(leaf.names.size());
        if (shown + size * (leaf.discrete ? 1 : 2) > now.shown.size()) return;
        for (std::size_t i = 0; i < size; ++i, ++choice) {
            Choice each{leaf.names[static_cast<int>(i)]};
            each.share = static_cast<double>(now.shown[shown + i]);
            if (leaf.discrete) {
                each.text = QLocale().toString(each.share, 'f', 2);
                each.chosen = word < now.action.size() && now.action[word] == static_cast<float>(i);
                if (inspection_ && choice < inspection_->q.size())
                    each.text = tr("Q %1").arg(numberText(inspection_->q[choice]));
                if (inspection_ && choice < inspection_->mask.size() && inspection_->mask[choice] == 0)
                    each.text = tr("not allowed");
            } else {
                each.text = QStringLiteral("%1 ± %2").arg(shortNumber(each.share),
                                                          numberText(now.shown[shown + size + i]));
                each.share = std::nan("");
            }
            content_.choices.push_back(std::move(each));
        }
        word += leaf.discrete ? 1 : size;
        shown += size * (leaf.discrete ? 1 : 2);
    }
}

std::pair<QString, QString> InspectorModel::inputAt(std::size_t row) const {
    for (const InspectedLeaf& leaf : inspection_->leaves) {
        if (row >= rowsOf(leaf)) {
            row -= rowsOf(leaf);
            continue;
        }
        const QString name = QString::fromStdString(leaf.name);
        if (leaf.seen.empty()) return {name, {}};
        if (leaf.seen.size() > kMaxListedInputs) {
            const auto [low, high] = std::minmax_element(leaf.seen.begin(), leaf.seen.end());
            return {name, tr("%1 numbers from %2 to %3")
                              .arg(countText(static_cast<std::int64_t>(leaf.seen.size())), numberText(*low),
                                   numberText(*high))};
        }
        QString text = numberText(leaf.seen[row]);
        if (row < leaf.of_action.size())
            text = tr("%1 (saliency %2)").arg(text, signedNumber(static_cast<double>(leaf.of_action[row])));
        return {QStringLiteral("%1[%2]").arg(name).arg(row), text};
    }
    return {};
}

std::pair<QString, QString> InspectorModel::lineAt(std::size_t row) const {
    if (row < content_.numbers.size()) return content_.numbers[row];
    row -= content_.numbers.size();
    if (row < content_.choices.size()) {
        const Choice& choice = content_.choices[row];
        return {choice.chosen ? tr("%1 (chosen)").arg(choice.name) : choice.name, choice.text};
    }
    row -= content_.choices.size();
    if (row < inputs_) return inputAt(row);
    row -= inputs_;
    return {tr("Memory %1").arg(row + 1), numberText(memory()[row])};
}

int InspectorModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }

QVariant InspectorModel::data(const QModelIndex& index, int role) const {
    if (role != Qt::DisplayRole || !index.isValid()) return {};
    const auto [name, text] = lineAt(static_cast<std::size_t>(index.row()));
    return index.column() == 0 ? name : text;
}

QVariant InspectorModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == 0 ? tr("Quantity") : tr("Now");
}

}  // namespace seedbed::ui
