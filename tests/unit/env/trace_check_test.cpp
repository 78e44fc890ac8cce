// SPDX-License-Identifier: Apache-2.0
// Golden traces: correct ones pass, a wrong value in any field is found and named, legal random outcomes are
// accepted and illegal ones rejected.
#include "core/env/trace_check.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include "core/env/env_registry.hpp"
#include "core/env/json_difference.hpp"

namespace seedbed {
namespace {

using ::testing::HasSubstr;

// x moves by action - 1 plus a draw below `draws`; v is a real number that depends on x.
class Walk : public Env {
public:
    static EnvSpec spec() {
        EnvSpec spec;
        spec.id = "walk";
        spec.spaces.obs = {
            ObsLeaf{.shape = {2}},
            ObsLeaf{.name = "image", .kind = ObsLeaf::Kind::image, .dtype = DType::u8, .shape = {2, 3, 4}},
            ObsLeaf{.name = "other",
                    .kind = ObsLeaf::Kind::discrete,
                    .dtype = DType::i32,
                    .shape = {1},
                    .cardinality = 9},
            ObsLeaf{.name = "direction",
                    .kind = ObsLeaf::Kind::discrete,
                    .dtype = DType::i32,
                    .shape = {1},
                    .cardinality = 4}};
        spec.spaces.actions = {ActionLeaf{.n = 3}};
        return spec;
    }
    explicit Walk(std::uint32_t draws = 1) : draws_(draws) {}
    void reset(Rng&) override { *this = Walk(draws_); }
    StepResult step(const float* actions, float* rewards, Rng& rng) override {
        x_ += static_cast<int>(actions[0]) - 1;
        if (draws_ > 1) x_ += static_cast<int>(rng.below(draws_));
        finishStep();
        rewards[0] = static_cast<float>(x_) * 0.3F;
        if (x_ % 2 == 0) rewards[0] = 1;
        return {rewards[0], x_ > 7, true};
    }
    void observe(int, ObsOut out) const override {
        out.leaf<float>(0)[0] = static_cast<float>(x_);
        out.leaf<float>(0)[1] = static_cast<float>(v_);
        for (int i = 0; i < 24; ++i)
            out.leaf<std::uint8_t>(1)[i] = static_cast<std::uint8_t>(i % 5 == std::abs(x_) % 5 ? i : 0);
        *out.leaf<std::int32_t>(2) = 8;
        *out.leaf<std::int32_t>(3) = std::abs(x_) % 4;
    }
    void draw(Scene& scene) const override { scene.clear(-1, -1, 1, 1); }
    void archive(Archive& archive) override {
        archive.field("x", x_, range(-1'000'000, 1'000'000)).field("v", v_, kFinite<double>).flag("on", on_);
    }
    Json state() const override {
        return {{"x", x_}, {"v", v_}, {"on", on_}, {"list", {{x_, nullptr}, {1, on_}}}, {"ours", 3}};
    }
    Result<> setState(const Json& state) override {
        x_ = state.at("x").get<int>();
        v_ = state.at("v").get<double>();
        on_ = state.at("on").get<bool>();
        if (x_ > 1'000'000) return fail("x is out of the world");
        return {};
    }

protected:
    void finishStep() {
        v_ = v_ / 3 + x_;
        on_ = !on_;
    }
    std::uint32_t draws_;
    int x_ = 0;
    double v_ = 0;
    bool on_ = false;
};

// Has too many outcomes for sampling: only adoptOutcome() can find the recorded one.
class WideWalk final : public Walk {
public:
    WideWalk() : Walk(1U << 30) {}
    StepResult step(const float* actions, float* rewards, Rng& rng) override {
        Walk::step(actions, rewards, rng);
        rewards[0] = 1;
        return {1, false, false};
    }
    Result<> adoptOutcome(const Json& before, const float* action, const Json& after) override {
        const int drawn =
            after.at("x").get<int>() - (before.at("x").get<int>() + static_cast<int>(action[0]) - 1);
        if (drawn < 0) return fail("x never falls by " + std::to_string(-drawn));
        SEEDBED_TRY(setState(before));
        x_ = after.at("x").get<int>();
        finishStep();
        return {};
    }
};

std::unique_ptr<LocalBatch> one(std::unique_ptr<Env> env) {
    std::vector<std::unique_ptr<Env>> envs;
    envs.push_back(std::move(env));
    return batchOf(Walk::spec(), std::move(envs));
}

class TraceCheck : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / ("seedbed_trace_" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::vector<Json>& lines, bool compressed = true) {
        std::string text;
        for (const Json& line : lines) text += line.dump() + "\n";
        return writeText(text, compressed);
    }
    std::string writeText(const std::string& text, bool compressed) {
        const std::string path = folder_ / "trace.jsonl.gz";
        if (compressed) {
            gzFile file = gzopen(path.c_str(), "wb");
            gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
            gzclose(file);
        } else {
            std::ofstream(path, std::ios::binary) << text;
        }
        return path;
    }

