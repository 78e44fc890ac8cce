// SPDX-License-Identifier: Apache-2.0
// Tests scores over tasks, and the tables and figures of papers.
#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "core/analysis/group_names.hpp"
#include "core/analysis/over_tasks.hpp"
#include "core/analysis/report/plots.hpp"
#include "core/analysis/report/text_table.hpp"
#include "core/base/rng.hpp"

namespace seedbed {
namespace {

void add(std::vector<NormalisedScore>& to, const std::string& method, const std::string& task,
         const std::vector<double>& scores) {
    for (const double score : scores) to.push_back({method, task, score});
}

TEST(OverTasks, NumbersAreThoseOfTheDefinitions) {
    std::vector<NormalisedScore> scores;
    add(scores, "a", "one", {3, 0, 2, 1});
    add(scores, "a", "two", {4, 5, 6, 7});
    add(scores, "b", "one", {1, 2, 3, 4});
    add(scores, "b", "two", {5, 6, 7, 8});
    const OverTasks over = compareOverTasks(scores).value();
    ASSERT_EQ(over.methods.size(), 2U);
    EXPECT_EQ(over.tasks, (std::vector<std::string>{"one", "two"}));
    const MethodScores &a = over.methods[0], &b = over.methods[1];
    EXPECT_EQ(a.runs, 8U);
    EXPECT_DOUBLE_EQ(a.iqm.value, 3.5);
    EXPECT_DOUBLE_EQ(a.mean.value, 3.5);
    EXPECT_DOUBLE_EQ(a.median.value, 3.5);
    EXPECT_DOUBLE_EQ(a.optimality_gap.value, 1.0 / 8);
    EXPECT_DOUBLE_EQ(b.optimality_gap.value, 0);
    EXPECT_DOUBLE_EQ(a.improvement.low, 0.5);
    EXPECT_DOUBLE_EQ(b.improvement.value, 11.5 / 16);
    EXPECT_GT(b.improvement.high, b.improvement.value);
    // Shares above 0 and above 8, the highest score.
    EXPECT_EQ(over.thresholds.front(), 0);
    EXPECT_EQ(over.thresholds.back(), 8);
    EXPECT_DOUBLE_EQ(a.profile.front().value, (0.75 + 1) / 2);
    EXPECT_DOUBLE_EQ(b.profile.back().value, 0);
    for (const Estimate* each : {&a.iqm, &a.mean, &b.median, &b.improvement}) {
        EXPECT_LE(each->low, each->value);
        EXPECT_GE(each->high, each->value);
    }
}

// Runs are drawn again within their task only: without spread within tasks the result has no spread.
TEST(OverTasks, IntervalsComeFromTheRunsOfEachTask) {
    std::vector<NormalisedScore> scores;
    add(scores, "a", "one", {0, 0, 0, 0, 0});
    add(scores, "a", "two", {1, 1, 1, 1, 1});
    const MethodScores fixed = compareOverTasks(scores).value().methods[0];
    EXPECT_DOUBLE_EQ(fixed.mean.low, 0.5);
    EXPECT_DOUBLE_EQ(fixed.mean.high, 0.5);
    // 50 normal numbers: the interval of the mean has the width of the normal approximation within 15 %,
    // which covers the 2.5 % quantile of 2,000 resamples.
    Rng rng(7, RngPurpose::test);
    std::vector<double> normal;
    double sum = 0, squares = 0;
    for (int i = 0; i < 50; ++i) {
        normal.push_back(rng.normal());
        sum += normal.back();
        squares += normal.back() * normal.back();
    }
    scores.clear();
    add(scores, "a", "one", normal);
    const Estimate mean = compareOverTasks(scores).value().methods[0].mean;
    const double deviation = std::sqrt((squares - sum * sum / 50) / 50 / 50);
    EXPECT_NEAR((mean.high - mean.low) / (2 * 1.96 * deviation), 1, 0.15);
    // A method that lacks a task cannot be compared.
    add(scores, "b", "two", {1});
    EXPECT_NE(compareOverTasks(scores).error().text().find("'a' has no run of 'two'"), std::string::npos);
    EXPECT_FALSE(compareOverTasks({}));
}

TEST(TextTables, EscapeWhatTheirFormatsGiveAMeaning) {
    const std::vector<std::vector<std::string>> rows{{"a,b", "x|y"}, {"50 % \"of\" a_b", "-3"}, {"[64]", ""}};
    EXPECT_EQ(tableText(rows, TableFormat::csv), "\"a,b\",x|y\n\"50 % \"\"of\"\" a_b\",-3\n[64],\n");
    EXPECT_EQ(tableText(rows, TableFormat::markdown),
              "| a,b | x\\|y |\n| --- | --- |\n| 50 % \"of\" a_b | -3 |\n| [64] |  |\n");
    EXPECT_EQ(tableText(rows, TableFormat::latex),
              "\\begin{tabular}{lr}\n\\toprule\na,b & x\\textbar{}y \\\\\n\\midrule\n50 \\% \"of\" a\\_b & "
              "$-3$ \\\\\n{[}64] &  \\\\\n"
              "\\bottomrule\n\\end{tabular}\n");
}

TEST(Names, KeepOnlyTheSettingsThatDistinguishThem) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(distinctNames({"algo.id=ppo, a=1", "algo.id=a2c, a=2"}), (Names{"ppo", "a2c"}));
    EXPECT_EQ(distinctNames({"algo.id=ppo, a=1, b=2", "algo.id=ppo, a=2, b=3"}),
              (Names{"algo.id=ppo, a=1", "algo.id=ppo, a=2"}));
    EXPECT_EQ(distinctNames({"a=1", "b=1"}), (Names{"a=1", "b=1"}));
    EXPECT_EQ(distinctNames({"cartpole ppo"}), (Names{"cartpole ppo"}));
}

std::size_t countOf(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

TEST(Pictures, AreValidAndTheSameEveryTime) {
    VectorPicture picture(100, 50);
    picture.line({{0, 0}, {100, 50}}, {0x0072B2, 0.5}, 2, true);
    picture.area({{0, 0}, {10, 0}, {10, 10}}, {0xFF0000});
    picture.text(50, 25,
                 "a<b & (c)\\ \xE2\x88\x92"
                 "1 \xE6\xBC\xA2",
                 10, VectorPicture::Anchor::middle);
    picture.line({{1, 1}}, {});  // not a line
    const std::string svg = picture.svg();
    EXPECT_EQ(countOf(svg, "<polyline"), 1U);
    EXPECT_NE(svg.find("stroke=\"#0072b2\" stroke-opacity=\"0.50\""), std::string::npos);
    EXPECT_NE(svg.find("a&lt;b &amp; (c)\\ \xE2\x88\x92"
                       "1 \xE6\xBC\xA2</text>"),
              std::string::npos);
    const std::string pdf = picture.pdf();
    EXPECT_EQ(pdf, picture.pdf());
    // y runs upwards in PDF.
    EXPECT_NE(pdf.find("0.00 50.00 m\n100.00 0.00 l\nS\n"), std::string::npos);
    EXPECT_NE(pdf.find("(a<b & \\(c\\)\\\\ \x96"
                       "1 ?) Tj"),
              std::string::npos);
    // Each entry of the table is the place of its object, and the stream has its length.
    const std::size_t table = pdf.rfind("xref\n0 6\n");
    ASSERT_NE(table, std::string::npos);
    EXPECT_NE(pdf.find("startxref\n" + std::to_string(table) + "\n"), std::string::npos);
    for (int object = 1; object <= 5; ++object) {
        const std::size_t at = std::stoul(pdf.substr(table + 9 + 20 * static_cast<std::size_t>(object), 10));
        EXPECT_TRUE(pdf.substr(at).starts_with(std::to_string(object) + " 0 obj\n")) << object;
    }
    const std::size_t begin = pdf.find("stream\n") + 7;
    EXPECT_EQ(pdf.find("endstream") - begin, std::stoul(pdf.substr(pdf.find("/Length ") + 8)));
    EXPECT_DOUBLE_EQ(VectorPicture::widthOf("Ai", 10), (667 + 222) / 100.0);
}

TEST(Plots, HaveRoundTicksAndGaps) {
    EXPECT_EQ(ticksWithin(0, 1, 5).size(), 6U);
    EXPECT_EQ(ticksWithin(0, 30'000, 5)[1], 10'000);
    EXPECT_EQ(ticksWithin(-0.3, 0.3, 5), (std::vector<double>{-0.2, 0, 0.2}));
    EXPECT_EQ(ticksWithin(2, 2, 5), std::vector<double>{2});
    EXPECT_LE(ticksWithin(0.1, std::nextafter(0.1, 1), 5).size(), 21U);
    VectorPicture constant(300, 200);
    drawCurves(constant, {0, 0, 300, 200},
               {"x", "y", {{"a", {0, 1}, {0.0003, std::nextafter(0.0003, 1)}, {}, {}}}});
    EXPECT_NE(constant.svg().find(">0.0004<"), std::string::npos) << "a range around the value";
    EXPECT_EQ(tickText(20'000), "20 k");
    EXPECT_EQ(tickText(-1'500'000),
              "\xE2\x88\x92"
              "1.5 M");
    EXPECT_EQ(tickText(2000), "2000");
    const double nan = std::nan("");
    Plot plot{.x_title = "steps", .y_title = "return", .curves = {}};
    plot.curves.push_back(
        {"a & b", {0, 1, 2, 3, 4}, {1, 2, nan, 4, 5}, {0, 1, nan, nan, nan}, {2, 3, nan, nan, nan}});
    VectorPicture picture(300, 200), empty(300, 200);
    drawCurves(picture, {0, 0, 300, 200}, plot);
    EXPECT_EQ(countOf(picture.svg(), "stroke=\"#0072b2\""), 2U) << "one line on each side of the gap";
    EXPECT_EQ(countOf(picture.svg(), "<polygon"), 1U);
    drawCurves(empty, {0, 0, 300, 200}, {"x", "y", {{"none", {}, {}, {}, {}}}});
    EXPECT_EQ(countOf(empty.svg(), "nan"), 0U);
    VectorPicture rows(300, 100);
    drawIntervals(rows, {0, 0, 300, 100}, {{"a", {1, 0, 2}}, {"b", {3, nan, nan}}}, "score");
    EXPECT_EQ(countOf(rows.svg(), "<polygon"), 1U) << "no interval, no bar";
    EXPECT_EQ(countOf(rows.svg(), "nan"), 0U);
}

}  // namespace
}  // namespace seedbed
