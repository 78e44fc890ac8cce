// SPDX-License-Identifier: Apache-2.0
// seedbed_grpc.so: the transport of fleets.
#include <string_view>

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include "core/base/version.hpp"
#include "core/fleet/grpc/grpc_link.hpp"

namespace seedbed {
namespace {

constexpr const char* kMethod = "/seedbed.Fleet/Group";
// Both sides send a ping after this time without data, and end the connection if no answer arrives within the
// same time. A silent partition is therefore noticed after 20 s, less than a learner or an actor that is
// restarted needs; a round trip of a second and lost packets cause no loss. The pings of idle connections are
// a few bytes per second.
constexpr int kPingMs = 10'000;

class ServerStream final : public GrpcStream<ServerStream, grpc::ServerGenericBidiReactor> {
public:
    // `context` is valid until OnDone.
    explicit ServerStream(grpc::GenericCallbackServerContext& context) : context_(context) {}
    void begin() {
        keep();
        StartRead(&inbox_);
    }
    void finish() { Finish(grpc::Status::OK); }
    void cancel() { context_.TryCancel(); }
    void OnReadDone(bool ok) override { readDone(ok); }
    void OnWriteDone(bool ok) override { writeDone(ok); }
    void OnCancel() override { lose(); }
    void OnDone() override { done(""); }

private:
    grpc::GenericCallbackServerContext& context_;
};

class ClientStream final
    : public GrpcStream<ClientStream, grpc::ClientBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>> {
public:
    void begin(const std::shared_ptr<grpc::Channel>& channel) {
        channel_ = channel;
        keep();
        grpc::TemplatedGenericStub<grpc::ByteBuffer, grpc::ByteBuffer>(channel).PrepareBidiStreamingCall(
            &context_, kMethod, grpc::StubOptions(), this);
        AddHold();  // operations begin outside of gRPC's calls
        StartRead(&inbox_);
        StartCall();
    }
    void finish() {
        context_.TryCancel();
        RemoveHold();
    }
    void cancel() { context_.TryCancel(); }
    void OnReadDone(bool ok) override { readDone(ok); }
    void OnWriteDone(bool ok) override { writeDone(ok); }
    void OnDone(const grpc::Status& status) override {
        done(status.ok() ? "the learner closed the connection" : status.error_message());
    }

private:
    grpc::ClientContext context_;
    std::shared_ptr<grpc::Channel> channel_;
};

class GrpcListener final : public LinkListener, public grpc::CallbackGenericService {
public:
    explicit GrpcListener(std::function<void(std::unique_ptr<Link>)> accepted)
        : accepted_(std::move(accepted)) {}
    ~GrpcListener() override {
        if (server_ == nullptr) return;
        server_->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(1));
        server_->Wait();
    }

    grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext* context) override {
        const auto stream = std::make_shared<ServerStream>(*context);
        stream->begin();
        if (context->method() == kMethod) accepted_(std::make_unique<GrpcLink<ServerStream>>(stream));
        else stream->close();
        return stream.get();
    }
    int port() const override { return port_; }

    Result<> start(const std::string& address, const LinkIdentity& identity, std::size_t max_bytes) {
        grpc::SslServerCredentialsOptions options(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
        options.pem_root_certs = identity.authority;
        options.pem_key_cert_pairs.push_back({identity.key, identity.certificate});
        grpc::ServerBuilder builder;
        builder.AddListeningPort(address, grpc::SslServerCredentials(options), &port_);
        builder.RegisterCallbackGenericService(this);
        builder.SetMaxReceiveMessageSize(static_cast<int>(max_bytes));
        builder.SetMaxSendMessageSize(-1);
        builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
        builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kPingMs);
        builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kPingMs);
        builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, kPingMs / 2);
        builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
        server_ = builder.BuildAndStart();
        if (server_ != nullptr && port_ > 0) return {};
        return fail(ErrorCode::config, "cannot listen at " + address +
                                           ": the address is not one of this machine, or another program "
                                           "uses the port");
    }

private:
    std::function<void(std::unique_ptr<Link>)> accepted_;
    std::unique_ptr<grpc::Server> server_;
    int port_ = 0;
};

class GrpcTransport final : public LinkTransport {
public:
    Result<std::unique_ptr<LinkListener>> listen(
        const std::string& address, const LinkIdentity& identity, std::size_t max_bytes,
        std::function<void(std::unique_ptr<Link>)> accepted) override {
        auto listener = std::make_unique<GrpcListener>(std::move(accepted));
        SEEDBED_TRY(listener->start(address, identity, max_bytes));
        return std::unique_ptr<LinkListener>(std::move(listener));
    }

    Result<std::unique_ptr<Link>> connect(const std::string& address, const LinkIdentity& identity,
                                          std::size_t max_bytes, double timeout_s,
                                          const std::stop_token& stop) override {
        grpc::ChannelArguments arguments;
        arguments.SetSslTargetNameOverride(kLearnerName);
        arguments.SetMaxReceiveMessageSize(static_cast<int>(max_bytes));
        arguments.SetMaxSendMessageSize(-1);
        arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kPingMs);
        arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kPingMs);
        arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
        // Otherwise connections to the same learner would share a socket.
        arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
        const auto channel = grpc::CreateCustomChannel(
            address, grpc::SslCredentials({identity.authority, identity.key, identity.certificate}),
            arguments);
        const auto until = std::chrono::system_clock::now() + std::chrono::duration<double>(timeout_s);
        grpc_connectivity_state state = channel->GetState(true);
        while (state != GRPC_CHANNEL_READY && state != GRPC_CHANNEL_TRANSIENT_FAILURE &&
               std::chrono::system_clock::now() < until && !stop.stop_requested()) {
            channel->WaitForStateChange(state,
                                        std::chrono::system_clock::now() + std::chrono::milliseconds(50));
            state = channel->GetState(true);
        }
        if (stop.stop_requested()) return fail(ErrorCode::interrupted, "stopped while connecting");
        if (state != GRPC_CHANNEL_READY && state != GRPC_CHANNEL_TRANSIENT_FAILURE)
            return fail(ErrorCode::stalled, "nothing answers at " + address);
        // After a failure the call fails immediately, with the reason.
        const auto stream = std::make_shared<ClientStream>();
        stream->begin(channel);
        keep(channel);
        return std::unique_ptr<Link>(std::make_unique<GrpcLink<ClientStream>>(stream));
    }

private:
    // The last channel with a call ends the queue and the threads of all callbacks, and aborts if its last
    // reference was that of a callback (gRPC 1.51). One channel therefore remains until the process exits.
    void keep(const std::shared_ptr<grpc::Channel>& channel) {
        std::shared_ptr<grpc::Channel> before;
        const std::scoped_lock lock(mutex_);
        before = std::exchange(kept_, channel);
    }

    std::mutex mutex_;
    std::shared_ptr<grpc::Channel> kept_;
};

}  // namespace
}  // namespace seedbed

extern "C" __attribute__((visibility("default"))) seedbed::LinkTransport* seedbedLinkTransport(
    const char* version) {
    static auto* const transport = new seedbed::GrpcTransport;
    return std::string_view(version) == seedbed::kVersion ? transport : nullptr;
}
