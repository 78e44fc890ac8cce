// SPDX-License-Identifier: Apache-2.0
#include "core/control/player_view.hpp"

#include <utility>

namespace seedbed {

Result<PlayerView> PlayerView::connect(const std::filesystem::path& socket, const std::stop_token& stop) {
    SEEDBED_ASSIGN(ControlClient client, ControlClient::connect(socket, stop));
    if (client.hello().value("kind", Json()) != "player")
        return fail("'" + socket.string() + "' does not belong to a player");
    PlayerView view(std::move(client), stop);
    SEEDBED_TRY(view.follow());
    SEEDBED_ASSIGN([[maybe_unused]] const Json watched, view.ask("watch", {{"every_ms", 100}}));
    return view;
}

Result<> PlayerView::follow() {
    SEEDBED_ASSIGN(ControlClient::Followed followed, client_.follow(ControlClient::kTimeoutMs, stop_));
    SEEDBED_ASSIGN(SlotReader slots, SlotReader::attach(std::move(followed.descriptor), kFrameSegment));
    slots_.emplace(std::move(slots));
    return {};
}

Result<std::optional<PlayerFrame>> PlayerView::frame() {
    if (slots_->closed()) SEEDBED_TRY(follow());
    if (!slots_->take(bytes_)) return std::optional<PlayerFrame>();
    SEEDBED_ASSIGN(PlayerFrame frame, decodeFrame(bytes_));
    return std::optional<PlayerFrame>(std::move(frame));
}

Result<> PlayerView::inspect(bool on) {
    if (!on) {
        inspections_.reset();
        SEEDBED_ASSIGN([[maybe_unused]] const Json stopped, ask("inspect", {{"on", false}}));
        return {};
    }
    SEEDBED_ASSIGN(ControlClient::Followed followed,
                   client_.follow(ControlClient::kTimeoutMs, stop_, "inspect"));
    SEEDBED_ASSIGN(SlotReader slots, SlotReader::attach(std::move(followed.descriptor), kInspectionSegment));
    inspections_.emplace(std::move(slots));
    return {};
}

Result<std::optional<Inspection>> PlayerView::inspection() {
    if (!inspections_) return std::optional<Inspection>();
    if (inspections_->closed()) SEEDBED_TRY(inspect(true));
    if (!inspections_->take(bytes_)) return std::optional<Inspection>();
    SEEDBED_ASSIGN(Inspection inspection, decodeInspection(bytes_));
    return std::optional<Inspection>(std::move(inspection));
}

Result<std::vector<Json>> PlayerView::events() {
    std::vector<Json> events;
    while (true) {
        SEEDBED_ASSIGN(auto event, client_.next({}, deadlineIn(0)));
        if (client_.ended()) return fail("the player has exited");
        if (!event) return events;
        events.push_back(std::move(*event));
    }
}

}  // namespace seedbed