    // Transitions computed with the model's formulas. `form`: 0 vector, 1 elements of the image, 2 image and
    // direction.
    static std::vector<Json> record(int form, int count = 12) {
        std::vector<Json> lines;
        int x = -3;
        double v = 0.1;
        bool on = true;
        for (int i = 0; i < count; ++i) {
            Json line;
            line["s"] = {{"x", x}, {"v", v}, {"on", on}, {"list", {{x, nullptr}, {1, on}}}};
            const int action = i % 4 == 1 ? 0 : 2;
            line["a"] = action;
            x += action - 1;
            v = v / 3 + x;
            on = !on;
            line["s2"] = {{"x", x}, {"v", v}, {"on", on}, {"list", {{x, nullptr}, {1, on}}}};
            line["r"] = x % 2 == 0 ? 1.0 : x * 0.3;
            line["term"] = x > 7;
            line["trunc"] = false;
            const auto pixel = [&](int c, int y, int column) {
                const int index = (c * 3 + y) * 4 + column;
                return index % 5 == std::abs(x) % 5 ? index : 0;
            };
            if (form == 0) line["o"] = {static_cast<double>(x), static_cast<double>(static_cast<float>(v))};
            for (int y = 0; y < 3 && form == 1; ++y)
                for (int column = 0; column < 4; ++column)
                    for (int c = 0; c < 2; ++c)
                        if (pixel(c, y, column) != 0) line["obs_on"].push_back({y, column, c});
            for (int column = 0; column < 4 && form == 2; ++column)
                for (int y = 0; y < 3; ++y)
                    line["image"][static_cast<std::size_t>(column)].push_back(
                        {pixel(0, y, column), pixel(1, y, column)});
            if (form == 2) line["dir"] = std::abs(x) % 4;
            lines.push_back(line);
        }
        return lines;
    }

    Result<TraceReport> check(const std::vector<Json>& lines) {
        return checkTrace(*one(std::make_unique<Walk>()), write(lines));
    }

