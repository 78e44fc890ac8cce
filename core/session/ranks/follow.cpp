// SPDX-License-Identifier: Apache-2.0
#include "core/session/ranks/follow.hpp"

#include <chrono>
#include <utility>

#include "core/base/log.hpp"
#include "core/session/run_watched.hpp"
#include "core/session/session.hpp"

namespace seedbed {
namespace {

constexpr std::chrono::seconds kEndTimeout{5};

class Follower {
public:
    Follower(std::shared_ptr<RankLink> link, std::stop_token stop)
        : link_(std::move(link)), stop_(std::move(stop)) {}
    ~Follower() { endSession(); }

    Result<> run() {
        while (true) {
            auto received = link_->receive();
            Result<> done;
            if (!received) {
                if (received.error().code != kRankLost) return tl::unexpected<Error>(received.error());
                done = tl::unexpected<Error>(std::move(received).error());
            } else {
                if (received->first == RankCommand::end) return {};
                done = apply(received->first, std::move(received->second));
            }
            // Rank 0 has received other errors too, and decides what happens next.
            if (done || done.error().code != kRankLost) continue;
            SEEDBED_ASSIGN(const bool kept, link_->group().rejoin(state()));
            if (!kept) return {};
        }
    }

private:
    Result<> apply(RankCommand command, RankLink::Bytes data) {
        if (command == RankCommand::create) return create(std::move(data));
        if (session_ == nullptr) return fail("no session");
        switch (command) {
            case RankCommand::parameters: {
                Archive params = Archive::loading(std::move(data));
                archiveParams(params, session_->learner());
                return params.finish();
            }
            case RankCommand::iterate:
                return runWatched(*session_, [this]() -> Result<> {
                    return session_->iterate(stop_).map([](const IterationStats&) {});
                });
            case RankCommand::save: {
                Archive archive = Archive::saving();
                return session_->archive(archive);
            }
            case RankCommand::load: return load(std::move(data));
            case RankCommand::live: {
                const Json params = Json::parse(data.begin(), data.end(), nullptr, false);
                if (params.is_object()) session_->learner().setLive(params);
                return {};
            }
            case RankCommand::create:
            case RankCommand::end: break;
        }
        return {};
    }

    Result<> create(RankLink::Bytes data) {
        endSession();
        Result<std::unique_ptr<Session>> made = createSession(data);
        Result<> own;
        if (made) session_ = std::move(*made);
        else own = tl::unexpected<Error>(std::move(made).error());
        return link_->gather(own).map([](const auto&) {});
    }

    Result<std::unique_ptr<Session>> createSession(const RankLink::Bytes& data) {
        const Json request = Json::parse(data.begin(), data.end(), nullptr, false);
        if (!request.is_object() || !request.contains("config"))
            return fail("rank 0 sent no configuration; all ranks must run the same version");
        SEEDBED_ASSIGN(TrainingConfig config, parseTrainingConfig(request.at("config")));
        config.run.engine = request.value("engine", config.run.engine);
        config.run.threads = request.value("threads", config.run.threads);
        config.recorded_auto = request.value("auto", Json());
        SEEDBED_ASSIGN(SessionPlan plan, Session::plan(config, {link_->rank(), link_->ranks()}));
        return Session::create(std::move(plan), stop_, link_);
    }

    Result<> load(RankLink::Bytes data) {
        Archive both = Archive::loading(std::move(data));
        std::vector<std::uint8_t> networks, state;
        both.list("parameters", networks, kMostRankBytes).list("state", state, kMostRankBytes);
        Result<> own = both.finish();
        if (own) {
            Archive params = Archive::loading(std::move(networks));
            archiveParams(params, session_->learner());
            own = params.finish();
        }
        if (!own) return link_->gather(own).map([](const auto&) {});
        Archive archive = Archive::loading(std::move(state));
        return session_->archive(archive);
    }

    RankLink::Bytes state() {
        RankState state;
        if (session_ != nullptr) state = session_->rankState();
        Archive archive = Archive::saving();
        state.archive(archive);
        return std::move(archive).take();
    }

    void endSession() {
        if (session_ == nullptr || session_->end(kEndTimeout)) {
            session_.reset();
            return;
        }
        log::warning("an environment does not return from its step; this rank exits anyway");
        static_cast<void>(session_.release());
    }

    std::shared_ptr<RankLink> link_;
    std::stop_token stop_;
    std::unique_ptr<Session> session_;
};

}  // namespace

Result<> followRun(std::shared_ptr<RankLink> link, std::stop_token stop) {
    return Follower(std::move(link), std::move(stop)).run();
}

}  // namespace seedbed
