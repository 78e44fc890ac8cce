// SPDX-License-Identifier: Apache-2.0
// seedbed env gallery: draws pictures of environments during random play.
#include <algorithm>
#include <cstdio>

#include "app/command.hpp"
#include "app/configuration.hpp"
#include "core/base/os/files.hpp"
#include "core/env/env_registry.hpp"
#include "core/env/picture_files.hpp"
#include "core/env/random_policy.hpp"

namespace seedbed::app {
namespace {

struct GalleryOptions {
    std::string folder;
    std::string name;               // name of the files; "": the environment's id
    std::vector<std::string> envs;  // empty: all
    bool gif = false;
    int size = 240;   // longer side in pixels
    int steps = 12;   // random steps before the picture
    int frames = 60;  // frames per GIF
    std::uint64_t seed = 1;
};

// Steps one environment with random actions.
class RandomPlay {
public:
    static Result<std::unique_ptr<RandomPlay>> open(const EnvEntry& entry, const Json& params,
                                                    std::uint64_t seed) {
        SEEDBED_ASSIGN(std::unique_ptr<EnvBatch> batch, entry.make(params, 1));
        auto show = std::make_unique<RandomPlay>();
        const EnvSpec spec = batch->spec();
        RingSpec ring{.spaces = spec.spaces, .columns = spec.agents, .rows = 0};
        ring.rows = ring.history() + 2;
        SEEDBED_ASSIGN(show->ring_, Ring::create(ring));
        show->rng_ = Rng(seed, RngPurpose::play);
        show->env_ = std::make_unique<VectorEnv>(
            std::move(batch), *show->ring_,
            VectorEnvOptions{
                .seed = seed, .purpose = RngPurpose::play, .first_lane = 1, .horizon = spec.horizon});
        SEEDBED_TRY(show->env_->reset());
        return show;
    }
    Result<> step() {
        const Spaces& spaces = env_->spec().spaces;
        const std::uint64_t t = ring_->head();
        randomActions(spaces, ring_->columns(), spaces.has_mask ? ring_->mask(t) : nullptr, rng_,
                      ring_->action(t));
        std::vector<EpisodeEnd> ended;
        return env_->step(ended);
    }
    int stepInEpisode() { return *ring_->episodeStep(ring_->head()); }
    Scene scene() const {
        Scene scene;
        env_->batch().draw(0, scene);
        return scene;
    }

private:
    std::unique_ptr<Ring> ring_;
    std::unique_ptr<VectorEnv> env_;
    Rng rng_;
};

Result<> writePicture(FileSystem& files, const std::filesystem::path& path,
                      const Result<std::vector<std::uint8_t>>& encoded, const Context& context, Json& list) {
    if (!encoded) return tl::unexpected<Error>(Error(encoded.error()).withContext("making " + path.string()));
    SEEDBED_TRY(writeFileAtomically(files, path, std::as_bytes(std::span(*encoded))));
    if (!context.json) std::printf("%s\n", path.c_str());
    list.push_back({{"file", path.string()}, {"bytes", encoded->size()}});
    return {};
}

Result<> showEnv(FileSystem& files, const EnvEntry& entry, const GalleryOptions& options,
                 const Context& context, Json& list) {
    SEEDBED_ASSIGN(const Json params, environmentParams(entry, context));
    SEEDBED_ASSIGN(const std::unique_ptr<RandomPlay> show, RandomPlay::open(entry, params, options.seed));
    // Episodes may end before options.steps; after a few attempts a shorter episode is accepted.
    for (int attempt = 0; attempt < 50 * options.steps && show->stepInEpisode() < options.steps; ++attempt) {
        if (show->stepInEpisode() >= 3 && attempt > 20 * options.steps) break;
        SEEDBED_TRY(show->step());
    }
    // Ids of environments defined in files contain paths.
    std::string name = options.name.empty() ? entry.id : options.name;
    std::replace(name.begin(), name.end(), '/', '_');
    const std::filesystem::path base = std::filesystem::path(options.folder) / name;
    const PictureSize size = fittingSize(show->scene(), options.size, options.size);
    SEEDBED_TRY(writePicture(files, base.string() + ".png",
                             encodePng(render(show->scene(), size.width, size.height)), context, list));
    if (!options.gif) return {};
    std::vector<Picture> frames;
    for (int frame = 0; frame < options.frames; ++frame) {
        frames.push_back(render(show->scene(), size.width, size.height));
        SEEDBED_TRY(show->step());
    }
    return writePicture(files, base.string() + ".gif", encodeGif(frames, 100), context, list);
}

Result<int> gallery(const GalleryOptions& options, const Context& context) {
    if (options.envs.size() != 1 && (!options.name.empty() || !context.settings.empty()))
        return fail(ErrorCode::usage, "--name and environment settings require exactly one --env");
    RealFileSystem files(FileAccess::umask);
    SEEDBED_TRY(makeFolders(files, options.folder));
    Json list = Json::array();
    const std::vector<std::string> ids = options.envs.empty() ? envRegistry().ids() : options.envs;
    for (const std::string& id : ids) {
        SEEDBED_ASSIGN(const EnvEntry* entry, findEnv(id));
        SEEDBED_TRY(showEnv(files, *entry, options, context, list));
    }
    if (context.json) printJson(list);
    return kOk;
}

SEEDBED_REGISTER_COMMAND(
    env_gallery,
    {.id = "env gallery",
     .summary = "Write pictures of the environments as PNG or GIF files",
     .examples = {"seedbed env gallery --out pictures",
                  "seedbed env gallery --out pictures --env cartpole --gif",
                  "seedbed env gallery --out . --env gym:./my_env.py:MyEnv --name my_env"},
     .takes_settings = true,
     .define = [](CLI::App& cli) -> Action {
         auto options = std::make_shared<GalleryOptions>();
         cli.add_option("--out", options->folder, "Folder for the files; created if missing")
             ->type_name("DIR")
             ->required();
         cli.add_option("--env", options->envs, "Environment or alias (repeatable; default: all)")
             ->type_name("ENV");
         cli.add_option("--name", options->name,
                        "Name of the files, without extension (default: the environment's id)")
             ->check(notEmpty());
         cli.add_flag("--gif", options->gif, "Also write a short GIF of each environment");
         cli.add_option("--size", options->size, "Longer side in pixels")
             ->check(CLI::Range(16, 4096))
             ->capture_default_str();
         cli.add_option("--steps", options->steps, "Random steps before the picture")
             ->check(CLI::Range(0, 100000))
             ->capture_default_str();
         cli.add_option("--frames", options->frames, "Frames per GIF")
             ->check(CLI::Range(1, 1000))
             ->capture_default_str();
         cli.add_option("--seed", options->seed, "Random seed")->check(notNegative())->capture_default_str();
         return [options](const Context& context) { return gallery(*options, context); };
     }});

}  // namespace
}  // namespace seedbed::app
