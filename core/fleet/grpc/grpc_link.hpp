// SPDX-License-Identifier: Apache-2.0
// Links over bidirectional gRPC streams. Both sides exchange raw bytes: the messages are those of
// core/fleet/messages.hpp, without protocol buffers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <string>
#include <utility>

#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>

#include "core/fleet/link.hpp"

namespace seedbed {

inline grpc::ByteBuffer bufferOf(Bytes message) {
    auto* owner = new Bytes(std::move(message));
    const grpc::Slice slice(
        owner->data(), owner->size(), [](void* bytes) { delete static_cast<Bytes*>(bytes); }, owner);
    return {&slice, 1};
}

inline Bytes bytesOf(const grpc::ByteBuffer& buffer) {
    std::vector<grpc::Slice> slices;
    Bytes bytes;
    if (!buffer.Dump(&slices).ok()) return bytes;
    bytes.reserve(buffer.Length());
    for (const grpc::Slice& slice : slices) bytes.insert(bytes.end(), slice.begin(), slice.end());
    return bytes;
}

// A stream as the reactor of gRPC's callback interface. `Reactor` is the base for one side; `Side` derives
// from this class and has finish(), which ends the stream and is called once, with the lock held, and
// cancel(), after which gRPC ends all operations and calls OnDone.
//
// The owner's Link and gRPC (until OnDone) share the object.
template <class Side, class Reactor>
class GrpcStream : public Reactor, public std::enable_shared_from_this<Side> {
public:
    void send(Bytes message) {
        const std::unique_lock lock(mutex_);
        if (closing_) return;
        waiting_.push(bufferOf(std::move(message)));
        write();
    }
    std::size_t unsent() {
        const std::unique_lock lock(mutex_);
        return waiting_.size() + (writing_ ? 1 : 0);
    }
    void cut() {
        const std::unique_lock lock(mutex_);
        closing_ = true;
        waiting_ = {};
        if (!ended_) static_cast<Side*>(this)->cancel();
    }
    bool isReady() {
        const std::unique_lock lock(mutex_);
        return arrived_ || lost_;
    }
    Result<Bytes> receive(double timeout_s, const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        const auto ready = [this] { return arrived_ || lost_; };
        if (timeout_s < 0) changed_.wait(lock, stop, ready);
        else changed_.wait_for(lock, stop, std::chrono::duration<double>(timeout_s), ready);
        if (arrived_) {
            Bytes message = bytesOf(inbox_);
            inbox_.Clear();
            arrived_ = false;
            if (!lost_ && !finished_) this->StartRead(&inbox_);
            return message;
        }
        if (lost_) {
            // gRPC gives the reason with OnDone, which follows the failed call.
            changed_.wait_for(lock, stop, kReasonWait, [this] { return ended_; });
            return fail(reason_.empty() ? "the connection was lost" : reason_);
        }
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "stopped while waiting for a message");
        return fail(ErrorCode::stalled, "nothing arrived in time");
    }
    // Sends what was passed to send(), then ends the stream. If the other side does not read it in time, the
    // stream is cancelled, because it would keep the messages in memory.
    void close() {
        const std::unique_lock lock(mutex_);
        closing_ = true;
        if (!writing_) return end();
        limit_.emplace().Set(std::chrono::system_clock::now() + kCloseLimit,
                             [stream = this->weak_from_this()](bool is_due) {
                                 const auto self = stream.lock();
                                 if (is_due && self != nullptr) self->cut();
                             });
    }

protected:
    void keep() { self_ = this->shared_from_this(); }
    void done(std::string reason) {
        std::shared_ptr<Side> self;
        {
            const std::unique_lock lock(mutex_);
            if (!reason.empty()) reason_ = std::move(reason);
            lost_ = finished_ = ended_ = true;
            self = std::move(self_);
        }
        changed_.notify_all();
    }
    void lose() {
        {
            const std::unique_lock lock(mutex_);
            lost_ = closing_ = true;
            if (!writing_) end();
        }
        changed_.notify_all();
    }
    void readDone(bool ok) {
        if (!ok) return lose();
        {
            const std::unique_lock lock(mutex_);
            arrived_ = true;
        }
        changed_.notify_all();
    }
    void writeDone(bool ok) {
        if (!ok) {
            {
                const std::unique_lock lock(mutex_);
                writing_ = false;
                waiting_ = {};
            }
            return lose();
        }
        const std::unique_lock lock(mutex_);
        writing_ = false;
        write();
        if (closing_ && !writing_) end();
    }

    std::mutex mutex_;
    grpc::ByteBuffer inbox_;

private:
    static constexpr std::chrono::seconds kReasonWait{10}, kCloseLimit{10};

    void write() {
        if (writing_ || finished_ || lost_ || waiting_.empty()) return;
        outbox_ = std::move(waiting_.front());
        waiting_.pop();
        writing_ = true;
        this->StartWrite(&outbox_);
    }
    void end() {
        if (std::exchange(finished_, true)) return;
        static_cast<Side*>(this)->finish();
    }

    std::condition_variable_any changed_;
    std::queue<grpc::ByteBuffer> waiting_;
    grpc::ByteBuffer outbox_;
    bool arrived_ = false, writing_ = false, closing_ = false, lost_ = false, finished_ = false,
         ended_ = false;
    std::string reason_;
    std::optional<grpc::Alarm> limit_;  // of close()
    std::shared_ptr<Side> self_;
};

// The owner's end of a stream.
template <class Side>
class GrpcLink final : public Link {
public:
    explicit GrpcLink(std::shared_ptr<Side> stream) : stream_(std::move(stream)) {}
    ~GrpcLink() override { stream_->close(); }
    void send(Bytes message) override { stream_->send(std::move(message)); }
    std::size_t unsent() override { return stream_->unsent(); }
    void cut() override { stream_->cut(); }
    bool isReady() override { return stream_->isReady(); }
    Result<Bytes> receive(double timeout_s, const std::stop_token& stop) override {
        return stream_->receive(timeout_s, stop);
    }

private:
    std::shared_ptr<Side> stream_;
};

}  // namespace seedbed