    std::filesystem::path folder_;
};

TEST_F(TraceCheck, RightTracesOfEveryFormPass) {
    for (int form = 0; form < 3; ++form) {
        const auto report = check(record(form));
        ASSERT_TRUE(report) << report.error().text();
        EXPECT_FALSE(report->difference) << report->difference->text();
        EXPECT_EQ(report->transitions, 12U);
        EXPECT_EQ(report->drawn, 0U);
        EXPECT_TRUE(report->verdict());
    }
    EXPECT_TRUE(checkTrace(*one(std::make_unique<Walk>()), write(record(0), false)))
        << "uncompressed files are read as well";
}

TEST_F(TraceCheck, AWrongValueInAnyFieldIsFoundAndNamed) {
    struct Wrong {
        int form;
        const char* pointer;
        std::function<Json(const Json&)> change;
        const char* field;
    };
    const auto plus = [](double by) {
        return [by](const Json& value) {
            return value.is_number_integer() ? Json(value.get<int>() + static_cast<int>(by))
                                             : Json(value.get<double>() + by);
        };
    };
    const auto flip = [](const Json& value) { return Json(!value.get<bool>()); };
    const auto becomes = [](Json other) { return [other](const Json&) { return other; }; };
    const std::vector<Wrong> wrongs{
        {0, "/s2/x", plus(1), "s2.x"},
        {0, "/s2/v", plus(1e-7), "s2.v"},
        {0, "/s2/on", flip, "s2.on"},
        {0, "/s2/list/0/0", plus(-1), "s2.list[0][0]"},
        {0, "/s2/list/0/1", becomes(0), "s2.list[0][1]"},
        {0, "/s2/list/1", becomes(nullptr), "s2.list[1]"},
        {0, "/s2/list", becomes(Json::array({1})), "s2.list"},
        {0, "/s2/speed", becomes(3), "s2.speed"},
        {0, "/s/gone", becomes(1), "s.gone"},
        {0, "/r", plus(1e-5), "r"},
        {0, "/r", becomes("many"), "r"},
        {0, "/term", flip, "term"},
        {0, "/o/0", plus(1e-4), "o[0]"},
        {0, "/o/1", plus(1e-4), "o[1]"},
        {0, "/o/2", becomes(0.0), "o"},
        {1, "/obs_on/1/0", plus(1), "obs_on[1]"},
        {1, "/obs_on/1/1", plus(1), "obs_on[1]"},
        {1, "/obs_on/1/2", plus(1), "obs_on[1]"},
        {1, "/obs_on", becomes(Json::array()), "obs_on[0]"},
        {2, "/image/3/2/1", plus(1), "image[3][2][1]"},
        {2, "/image/0/1/0", plus(1), "image[0][1][0]"},
        {2, "/dir", plus(1), "dir"},
        // A wrong action is detected by its effects.
        {0, "/a", becomes(1), "s2.x"},
    };
    for (const Wrong& wrong : wrongs) {
        for (const std::size_t at : {0U, 5U, 11U}) {
            std::vector<Json> lines = record(wrong.form);
            const Json::json_pointer pointer(wrong.pointer);
            lines[at][pointer] = wrong.change(lines[at].contains(pointer) ? lines[at][pointer] : Json());
            const auto report = check(lines);
            ASSERT_TRUE(report) << wrong.pointer << ": " << report.error().text();
            ASSERT_TRUE(report->difference) << wrong.pointer << " in line " << at + 1 << " was not noticed";
            EXPECT_EQ(report->difference->field, wrong.field);
            EXPECT_EQ(report->difference->line, at + 1);
            EXPECT_EQ(report->transitions, at);
            EXPECT_EQ(report->verdict().error().code, ErrorCode::parity);
            EXPECT_THAT(report->verdict().error().text(), HasSubstr(wrong.field));
        }
    }
}

// Two walks at once; the second agent sees and gets the negative of the first.
class Mirror final : public Walk {
public:
    StepResult step(const float* actions, float* rewards, Rng& rng) override {
        const StepResult result = Walk::step(actions, rewards, rng);
        rewards[1] = -rewards[0];
        return result;
    }
    void observe(int agent, ObsOut out) const override {
        Walk::observe(agent, out);
        for (int i = 0; agent == 1 && i < 2; ++i) out.leaf<float>(0)[i] *= -1;
    }
};

TEST_F(TraceCheck, ComparesRewardsAndObservationsOfAllAgents) {
    std::vector<Json> lines = record(0);
    for (Json& line : lines) {
        line["a"] = {line["a"], 1};
        line["r"] = {line["r"], -line["r"].get<double>()};
        line["o"] = {line["o"], {-line["o"][0].get<double>(), -line["o"][1].get<double>()}};
    }
    const auto check_all = [&](const char* pointer, double by) {
        std::vector<Json> wrong = lines;
        if (pointer != nullptr) {
            Json& value = wrong[4][Json::json_pointer(pointer)];
            value = value.get<double>() + by;
        }
        EnvSpec spec = Walk::spec();
        spec.agents = 2;
        std::vector<std::unique_ptr<Env>> envs;
        envs.push_back(std::make_unique<Mirror>());
        const auto report = checkTrace(*batchOf(spec, std::move(envs)), write(wrong));
        EXPECT_TRUE(report) << report.error().text();
        return report->difference ? report->difference->field : "";
    };
    EXPECT_EQ(check_all(nullptr, 0), "");
    EXPECT_EQ(check_all("/r/0", 1), "r");
    EXPECT_EQ(check_all("/r/1", 1e-5), "r");
    EXPECT_EQ(check_all("/o/0/1", 1e-4), "o[0][1]");
    EXPECT_EQ(check_all("/o/1/0", 1e-4), "o[1][0]");
    lines[4]["r"].erase(1);
    EXPECT_EQ(check_all(nullptr, 0), "r");
}

TEST_F(TraceCheck, AnElementTooManyOrTooFewIsNamed) {
    std::vector<Json> lines = record(1);
    const std::size_t count = lines[2]["obs_on"].size();
    lines[2]["obs_on"].push_back({2, 3, 1});
    EXPECT_EQ(check(lines)->difference->got, "nothing");
    lines[2]["obs_on"].erase(count);
    lines[2]["obs_on"].erase(count - 1);
    const auto report = check(lines);
    EXPECT_EQ(report->difference->expected, "nothing");
    EXPECT_EQ(report->difference->field, "obs_on[" + std::to_string(count - 1) + "]");
}

TEST_F(TraceCheck, RealNumbersMayDifferByRoundingOnly) {
    EXPECT_FALSE(firstDifference(1.0, 1.0 + 5e-10, 1e-9, "v"));
    EXPECT_TRUE(firstDifference(1.0, 1.0 + 5e-9, 1e-9, "v"));
    EXPECT_FALSE(firstDifference(1e-15, 0.0, 1e-9, "v")) << "the tolerance is relative to at least 0.001";
    EXPECT_TRUE(firstDifference(1e-11, 0.0, 1e-9, "v"));
    EXPECT_TRUE(firstDifference(1, 1.0000001, 1e-3, "v")) << "integers must be equal";
    EXPECT_TRUE(firstDifference(1.0, std::nan(""), 1e-3, "v"));
    EXPECT_FALSE(firstDifference(true, 1, 0, "v"));
    EXPECT_TRUE(isFloat32({{"a", 0.5}, {"b", 3}}));
    EXPECT_TRUE(isFloat32(static_cast<double>(0.1F)));
    EXPECT_FALSE(isFloat32({0.1, static_cast<double>(0.1F)}));
    EXPECT_FALSE(isFloat32({1, 2.0})) << "whole numbers do not determine the type";
    // States stored as float32 are compared as float32.
    std::vector<Json> lines = record(0, 1);
    lines[0]["s2"]["v"] = static_cast<double>(static_cast<float>(lines[0]["s2"]["v"].get<double>()));
    EXPECT_FALSE(check(lines)->difference);
}

TEST_F(TraceCheck, RandomOutcomesMustBeLegal) {
    const auto stochastic = [&](int drawn, std::uint32_t draws) {
        std::vector<Json> lines = record(0, 1);
        const int x = lines[0]["s2"]["x"].get<int>() + drawn;
        const double v = 0.1 / 3 + x;
        lines[0]["s2"] = {{"x", x}, {"v", v}, {"on", false}};
        lines[0]["r"] = x % 2 == 0 ? 1.0 : x * 0.3;
        lines[0]["term"] = x > 7;
        lines[0]["o"] = {static_cast<double>(x), static_cast<double>(static_cast<float>(v))};
        return checkTrace(*one(std::make_unique<Walk>(draws)), write(lines));
    };
    for (int drawn = 0; drawn < 400; drawn += 57) {
        const auto report = stochastic(drawn, 400);
        ASSERT_TRUE(report);
        EXPECT_FALSE(report->difference) << report->difference->text();
        EXPECT_EQ(report->drawn, 1U);
    }
    const auto illegal = stochastic(400, 400);
    ASSERT_TRUE(illegal->difference);
    EXPECT_EQ(illegal->difference->field, "s2.x");
    EXPECT_THAT(illegal->difference->got, HasSubstr("none of the sampled outcomes"));
    EXPECT_TRUE(stochastic(1, 1)->difference)
        << "no random number was drawn, so there is nothing to choose from";
}

TEST_F(TraceCheck, TheHookAdoptsLegalDrawsAndNothingElse) {
    std::vector<Json> lines = record(0, 1);
    const int x = 123456;
    const double v = 0.1 / 3 + x;
    lines[0]["s2"] = {{"x", x}, {"v", v}, {"on", false}};
    lines[0]["o"] = {static_cast<double>(x), static_cast<double>(static_cast<float>(v))};
    const auto check_wide = [&] { return *checkTrace(*one(std::make_unique<WideWalk>()), write(lines)); };
    lines[0]["r"] = 1.0;
    lines[0]["term"] = false;
    EXPECT_FALSE(check_wide().difference) << check_wide().difference->text();
    lines[0]["r"] = 2.0;
    EXPECT_EQ(check_wide().difference->field, "r");
    lines[0]["r"] = 1.0;
    lines[0]["o"][0] = x + 1.0;
    EXPECT_EQ(check_wide().difference->field, "o[0]");
    lines[0]["s2"]["v"] = v + 1;
    EXPECT_EQ(check_wide().difference->field, "s2.v");
    lines[0]["s2"] = {{"x", -5}, {"v", 0.1 / 3 - 5}, {"on", false}};
    EXPECT_THAT(check_wide().difference->text(), HasSubstr("x never falls by 3"));
}

// Cards: the observation is the next number of the given sequence; 1 point for naming the previous one.
class Cards final : public Env {
public:
    static EnvSpec spec() {
        EnvSpec spec = Walk::spec();
        spec.spaces.obs = {
            ObsLeaf{.kind = ObsLeaf::Kind::discrete, .dtype = DType::i32, .shape = {1}, .cardinality = 4}};
        spec.spaces.actions = {ActionLeaf{.n = 4}};
        return spec;
    }
    void reset(Rng&) override { t_ = 0; }
    StepResult step(const float* actions, float* rewards, Rng&) override {
        rewards[0] = static_cast<float>(static_cast<int>(actions[0]) == cards_[t_] ? 0.1 : -0.1);
        return {rewards[0], ++t_ + 1 == cards_.size(), false};
    }
    void observe(int, ObsOut out) const override { *out.leaf<std::int32_t>(0) = cards_[t_]; }
    void draw(Scene& scene) const override { scene.clear(-1, -1, 1, 1); }
    void archive(Archive& archive) override {
        archive.list("cards", cards_, 100).field("t", t_, range(std::size_t{0}, 100));
    }
    Json state() const override { return {{"obs", cards_}, {"t", t_}}; }
    Result<> setState(const Json& state) override {
        cards_ = state.at("obs").get<std::vector<std::int32_t>>();
        t_ = state.at("t").get<std::size_t>();
        return {};
    }

private:
    std::vector<std::int32_t> cards_{0, 0};
    std::size_t t_ = 0;
};

TEST_F(TraceCheck, EpisodesArePlayedFromTheirSequence) {
    const Json episode = {{"k", 1},
                          {"obs", {3, 1, 2, 0}},
                          {"act", {3, 2, 2}},
                          {"rew", {0.1, -0.1, 0.1}},
                          {"term", {false, false, true}}};
    const auto play = [&](const Json& line) {
        std::vector<std::unique_ptr<Env>> envs;
        envs.push_back(std::make_unique<Cards>());
        return checkTrace(*batchOf(Cards::spec(), std::move(envs)), write({episode, line}));
    };
    const auto report = play(episode);
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_FALSE(report->difference);
    EXPECT_EQ(report->transitions, 6U);
    for (const auto& [pointer, value, field] :
         std::vector<std::tuple<const char*, Json, const char*>>{{"/rew/1", 0.1, "rew[1]"},
                                                                 {"/term/2", false, "term[2]"},
                                                                 {"/term/0", true, "term[0]"},
                                                                 {"/act/2", 1, "rew[2]"}}) {
        Json wrong = episode;
        wrong[Json::json_pointer(pointer)] = value;
        const auto found = play(wrong);
        ASSERT_TRUE(found->difference) << pointer;
        EXPECT_EQ(found->difference->field, field);
        EXPECT_EQ(found->difference->line, 2U);
    }
    Json uneven = episode;
    uneven["rew"].erase(0);
    EXPECT_THAT(play(uneven).error().text(), HasSubstr("do not match"));
}

TEST_F(TraceCheck, BadFilesAreRejectedInOneSentence) {
    const auto message = [&](const std::string& path) {
        const auto report = checkTrace(*one(std::make_unique<Walk>()), path);
        return report ? "passed" : report.error().text();
    };
    EXPECT_THAT(message(folder_ / "missing.jsonl.gz"), HasSubstr("No such file"));
    EXPECT_THAT(message(writeText("", true)), HasSubstr("no transition"));
    EXPECT_THAT(message(writeText("[1, 2]\n", true)), HasSubstr("line 1"));
    EXPECT_THAT(message(writeText("{\"s\": 1\n", false)), HasSubstr("not a JSON object"));
    EXPECT_THAT(message(writeText("{\"s\": {}}\n", true)), HasSubstr("the line has no 'a'"));

    std::vector<Json> lines = record(0);
    lines[3].erase("o");
    EXPECT_THAT(message(write(lines)), HasSubstr("line 4"));
    lines = record(0);
    lines[3]["a"] = 3;
    EXPECT_THAT(message(write(lines)), HasSubstr("is not one of the environment's 3 choices"));
    lines[3]["a"] = {1, 1};
    EXPECT_THAT(message(write(lines)), HasSubstr("2 numbers instead of 1"));
    lines[3]["a"] = "up";
    EXPECT_THAT(message(write(lines)), HasSubstr("not a number"));
    lines = record(0);
    lines[2]["s"]["x"] = 2'000'000;
    EXPECT_THAT(message(write(lines)), HasSubstr("x is out of the world"));
    lines[2]["s"]["x"] = "left";
    EXPECT_THAT(message(write(lines)), HasSubstr("line 3"));

    // Compressed data that is truncated in the middle, or damaged there.
    const std::string path = write(record(0));
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    EXPECT_THAT(message(path), HasSubstr("cannot read the trace"));
    std::string bytes;
    {
        std::ifstream file(write(record(0)), std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(file), {});
    }
    bytes[bytes.size() / 2] = static_cast<char>(~bytes[bytes.size() / 2]);
    EXPECT_NE(message(writeText(bytes, false)), "passed");
}

TEST_F(TraceCheck, UnknownEnvironmentsAreConfigurationErrors) {
    const auto report = checkTrace("no_such_environment", write(record(0)));
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::config);
}

}  // namespace
}  // namespace seedbed
