// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/link_speed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/text.hpp"
#include "core/fleet/messages.hpp"
#include "core/fleet/window_receiver.hpp"

namespace seedbed {
namespace {

constexpr int kPings = 4;
constexpr std::size_t kPadBytes = 48 << 10;  // control messages have at most 64 KiB
constexpr double kRoundTripShare = 0.1, kLagShare = 0.5;

Result<Json> ask(Link& link, const Json& question, const char* answer, double timeout_s,
                 const std::stop_token& stop) {
    link.send(controlMessage(question));
    SEEDBED_ASSIGN(const Bytes message, link.receive(timeout_s, stop));
    SEEDBED_ASSIGN(Json json, readControl(message));
    if (json["op"] != answer) return tl::unexpected<Error>(departureOf(message));
    return json;
}

// The shortest of several times, so that later ones profit from a warm connection.
Result<double> shortestPing(Link& link, std::size_t pad, double until_s, const std::stop_token& stop,
                            const std::function<double()>& now_s) {
    double shortest_s = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kPings; ++i) {
        const double sent_s = now_s();
        SEEDBED_TRY(ask(link, {{"op", "ping"}, {"pad", std::string(pad, 'x')}}, "pong",
                        std::max(0.0, until_s - sent_s), stop));
        shortest_s = std::min(shortest_s, now_s() - sent_s);
    }
    return shortest_s;
}

}  // namespace

Result<LinkSpeed> measureLink(Link& link, double timeout_s, const std::stop_token& stop,
                              const std::function<double()>& now_s) {
    LinkSpeed speed;
    const double until_s = now_s() + timeout_s;
    SEEDBED_ASSIGN(speed.round_trip_s, shortestPing(link, 0, until_s, stop, now_s));
    SEEDBED_ASSIGN(const double padded_s, shortestPing(link, kPadBytes, until_s, stop, now_s));
    speed.bytes_per_s = 2 * kPadBytes / std::max(padded_s - speed.round_trip_s, 1e-6);
    return speed;
}

Result<double> measureRow(Link& link, double timeout_s, const std::stop_token& stop) {
    SEEDBED_ASSIGN(const Json json, ask(link, {{"op", "time"}}, "timed", timeout_s, stop));
    const auto row_s = json.find("row_s");
    if (row_s == json.end() || !row_s->is_number() || !(row_s->get<double>() >= 0))
        return brokenProtocol("it does not state the time of a row");
    return row_s->get<double>();
}

Bytes pongOf(const Json& ping) {
    Json pong = ping;
    pong["op"] = "pong";
    return controlMessage(pong);
}

bool prefersWindows(const FormCosts& costs) {
    const double exchange_s =
        costs.link.round_trip_s + static_cast<double>(costs.row_bytes) / costs.link.bytes_per_s;
    const double params_s = static_cast<double>(costs.param_bytes) / costs.link.bytes_per_s;
    return exchange_s > kRoundTripShare * costs.row_s &&
           params_s < kLagShare * costs.max_lag * costs.length * costs.row_s;
}

std::string costsText(const FormCosts& costs) {
    const auto milliseconds = [](double seconds) {
        return formatNumber(std::round(1e6 * seconds) / 1e3) + " ms";
    };
    return "round trip " + milliseconds(costs.link.round_trip_s) + ", " +
           formatBytes(static_cast<std::size_t>(costs.link.bytes_per_s)) + "/s, " +
           milliseconds(costs.row_s) + " per row";
}

}  // namespace seedbed
