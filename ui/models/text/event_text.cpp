// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/text/event_text.hpp"

#include <cmath>
#include <optional>

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include "core/neighbour/decision.hpp"
#include "ui/models/text/core_text.hpp"
#include "ui/models/text/number_text.hpp"

namespace seedbed::ui {
namespace {

struct Events {
    Q_DECLARE_TR_FUNCTIONS(Events)
};

std::optional<double> number(const Json& data, const char* key) {
    const auto at = data.find(key);
    return at != data.end() && at->is_number() ? std::optional(at->get<double>()) : std::nullopt;
}

// "algo.learning_rate 0.001 → 0.0005" for each key; "" if the data has a different form.
QString changes(const Json& data) {
    QStringList all;
    for (const auto& [key, sides] : data.items()) {
        if (!sides.is_array() || sides.size() != 2) return {};
        const auto value = [&](std::size_t side) {
            return localNumber(QString::fromStdString(sides[side].dump()));
        };
        all << QStringLiteral("%1 %2 → %3").arg(QString::fromStdString(key), value(0), value(1));
    }
    return all.join(QStringLiteral("; "));
}

}  // namespace

QString eventText(const EventRecord& event) {
    const Json& data = event.data;
    if (event.kind == "started") return Events::tr("training started");
    const auto reason = data.is_object() ? data.find("reason") : data.end();
    if (event.kind == "paused" && reason != data.end() && reason->is_string())
        return Events::tr("paused: %1").arg(statusDetail(reason->get<std::string>()));
    if (event.kind == "paused") return Events::tr("paused");
    if (event.kind == "priority" && reason != data.end() && *reason == "")
        return Events::tr("normal priority");
    if (event.kind == "priority") return statusDetail(event.text);
    if (event.kind == "continued") return Events::tr("training resumed after a pause");
    if (data.is_object()) {
        if (const auto step = number(data, "step");
            event.kind == "resumed" && step && data.value("exact", false))
            return Events::tr("resumed from the checkpoint at step %1; it continues bit for bit")
                .arg(countText(static_cast<std::int64_t>(*step)));
        if (const auto seconds = number(data, "seconds"); event.kind == "slept" && seconds)
            return Events::tr("the computer slept for %1; training continues").arg(durationText(*seconds));
        if (const auto seconds = number(data, "seconds"); event.kind == "clock" && seconds)
            return Events::tr("the computer's clock changed by %1 s; times of this run are not affected")
                .arg(countText(std::llround(*seconds)));
        if (const QString all = changes(data); event.kind == "settings" && !all.isEmpty())
            return Events::tr("settings changed: %1").arg(all);
    }
    return QString::fromStdString(event.text);
}

QString statusDetail(const std::string& status_text) {
    if (status_text == kStoppedOnRequest) return Events::tr("stopped on request");
    constexpr std::string_view kLow = "low priority: ";
    if (status_text.starts_with(kLow))
        return Events::tr("low priority: %1").arg(statusDetail(status_text.substr(kLow.size())));
    const QString text = QString::fromStdString(status_text);
    static const std::vector<std::pair<std::string, QRegularExpression>> known = [] {
        std::vector<std::pair<std::string, QRegularExpression>> all;
        for (const std::string& pattern : neighbourPatterns()) {
            QString expression = QRegularExpression::escape(QString::fromStdString(pattern));
            expression.replace(QStringLiteral("\\%1"), QStringLiteral("(.+)"));
            all.emplace_back(pattern, QRegularExpression(QRegularExpression::anchoredPattern(expression)));
        }
        return all;
    }();
    for (const auto& [pattern, expression] : known)
        if (const auto match = expression.match(text); match.hasMatch())
            return match.lastCapturedIndex() == 0
                       ? coreText(pattern)
                       : coreText(LocalizableText{pattern, {match.captured(1).toStdString()}});
    return text;
}

}  // namespace seedbed::ui
