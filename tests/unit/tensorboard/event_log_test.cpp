// SPDX-License-Identifier: Apache-2.0
#include "core/tensorboard/event_log.hpp"

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <string_view>

#include <gmock/gmock.h>

#include "core/base/formats/protobuf.hpp"
#include "core/tensorboard/event_file.hpp"
#include "core/tensorboard/records.hpp"
#include "tests/unit/base/temporary_folder.hpp"

using namespace seedbed;
using namespace seedbed::tensorboard;
using seedbed::testing::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

using ByteVector = std::vector<std::uint8_t>;

ByteVector fileWith(const std::vector<ByteVector>& events) {
    ByteVector file;
    appendRecord(file, encodeVersion(1000));
    for (const ByteVector& event : events) appendRecord(file, event);
    return file;
}

ByteVector point(std::int64_t step, double value, std::string_view tag = "a") {
    const NamedValue named{tag, value};
    return encodeScalars(1000 + static_cast<double>(step), step, {&named, 1});
}

void write(const Path& path, const ByteVector& bytes) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// An event whose only value is a tensor.
ByteVector tensorEvent(const protobuf::Message& tensor) {
    protobuf::Message value, summary, event;
    value.text(1, "a");
    value.message(8, tensor);
    summary.message(1, value);
    event.number(1, 5.0);
    event.integer(2, 3);
    event.message(5, summary);
    return event.take();
}

TEST(Records, ChecksumIsThatOfTheStandard) {
    // RFC 3720, B.4.
    const ByteVector zeros(32, 0), ones(32, 0xff);
    EXPECT_EQ(crc32c(zeros), 0x8a9136aau);
    EXPECT_EQ(crc32c(ones), 0x62a8ab43u);
    const std::string_view digits = "123456789";
    EXPECT_EQ(crc32c({reinterpret_cast<const std::uint8_t*>(digits.data()), digits.size()}), 0xe3069283u);
}

TEST(EventLog, ReadsWhatEventFileWrites) {
    TemporaryFolder folder;
    RealFileSystem files;
    for (int i = 0; i < 2; ++i) {
        auto file = EventFile::create(files, folder.path() / "run", 1000);
        ASSERT_TRUE(file) << file.error().text();
        const NamedValue values[] = {{"loss/policy", 0.5 + i},
                                     {"x", std::numeric_limits<double>::quiet_NaN()}};
        file->addScalars(1001.25, 100 + i, values);
        ASSERT_TRUE(file->close());
    }
    const auto curves = readCurves(files, folder.path() / "run");
    ASSERT_TRUE(curves) << curves.error().text();
    ASSERT_EQ(curves->size(), 2u);
    EXPECT_EQ(curves->front().tag, "loss/policy");
    EXPECT_THAT(curves->front().steps, ElementsAre(100, 101));
    EXPECT_THAT(curves->front().values, ElementsAre(0.5, 1.5));
    EXPECT_THAT(curves->front().times, ElementsAre(1001.25, 1001.25));
    EXPECT_TRUE(std::isnan(curves->back().values.front()));
}

TEST(EventLog, ReadsTensorsWithOneNumber) {
    protobuf::Message packed, content, one_double, vector;
    packed.integer(1, 1);
    const float number = 2.5;
    packed.bytes(5, &number, sizeof number);
    content.integer(1, 9);
    const std::int64_t count = -7;
    content.bytes(4, &count, sizeof count);
    one_double.integer(1, 2);
    one_double.number(6, 1e-300);
    vector.integer(1, 1);
    protobuf::Message shape, dim;
    dim.integer(1, 2);
    shape.message(2, dim);
    vector.message(2, shape);
    const float two[] = {1, 2};
    vector.bytes(4, two, sizeof two);
    const auto curves = curvesOf(
        fileWith({tensorEvent(packed), tensorEvent(content), tensorEvent(one_double), tensorEvent(vector)}));
    ASSERT_TRUE(curves) << curves.error().text();
    ASSERT_EQ(curves->size(), 1u);
    EXPECT_THAT(curves->front().values, ElementsAre(2.5, -7, 1e-300));
}

TEST(EventLog, ARestartDropsLaterPoints) {
    const auto curves = curvesOf(fileWith({point(10, 1), point(20, 2), point(30, 3), encodeRestart(0, 21),
                                           point(25, 4), encodeRestart(0, 40), point(50, 5)}));
    ASSERT_TRUE(curves);
    EXPECT_THAT(curves->front().steps, ElementsAre(10, 20, 25, 50));
    EXPECT_THAT(curves->front().values, ElementsAre(1, 2, 4, 5));
}

