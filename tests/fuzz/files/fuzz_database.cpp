// SPDX-License-Identifier: Apache-2.0
// Imports of untrusted database files either succeed completely or fail. The input is a file or, so that
// stored inputs stay small, a list of changes to a valid file: 0xff, then for each changed byte its page, its
// offset in the page (two bytes each, big-endian) and its value.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include "core/base/os/files.hpp"
#include "core/store/check_database.hpp"
#include "core/store/database.hpp"
#include "core/store/export_database.hpp"
#include "core/store/import.hpp"
#include "core/store/league/league_store.hpp"
#include "core/store/run_writer.hpp"
#include "core/store/store.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("seedbed-fuzz-" + std::to_string(getpid()) + "-" +
                                                  std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    Folder() { std::filesystem::create_directories(path); }
    ~Folder() { std::filesystem::remove_all(path); }
};

using Bytes = std::vector<std::uint8_t>;
constexpr std::uint8_t kChanges = 0xff;
constexpr std::size_t kPage = 4096;

Bytes changed(Bytes file, const std::uint8_t* data, std::size_t size) {
    for (std::size_t i = 0; i + 5 <= size; i += 5) {
        const std::size_t page = data[i] * 256u + data[i + 1], place = data[i + 2] * 256u + data[i + 3];
        file[(page * kPage + place % kPage) % file.size()] = data[i + 4];
    }
    return file;
}

// Copies it unless `to` exists. A signal of the fuzzer's timer may interrupt the copy of a file.
void copyFolder(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::error_code error = std::make_error_code(std::errc::interrupted);
    while (!std::filesystem::exists(to) && error == std::errc::interrupted) {
        std::filesystem::copy(from, to, std::filesystem::copy_options::recursive, error);
        if (error) std::filesystem::remove_all(to);
    }
    if (error && !std::filesystem::exists(to)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace seedbed;
    static const Folder folder;
    static const Bytes good = fuzzSeeds().front();
    const auto file = folder.path / "input.db";
    const bool changes = size > 0 && data[0] == kChanges;
    const Bytes input = changes ? changed(good, data + 1, size - 1) : Bytes(data, data + size);
    if (std::FILE* out = std::fopen(file.c_str(), "wb")) {
        std::fwrite(input.data(), 1, input.size(), out);
        std::fclose(out);
    }
    for (const char* end : {"-journal", "-wal", "-shm"}) std::filesystem::remove(file.string() + end);
    // Imports into a copy of an empty data folder, since creating one takes longer than the import.
    const auto target = folder.path / "target", fresh = folder.path / "fresh";
    if (!std::filesystem::exists(fresh)) (void)Store::open(fresh);
    copyFolder(fresh, target);
    std::vector<ImportedLeague> leagues;
    const auto imported = importDatabase(target, file, realSystem(), {}, {}, kImportStepLimit, &leagues);
    noteOutcome(changes ? "changes" : "file", imported);
    if (imported) {
        // An imported database must pass Seedbed's own check.
        const auto report = checkDatabase(target);
        if (!report || !report->problems.empty()) std::abort();
        if (!imported->empty() || !leagues.empty()) std::filesystem::remove_all(target);
    }
    return 0;
}

namespace {

// A league of two members with two matches.
void addLeague(const std::filesystem::path& data) {
    using namespace seedbed;
    auto store = LeagueStore::open(data);
    LeagueRecord league;
    league.name = "club";
    league.env = "tic_tac_toe";
    const std::int64_t id = store->create(league).value();
    LeagueMember policy, scripted;
    policy.name = policy.player = policy.origin = "1:best";
    policy.params_sha256 = std::string(64, '0');
    scripted.name = scripted.player = scripted.origin = "minimax";
    LeagueMatch match;
    match.a = store->addMember(id, policy).value();
    match.b = store->addMember(id, scripted).value();
    for (match.number = 0; match.number < 2; ++match.number) {
        match.wins = 1;
        match.seed = static_cast<std::uint64_t>(match.number);
        (void)store->record(id, match);
    }
}

}  // namespace

// A small run with rows of every kind, and a league.
std::vector<std::vector<std::uint8_t>> seedbed::fuzzSeeds() {
    const Folder folder;
    const auto data = folder.path / "seed";
    auto store = Store::open(data);
    NewRun row;
    row.env = "cartpole";
    row.algo = "ppo";
    row.engine = "reference";
    row.tags = {"x"};
    auto run = store->createRun(row);
    (void)store->beginSegment(*run->lock, 0, ProcessInfo{});
    {
        auto writer = RunWriter::open(data, *run->lock);
        for (std::int64_t step = 1; step <= 600; ++step) {
            const RunWriter::Value value{"loss/policy", static_cast<double>(step)};
            (*writer)->metrics(step, 1.7e9, std::span(&value, 1));
        }
        (*writer)->episodes(std::vector<EpisodeRecord>{{1, 1, 2, 3, 0}});
        EvaluationRecord evaluation;
        evaluation.step = 1;
        evaluation.mean = 1;
        evaluation.episodes = {{1, 2}};
        (*writer)->evaluation(evaluation);
        CheckpointRecord checkpoint;
        checkpoint.step = 1;
        checkpoint.folder = "checkpoints/1/1";
        (*writer)->checkpoint(checkpoint);
        EventRecord event;
        event.step = 1;
        event.kind = "note";
        event.text = "text";
        (*writer)->event(event);
        (void)(*writer)->flush();
    }
    (void)store->beginSegment(*run->lock, 550, ProcessInfo{});
    addLeague(data);
    const auto file = folder.path / "seed.db";
    (void)exportDatabase(data, file, {});
    RealFileSystem files;
    const auto text = readFile(files, file);
    // Recursion over this many levels overflows the stack.
    const std::string deep = "{\"a\":" + std::string(40'000, '[') + std::string(40'000, ']') + "}";
    if (const auto database = Database::open(file, Database::Access::write))
        (void)(*database)->execute("UPDATE event_rows SET data = '" + deep + "'");
    const auto nested = readFile(files, file);
    return {Bytes(text->begin(), text->end()),
            Bytes(nested->begin(), nested->end()),
            {kChanges},
            {kChanges, 0, 0, 0, 18, 2}};
}
