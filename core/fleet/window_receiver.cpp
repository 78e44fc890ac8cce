// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/window_receiver.hpp"

#include <algorithm>

#include "core/base/sleep.hpp"
#include "core/base/text.hpp"

namespace seedbed {
namespace {

constexpr double kParamsPollS = 0.02;  // between checks for new parameters while no rows arrive

}  // namespace

tl::unexpected<Error> brokenProtocol(const std::string& what) {
    return fail(ErrorCode::config, "it broke the protocol: " + what);
}

Error departureOf(const Bytes& control) {
    const auto json = readControl(control);
    Error error;
    if (json && (*json)["op"] == "cannot") error.code = ErrorCode::config;  // it would fail again
    error.message = json ? "it left: " + printableText(json->dump().substr(0, 500)) : json.error().text();
    return error;
}

WindowReceiver::WindowReceiver(std::shared_ptr<Link> link, WindowLayout layout, const ActingParams& params,
                               const Beginning& beginning)
    : link_(std::move(link)),
      layout_(std::move(layout)),
      reader_(params),
      row_(beginning.head + 1),
      next_row_(row_) {
    link_->send(beginMessage(beginning));
    sendParams();
}

std::size_t WindowReceiver::bytes(const WindowLayout& layout, std::size_t param_bytes) {
    const std::size_t records = static_cast<std::size_t>(layout.length()) * sizeof(std::size_t);
    // One more window is in the link. The parameters that were sent, and their message as a difference and as
    // all values.
    return (layout.maxOpen() + 1) * (layout.maxBytes() + records + sizeof(Window)) + 3 * param_bytes;
}

// Older versions that were not sent yet are skipped.
void WindowReceiver::sendParams() {
    const Acting newest = reader_.acting();
    link_->send(paramsMessage(newest.params, sent_.params.empty() ? nullptr : &sent_.params));
    sent_ = newest;
}

std::uint64_t WindowReceiver::lag() {
    return acting_ ? reader_.acting().publication - acting_publication_ : 0;
}

Result<> WindowReceiver::accept(Bytes message) {
    if (isControl(message)) return tl::unexpected<Error>(departureOf(message));
    if (windows_.size() >= layout_.maxOpen()) return brokenProtocol("it does not wait for the learner");
    auto read = layout_.read(message, received_ + 1, next_row_);
    if (!read) return brokenProtocol(read.error().text());
    for (const std::size_t at : read->records) {
        const std::uint64_t version = layout_.version(message.data() + at);
        if (acting_ == version) continue;
        if (version != sent_.params.version())
            return brokenProtocol("its parameters have the version " + std::to_string(version) +
                                  ", which it did not receive");
        acting_ = version;
        acting_publication_ = sent_.publication;
    }
    ++received_;
    next_row_ += read->records.size();
    bytes_ += message.size();
    if (text_.size() < ExchangeLayout::kTextBytes) text_ += read->text;
    windows_.push_back({.message = std::move(message), .records = std::move(read->records)});
    return {};
}

void WindowReceiver::advance(const std::stop_token& stop) {
    while (!failure_ && link_->isReady()) {
        auto message = link_->receive(0, stop);
        Result<> accepted;
        if (message) accepted = accept(std::move(*message));
        else accepted = tl::unexpected<Error>(std::move(message).error());
        if (!accepted) failure_ = std::move(accepted).error();
    }
    // An actor may claim to have parameters that wait to be sent.
    if (acting_ == sent_.params.version() && reader_.acting().params.version() != sent_.params.version() &&
        link_->unsent() == 0)
        sendParams();
}

Result<> WindowReceiver::await(double timeout_s, const std::stop_token& stop) {
    const double until = secondsNow() + timeout_s;
    while (true) {
        advance(stop);
        if (!windows_.empty()) return {};
        if (failure_) return tl::unexpected<Error>(*failure_);
        auto message = link_->receive(std::clamp(until - secondsNow(), 0.0, kParamsPollS), stop);
        if (message) SEEDBED_TRY(accept(std::move(*message)));
        else if (message.error().code != ErrorCode::stalled || secondsNow() >= until)
            return tl::unexpected<Error>(std::move(message).error());
    }
}

std::uint8_t* WindowReceiver::record() {
    Window& window = windows_.front();
    return window.message.data() + window.records[window.next];
}

void WindowReceiver::pop() {
    ++row_;
    Window& window = windows_.front();
    if (++window.next < window.records.size()) return;
    windows_.pop_front();
    link_->send(numberMessage(MessageKind::consumed, ++consumed_));
}

}  // namespace seedbed
