// SPDX-License-Identifier: Apache-2.0
#include "core/worker/pack_check.hpp"

#include <dlfcn.h>

#include "core/base/strict_json.hpp"
#include "core/base/text.hpp"
#include "core/worker/run_program.hpp"

namespace seedbed {

namespace {

constexpr std::int64_t kCheckMs = 600'000;
constexpr std::string_view kMark = "seedbed-check ";

// Arguments: the folder with the packages or "", the modules and packages as JSON, whether to hash files.
// Packages may print text while they are imported, so the answer is the last line. Skips files of a wheel
// that pip writes outside the folder (scripts) or compiles itself.
constexpr const char* kCheck = R"(
import base64, hashlib, importlib, importlib.metadata, json, os, site, sys
folder, wanted, hashes = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3] == "1"
if folder:
    site.addsitedir(folder)
problems, files = [], 0
def verify(distribution):
    count = 0
    for file in distribution.files or []:
        path = os.path.normpath(os.path.join(folder, str(file)))
        if file.hash is None or file.hash.mode != "sha256" or not path.startswith(folder + os.sep):
            continue
        if path.endswith(".pyc"):
            continue
        count += 1
        try:
            with open(path, "rb") as opened:
                digest = hashlib.sha256(opened.read()).digest()
        except OSError as error:
            problems.append(f"'{file}' cannot be read: {error.strerror}")
            continue
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != file.hash.value:
            problems.append(f"'{file}' has changed since it was installed")
    return count
for name, version in wanted["packages"].items():
    try:
        distribution = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        problems.append(f"the package '{name}' is missing")
        continue
    if distribution.version != version:
        problems.append(f"'{name}' is version {distribution.version} instead of {version}")
    if hashes:
        files += verify(distribution)
for name in wanted["modules"]:
    try:
        importlib.import_module(name)
    except BaseException as error:
        problems.append(f"importing '{name}' failed: {type(error).__name__}: {error}")
sys.stderr.flush()
print("\nseedbed-check " + json.dumps({"problems": problems[:20], "files": files}), flush=True)
os._exit(0)
)";

// Returns the answer in the output, as JSON; a discarded value if the output contains no answer.
Json answerIn(const std::string& output) {
    Json answer(Json::value_t::discarded);
    for (const std::string& line : split(output, '\n'))
        if (line.starts_with(kMark)) answer = parseStrictJson(line.substr(kMark.size()));
    return answer;
}

}  // namespace

std::vector<std::string> missingLibraries(const std::vector<std::string>& names) {
    std::vector<std::string> missing;
    for (const std::string& name : names)
        if (::dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL) == nullptr) missing.push_back(name);
    return missing;
}

Result<> requireLibraries(const PackDocument& pack) {
    const std::vector<std::string> missing = missingLibraries(pack.libraries);
    if (missing.empty()) return {};
    return fail(ErrorCode::config, "the pack '" + pack.name + "' needs libraries that are not installed (" +
                                       join(missing, ", ") + "): apt install " +
                                       join(pack.system_packages, " "));
}

Result<PackCheck> checkPack(const InstalledPack& installed, const PackDocument& pack, bool hash_files,
                            const std::stop_token& stop) {
    Json packages = Json::object();
    for (const PackPackage& package : pack.packages) packages[package.name] = package.version;
    const Json wanted{{"packages", packages}, {"modules", pack.modules}};
    ProgramRun run{.arguments = {installed.python},
                   // Modules need no display while they are imported.
                   .environment = {{"SDL_VIDEODRIVER", "dummy"}, {"PYGAME_HIDE_SUPPORT_PROMPT", "1"}},
                   .timeout_ms = kCheckMs};
    if (!installed.uses_python_packages) run.arguments.insert(run.arguments.end(), {"-I", "-S"});
    run.arguments.insert(run.arguments.end(),
                         {"-c", kCheck, installed.uses_python_packages ? "" : installed.site().string(),
                          wanted.dump(), hash_files ? "1" : "0"});
    SEEDBED_ASSIGN(const ProgramEnd end, runProgram(run, stop));
    PackCheck check{.modules = static_cast<int>(pack.modules.size()),
                    .packages = static_cast<int>(pack.packages.size())};
    const Json answer = answerIn(end.output);
    if (!answer.is_object()) {
        const std::string_view output = trimmed(end.output);
        const std::string_view last_line = output.substr(output.rfind('\n') + 1);
        check.problems.push_back(
            "importing the modules terminated Python: it " + end.status.text() +
            (last_line.empty() ? "" : " (" + std::string(last_line.substr(0, 300)) + ")"));
        return check;
    }
    check.files = answer.value("files", 0);
    for (const Json& problem : answer.value("problems", Json::array()))
        if (problem.is_string()) check.problems.push_back(problem.get<std::string>());
    return check;
}

}  // namespace seedbed
