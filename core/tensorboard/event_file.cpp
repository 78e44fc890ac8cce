// SPDX-License-Identifier: Apache-2.0
#include "core/tensorboard/event_file.hpp"

#include <array>
#include <cstdio>
#include <string>

#include <unistd.h>

#include "core/tensorboard/records.hpp"

namespace seedbed::tensorboard {
namespace {

constexpr int kMaxFilesPerSecond = 1000;

std::string hostName() {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    std::string name = host.data();
    for (char& letter : name)
        if (letter == '/') letter = '-';
    return name.empty() ? "localhost" : name;
}

// TensorBoard reads the files of a folder in the order of their names.
std::string fileName(double time, int number) {
    std::array<char, 64> begin{};
    std::snprintf(begin.data(), begin.size(), "events.out.tfevents.%010lld.%04d.",
                  static_cast<long long>(time), number);
    return begin.data() + hostName() + "." + std::to_string(getpid()) + ".seedbed";
}

}  // namespace

Result<EventFile> EventFile::create(FileSystem& files, const Path& folder, double time) {
    SEEDBED_TRY(makeFolders(files, folder));
    for (int number = 0;; ++number) {
        Path path = folder / fileName(time, number);
        SEEDBED_ASSIGN(const auto existing, files.info(path));
        if (existing && number < kMaxFilesPerSecond) continue;
        SEEDBED_ASSIGN(auto file, files.open(path, OpenMode::create));
        EventFile events(std::move(file), std::move(path));
        appendRecord(events.buffer_, encodeVersion(time));
        return events;
    }
}

void EventFile::addRestart(double time, std::int64_t step) {
    appendRecord(buffer_, encodeRestart(time, step));
}

void EventFile::addScalars(double time, std::int64_t step, std::span<const NamedValue> values) {
    appendRecord(buffer_, encodeScalars(time, step, values));
}

Result<> EventFile::flush() {
    SEEDBED_TRY(writeAll(*file_, std::as_bytes(std::span(buffer_))));
    buffer_.clear();
    return {};
}

Result<> EventFile::close() {
    SEEDBED_TRY(flush());
    return file_->close();
}

}  // namespace seedbed::tensorboard