TEST(EventLog, AnIncompleteLastRecordIsTheEnd) {
    ByteVector file = fileWith({point(1, 1), point(2, 2)});
    const std::size_t whole = file.size();
    for (std::size_t cut = 1; cut < 20; ++cut) {
        file.resize(whole - cut);
        const auto curves = curvesOf(file);
        ASSERT_TRUE(curves) << curves.error().text();
        EXPECT_THAT(curves->front().steps, ElementsAre(1));
    }
}

TEST(EventLog, EveryChangedByteIsReported) {
    const ByteVector file = fileWith({point(1, 1), point(2, 2)});
    for (std::size_t at = 0; at < file.size(); ++at) {
        ByteVector changed = file;
        changed[at] ^= 0x10;
        const auto curves = curvesOf(changed);
        ASSERT_FALSE(curves) << at;
        EXPECT_THAT(curves.error().text(), HasSubstr("checksum"));
    }
}

TEST(EventLog, DamageIsReportedWithFileAndPosition) {
    TemporaryFolder folder;
    RealFileSystem files;
    ByteVector file = fileWith({point(1, 1), point(2, 2)});
    file.back() ^= 1;
    write(folder.path() / "events.out.tfevents.1", file);
    const auto curves = readCurves(files, folder.path());
    ASSERT_FALSE(curves);
    EXPECT_EQ(curves.error().code, ErrorCode::config);
    EXPECT_THAT(curves.error().text(), HasSubstr("events.out.tfevents.1"));
    EXPECT_THAT(curves.error().text(), HasSubstr("record 3 at byte"));
}

TEST(EventLog, RefusesOtherFilesAndInvalidEvents) {
    ByteVector no_version;
    appendRecord(no_version, point(1, 1));
    EXPECT_THAT(curvesOf(no_version).error().text(), HasSubstr("version"));
    const std::string text = "not an event file, but long enough for a record";
    EXPECT_FALSE(curvesOf({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}));
    EXPECT_THAT(curvesOf(fileWith({point(1, 1, "\x1b[31m")})).error().text(), HasSubstr("printable"));
    EXPECT_THAT(curvesOf(fileWith({point(1, 1, std::string(501, 'a'))})).error().text(), HasSubstr("501"));
    EXPECT_THAT(curvesOf(fileWith({point(-1, 1)})).error().text(), HasSubstr("negative"));
    EXPECT_THAT(
        curvesOf(fileWith({encodeRestart(std::numeric_limits<double>::infinity(), 0)})).error().text(),
        HasSubstr("finite"));
}

TEST(EventLog, LimitsApply) {
    const ByteVector file = fileWith({point(1, 1), point(2, 2), point(3, 3, "b")});
    EXPECT_THAT(curvesOf(file, {.points = 2}).error().text(), HasSubstr("more than 2 points"));
    EXPECT_THAT(curvesOf(file, {.curves = 1}).error().text(), HasSubstr("more than 1 curves"));
    TemporaryFolder folder;
    RealFileSystem files;
    write(folder.path() / "events.out.tfevents.1", file);
    EXPECT_FALSE(readCurves(files, folder.path(), {.file_bytes = 10}));
    EXPECT_FALSE(readCurves(files, folder.path(), {.files = 0}));
    ByteVector huge{0, 0, 0, 0, 0, 1, 0, 0};  // a record of 2^40 bytes, with a valid checksum
    const std::uint32_t checksum = std::rotr(crc32c(huge), 15) + 0xa282ead8u;
    for (int byte = 0; byte < 4; ++byte) huge.push_back(static_cast<std::uint8_t>(checksum >> (8 * byte)));
    EXPECT_THAT(curvesOf(huge).error().text(), HasSubstr("the limit is"));
}

TEST(EventLog, FindsTheFoldersOfSeveralRuns) {
    TemporaryFolder folder;
    RealFileSystem files;
    const ByteVector file = fileWith({point(1, 1)});
    for (const char* name : {"b/x", "a"}) {
        std::filesystem::create_directories(folder.path() / name);
        write(folder.path() / name / "events.out.tfevents.1", file);
    }
    std::filesystem::create_directory_symlink(folder.path() / "a", folder.path() / "link");
    const auto found = findEventFolders(files, folder.path());
    ASSERT_TRUE(found);
    EXPECT_THAT(*found, ElementsAre(folder.path() / "a", folder.path() / "b/x"));
    const Path one = folder.path() / "a/events.out.tfevents.1";
    EXPECT_THAT(*findEventFolders(files, one), ElementsAre(one));
    EXPECT_TRUE(findEventFolders(files, folder.path() / "missing")->empty());
}

}  // namespace
