// SPDX-License-Identifier: Apache-2.0
#include "core/play/player.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/nn/acting_head.hpp"
#include "core/play/inspector.hpp"

namespace seedbed {

Result<std::unique_ptr<Player>> Player::create(PlayerSpec spec, const Params& params) {
    SEEDBED_CHECK(spec.player.net || !spec.player.scripted.empty() || spec.replay != nullptr,
                  "a game needs a player or a replay");
    SEEDBED_ASSIGN(const EnvSpec env, spec.env->spec(spec.env_params));
    std::unique_ptr<Player> player(new Player(std::move(spec)));
    const PlayerSpec& s = player->spec_;
    RingSpec ring{.spaces = env.spaces, .columns = s.envs * env.agents};
    ring.rows = ring.history() + 3;
    if (s.player.net) ring.policy_words = s.player.distribution.words();
    else if (s.rival && s.rival->net) ring.policy_words = s.rival->distribution.words();
    if (s.player.net && s.player.net->plan().state_words > 0) {
        ring.state_words = s.player.net->plan().state_words;
        ring.state_every = 1;
    }
    SEEDBED_ASSIGN(player->ring_, Ring::create(ring));
    SEEDBED_ASSIGN(auto batch, s.env->make(s.env_params, s.envs));
    player->env_ = std::make_unique<VectorEnv>(std::move(batch), *player->ring_,
                                               VectorEnvOptions{.seed = s.seed,
                                                                .purpose = s.purpose,
                                                                .first_lane = static_cast<int>(s.first_lane),
                                                                .horizon = env.horizon});
    SEEDBED_TRY(player->createActors(env));
    if (s.record) player->recorder_.emplace(*player->ring_, env.agents, s.first_lane, s.record_bytes);
    player->cells_.resize(static_cast<std::size_t>(s.envs));
    for (PlayerCell& cell : player->cells_) cell.others.resize(static_cast<std::size_t>(env.agents) - 1);
    player->traces_.resize(static_cast<std::size_t>(s.envs * env.agents));
    // step() replaces the last state of an episode, so it must be drawn first.
    player->env_->onStepped([self = player.get()] {
        if (self->drawing_) self->drawAll();
    });
    SEEDBED_TRY(player->env_->reset());
    player->drawAll();
    SEEDBED_TRY(player->decide(params));
    return player;
}

Result<> Player::createActors(const EnvSpec& env) {
    PlayerSpec& s = spec_;
    SEEDBED_CHECK(!s.rival || (s.seat >= 0 && s.seat < env.agents && env.agents > 1),
                  "a rival needs a second seat");
    if (s.rival) {
        s.rival->params = SeatActor::paramsOf(*s.rival);
        s.rival->policies.params.clear();
    }
    SeatActorOptions options{.seed = s.seed, .seats = {}, .stores_state = true};
    if (s.rival) {
        options.seats.assign(static_cast<std::size_t>(env.agents), false);
        options.seats[static_cast<std::size_t>(s.seat)] = true;
    }
    if (s.player.net || !s.player.scripted.empty()) {
        SEEDBED_ASSIGN(actor_, SeatActor::create(s.player, *s.env, *env_, *ring_, options));
    }
    if (s.rival) {
        options.seats.flip();
        options.stores_state = false;
        SEEDBED_ASSIGN(rival_, SeatActor::create(*s.rival, *s.env, *env_, *ring_, options));
    }
    select(s.selection);
    return {};
}

void Player::drawAll() {
    for (int e = 0; e < spec_.envs; ++e) env_->batch().draw(e, cells_[static_cast<std::size_t>(e)].scene);
}

void Player::clearPast() {
    for (PlayerCell& cell : cells_) cell.last_end = EpisodeMark::none;
    for (std::deque<PlayerRecord>& trace : traces_) trace.erase(trace.begin(), trace.end() - 1);
    redraw();
}

void Player::redraw() {
    drawAll();
    drawn_ = true;
}

void Player::select(Selection selection) {
    spec_.selection = selection;
    for (SeatActor* actor : {actor_.get(), rival_.get()})
        if (actor != nullptr) actor->select(selection);
}

std::size_t Player::left() const {
    const auto words = static_cast<std::size_t>(ring_->columns()) *
                       static_cast<std::size_t>(ring_->spec().spaces.actionWords());
    return spec_.replay->actions.size() / words - replayed_;
}

void Player::useReplayActions() {
    const std::uint64_t t = ring_->head();
    const auto words = static_cast<std::size_t>(ring_->columns()) *
                       static_cast<std::size_t>(ring_->spec().spaces.actionWords());
    if (ring_->valid(t)[0] != 0 && !finished())
        std::memcpy(ring_->action(t), spec_.replay->actions.data() + replayed_ * words,
                    words * sizeof(float));
}

Result<> Player::decide(const Params& params) {
    std::fill_n(ring_->policyId(ring_->head()), ring_->columns(), std::uint16_t{0});
    if (actor_) SEEDBED_TRY(actor_->act(params));
    if (rival_) SEEDBED_TRY(rival_->act(spec_.rival->params));
    if (spec_.replay != nullptr) useReplayActions();
    for (std::size_t env = 0; env < cells_.size(); ++env)
        for (int agent = 0; agent < env_->spec().agents; ++agent) recordRow(env, agent);
    return {};
}

// The origin of the action of the head row.
DecisionSource Player::sourceOf(std::size_t column) const {
    if (spec_.replay == nullptr) return DecisionSource::policy;
    const std::vector<std::uint8_t>& persons = spec_.replay->persons;
    const std::size_t at = replayed_ * static_cast<std::size_t>(ring_->columns()) + column;
    return at < persons.size() && persons[at] != 0 ? DecisionSource::person : DecisionSource::recorded;
}

std::vector<float> Player::clamped(std::vector<float> action) const {
    std::size_t word = 0;
    for (const ActionLeaf& leaf : envSpec().spaces.actions)
        for (int i = 0; i < leaf.words(); ++i, ++word)
            if (leaf.kind == ActionLeaf::Kind::box)
                action[word] =
                    std::clamp(action[word], static_cast<float>(leaf.low[static_cast<std::size_t>(i)]),
                               static_cast<float>(leaf.high[static_cast<std::size_t>(i)]));
    return action;
}

void Player::act(int env, int agent, const std::vector<float>& action, DecisionSource source) {
    const std::uint64_t t = ring_->head();
    const std::size_t column = columnOf(env, agent);
    PlayerRecord& now = cells_[static_cast<std::size_t>(env)].nowOf(agent);
    if (!now.decided) return;
    std::copy(action.begin(), action.end(), ring_->action(t) + column * action.size());
    if (source == DecisionSource::person) ring_->policyId(t)[column] = kPersonPolicy;
    now.chosen = action;
    now.action = clamped(action);
    now.source = source;
    traces_[column].back() = now;
}

// Copies the data of the head row for one agent.
void Player::recordRow(std::size_t env, int agent) {
    const std::uint64_t t = ring_->head();
    const std::size_t column =
        env * static_cast<std::size_t>(env_->spec().agents) + static_cast<std::size_t>(agent);
    const Spaces& spaces = ring_->spec().spaces;
    const auto action_words = static_cast<std::size_t>(spaces.actionWords());
    PlayerCell& cell = cells_[env];
    PlayerRecord& now = cell.nowOf(agent);
    now.row = row_;
    now.episode = cell.episodes;
    now.step = ring_->episodeStep(t)[column];
    now.decided = ring_->valid(t)[column] != 0 && !finished();
    now.end = EpisodeMark::none;
    now.reward = PlayerRecord::kUnknown;
    now.value = PlayerRecord::kUnknown;
    now.entropy = PlayerRecord::kUnknown;
    now.source = sourceOf(column);
    now.action.clear();
    now.policy.clear();
    now.shown.clear();
    const SeatPlayer& player = playerOf(agent);
    if (player.net && !finished()) {
        const auto words = static_cast<std::size_t>(player.distribution.words());
        const float* policy = ring_->policy(t) + column * words;
        const std::uint8_t* mask =
            spaces.has_mask ? ring_->mask(t) + column * static_cast<std::size_t>(spaces.maskBytes())
                            : nullptr;
        now.policy.assign(policy, policy + words);
        now.shown = shownOf(player.distribution, policy, mask);
        if (player.net->plan().head("value") != nullptr) now.value = ring_->value(t)[column];
        if (actingHead(player.net->plan())->kind != "q")
            player.distribution.entropy(1, policy, mask, ring_->action(t) + column * action_words,
                                        &now.entropy);
    }
    if (now.decided) {
        const float* action = ring_->action(t) + column * action_words;
        now.action.assign(action, action + action_words);
        now.chosen = now.action;
        now.action = clamped(now.action);
    }
    std::deque<PlayerRecord>& trace = traces_[column];
    trace.push_back(now);
    if (trace.size() > kTraceRows) trace.pop_front();
}

void Player::archiveActors(Archive& archive) {
    for (SeatActor* actor : {actor_.get(), rival_.get()})
        if (actor != nullptr) actor->archive(archive);
}

Result<std::vector<std::uint8_t>> Player::snapshot() {
    if (spec_.replay != nullptr) return fail(ErrorCode::config, "the actions of a replay are recorded");
    if (!env_->canArchive())
        return fail(ErrorCode::config, "the environment '" + envSpec().id + "' cannot save its state");
    Archive archive = Archive::saving();
    SEEDBED_TRY(ring_->archive(archive, ring_->head()));
    SEEDBED_TRY(env_->archive(archive));
    archiveActors(archive);
    archive.any(row_);
    return std::move(archive).take();
}

Result<> Player::restore(const std::vector<std::uint8_t>& snapshot, std::vector<PlayerCell> cells,
                         const Player& past) {
    Archive archive = Archive::loading(snapshot);
    SEEDBED_TRY(ring_->archive(archive, 0));
    SEEDBED_TRY(env_->archive(archive));
    archiveActors(archive);
    archive.any(row_);
    SEEDBED_TRY(archive.finish());
    for (int env = 0; recorder_ && env < spec_.envs; ++env) recorder_->enough(env);
    cells_ = std::move(cells);
    for (std::size_t column = 0; column < traces_.size(); ++column) {
        std::deque<PlayerRecord> trace;
        for (const PlayerRecord& record : past.traces_[column])
            if (record.row < row_) trace.push_back(record);
        const std::size_t agents = cells_[0].others.size() + 1;
        PlayerRecord& now = cells_[column / agents].nowOf(static_cast<int>(column % agents));
        if (now.decided) {
            const std::size_t words = now.action.size();
            const float* chosen = ring_->action(ring_->head()) + column * words;
            now.chosen.assign(chosen, chosen + words);
        }
        trace.push_back(now);
        traces_[column] = std::move(trace);
    }
    ended_.clear();
    drawn_ = true;
    return {};
}

Result<> Player::step(const Params& params, bool draw) try {
    const std::uint64_t t = ring_->head();
    const auto agents = static_cast<std::size_t>(env_->spec().agents);
    drawing_ = draw;
    std::vector<EpisodeEnd> all;
    SEEDBED_TRY(env_->step(all));
    if (recorder_) recorder_->stepped(all);
    ended_.clear();
    for (const EpisodeEnd& end : all)
        if (static_cast<std::size_t>(end.column) % agents == 0) ended_.push_back(end);
    for (std::size_t column = 0; column < traces_.size(); ++column) {
        PlayerRecord& last = traces_[column].back();
        PlayerRecord& now = cells_[column / agents].nowOf(static_cast<int>(column % agents));
        if (last.decided) {
            last.reward = ring_->reward(t)[column];
            now.return_so_far += static_cast<double>(last.reward);
        } else {
            now.return_so_far = 0;  // the extra row of a truncation is followed by a new episode
        }
    }
    // An episode ends at the same time for all agents of an environment.
    for (const EpisodeEnd& end : all) {
        const auto column = static_cast<std::size_t>(end.column);
        const int agent = static_cast<int>(column % agents);
        PlayerCell& cell = cells_[column / agents];
        cell.last_end = end.terminated ? EpisodeMark::terminated : EpisodeMark::truncated;
        cell.lastReturnOf(agent) = end.episode_return;
        traces_[column].back().end = cell.last_end;
        if (!end.terminated) continue;
        if (agent == 0) ++cell.episodes;
        cell.nowOf(agent).return_so_far = 0;
    }
    if (spec_.replay != nullptr && ring_->valid(t)[0] != 0 && !finished()) ++replayed_;
    ++row_;
    drawn_ = draw;
    for (std::size_t env = 0; env < cells_.size(); ++env) {
        // The scene before the extra row of a truncation shows the old episode.
        if (ring_->valid(t)[env * agents] != 0 || ring_->first(ring_->head())[env * agents] == 0) continue;
        ++cells_[env].episodes;
        if (draw) env_->batch().draw(static_cast<int>(env), cells_[env].scene);
    }
    return decide(params);
} catch (...) {
    return tl::unexpected<Error>(currentException());
}

}  // namespace seedbed
