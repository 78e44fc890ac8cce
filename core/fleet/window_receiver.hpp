// SPDX-License-Identifier: Apache-2.0
// The learner's end of a connection to an actor that chooses the actions: receives windows, sends parameters.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "core/fleet/link.hpp"
#include "core/fleet/window_messages.hpp"
#include "core/session/acting_params.hpp"

namespace seedbed {

// More messages than these never wait for an actor that reads: it has at most kMaxOpenWindows windows to
// confirm.
inline constexpr std::size_t kMaxUnsent = kMaxOpenWindows + 4;

// The reason in a control message that an actor sends instead of rows.
Error departureOf(const Bytes& control);
// The error (config) for an actor that must not connect again.
tl::unexpected<Error> brokenProtocol(const std::string& what);

// Thread: the group's.
class WindowReceiver {
public:
    // Lets the actor begin: its environments restart at the row `head`, and its rows are those that follow.
    WindowReceiver(std::shared_ptr<Link> link, WindowLayout layout, const ActingParams& params,
                   const Beginning& beginning);
    // The largest size in bytes of windows, parameters and messages, for a network with `param_bytes`.
    static std::size_t bytes(const WindowLayout& layout, std::size_t param_bytes);

    // Waits for the next row; meanwhile sends new parameters. error: stalled: nothing arrived within
    // `timeout_s`; interrupted; config: the actor breaks the protocol; others: the connection is lost. The
    // contents of rows are not checked, except for their versions.
    Result<> await(double timeout_s, const std::stop_token& stop);
    bool isReady() { return failure_ || !windows_.empty() || link_->isReady(); }
    // The row that await() has found, until pop().
    std::uint8_t* record();
    std::uint64_t row() const { return row_; }
    std::uint64_t version() { return layout_.version(record()); }
    // Ends the use of the row. At the end of a window the actor may send another one.
    void pop();
    // Reads the messages that have arrived, and sends the newest parameters unless the actor has not used
    // earlier ones yet or does not read. await() reports errors, after the rows that arrived before.
    void advance(const std::stop_token& stop);

    const WindowLayout& layout() const { return layout_; }
    // Text about failures since the last call.
    std::string takeText() { return std::exchange(text_, {}); }
    // Publications between the parameters of the newest row that arrived and the newest ones.
    std::uint64_t lag();
    // Received since the last call.
    std::uint64_t takeBytes() { return std::exchange(bytes_, 0); }

private:
    struct Window {
        Bytes message;
        std::vector<std::size_t> records;
        std::size_t next = 0;  // index of a record
    };
    Result<> accept(Bytes message);
    void sendParams();

    std::optional<Error> failure_;
    std::shared_ptr<Link> link_;
    WindowLayout layout_;
    ActingParams::Reader reader_;
    Acting sent_;                          // newest parameters that were sent
    std::optional<std::uint64_t> acting_;  // version of the newest row that arrived
    std::uint64_t acting_publication_ = 0;
    std::uint64_t row_, next_row_;               // of the next record; of the next window
    std::uint64_t received_ = 0, consumed_ = 0;  // windows
    std::uint64_t bytes_ = 0;
    std::deque<Window> windows_;
    std::string text_;
};

}  // namespace seedbed
