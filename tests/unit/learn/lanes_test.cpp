// SPDX-License-Identifier: Apache-2.0
// The fixed-tree sum over gradient lanes, and the search for values that are not finite.
#include "core/learn/lanes.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/base/finite.hpp"
#include "core/base/rng.hpp"

namespace seedbed {
namespace {

// The summation tree, one element at a time.
float treeSum(std::vector<float> values) {
    while (values.size() > 1) {
        std::vector<float> pairs;
        for (std::size_t i = 0; i < values.size(); i += 2)
            pairs.push_back(i + 1 < values.size() ? values[i] + values[i + 1] : values[i]);
        values = pairs;
    }
    return values[0];
}

TEST(Lanes, AddUpInABinaryTreeForAnyNumberOfThreads) {
    for (std::size_t floats : {std::size_t{1000}, std::size_t{30'001}})
        for (std::size_t count : {1u, 2u, 3u, 5u, 8u, 13u}) {
            Rng rng(count, RngPurpose::test);
            std::vector<std::vector<float>> values(count, std::vector<float>(floats));
            for (auto& lane : values)
                for (float& x : lane) x = static_cast<float>(rng.normal() * std::pow(10, rng.uniform(-3, 3)));
            for (int threads : {1, 2, 4}) {
                WorkerPool pool(threads);
                Lanes lanes(floats);
                lanes.require(count + 1);
                for (std::size_t lane = 0; lane < count; ++lane)
                    std::copy(values[lane].begin(), values[lane].end(), lanes.lane(lane));
                ASSERT_TRUE(lanes.sum(count, pool));
                for (std::size_t i = 0; i < floats; ++i) {
                    std::vector<float> column;
                    for (const auto& lane : values) column.push_back(lane[i]);
                    ASSERT_EQ(lanes.total()[i], treeSum(column))
                        << count << " lanes, " << threads << " threads";
                }
                // Ready for the next minibatch.
                for (std::size_t lane = 1; lane < count; ++lane)
                    for (std::size_t i = 0; i < floats; ++i) ASSERT_EQ(lanes.lane(lane)[i], 0.0f);
            }
        }
}

TEST(Lanes, ReportWhatIsNotFinite) {
    for (std::size_t floats : {std::size_t{100}, std::size_t{50'000}})
        for (float bad : {NAN, INFINITY, -INFINITY}) {
            WorkerPool pool(2);
            Lanes lanes(floats);
            lanes.require(4);
            EXPECT_TRUE(lanes.sum(4, pool));
            lanes.lane(2)[floats - 1] = bad;
            EXPECT_FALSE(lanes.sum(4, pool));
            lanes.clear();
            EXPECT_TRUE(lanes.sum(4, pool));
        }
}

TEST(FirstNonFinite, FindsTheFirst) {
    for (std::size_t count : {0u, 1u, 63u, 64u, 65u, 200u}) {
        std::vector<float> values(count, std::numeric_limits<float>::max());
        EXPECT_EQ(firstNonFinite(values.data(), count), count);
        for (std::size_t bad = 0; bad < count; bad += 7) {
            std::vector<float> spoiled = values;
            spoiled[bad] = bad % 2 == 0 ? NAN : -INFINITY;
            spoiled[count - 1] = INFINITY;
            EXPECT_EQ(firstNonFinite(spoiled.data(), count), bad);
        }
    }
}

}  // namespace
}  // namespace seedbed
