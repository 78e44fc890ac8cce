/* SPDX-License-Identifier: Apache-2.0 */
/* Runs in a data folder.
 *
 *   stored FOLDER train STEPS CONFIG   trains the built-in environment of a preset's "config"; prints run and
 * hash stored FOLDER world STEPS [RUN]    trains the test's own environment, or resumes RUN stored FOLDER
 * refuse               expects the code for a folder of a newer version
 */
#include <world.h>

static char* read_file(const char* path) {
    static char text[1 << 16];
    FILE* file = fopen(path, "rb");
    EXPECT(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static int finish(seedbed_trainer* trainer) {
    seedbed_progress progress;
    char hash[80];
    memset(&progress, 0, sizeof progress);
    progress.struct_size = sizeof progress;
    EXPECT(seedbed_get_progress(trainer, &progress) == SEEDBED_OK);
    world_hash(trainer, hash);
    EXPECT(seedbed_destroy(trainer) == SEEDBED_OK);
    printf("%ld %ld %s\n", (long)progress.run, (long)progress.steps, hash);
    return 0;
}

int main(int argc, char** argv) {
    static const seedbed_setting seed[] = {{"run.seed", "3"}};
    struct world world;
    seedbed_environment environment;
    seedbed_options options;
    seedbed_trainer* trainer = NULL;
    memset(&world, 0, sizeof world);
    options = world_options(&world, &environment, 1);
    if (argc < 3) return 2;
    if (strcmp(argv[2], "refuse") == 0) {
        options.data_folder = argv[1];
        EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_NEWER_VERSION, "newer version of Seedbed");
        EXPECT(trainer == NULL);
        return 0;
    }
    if (strcmp(argv[2], "train") == 0) {
        options.environment = NULL;
        options.built_in = "cartpole";
        options.config = read_file(argv[4]);
        options.settings = seed;
        options.setting_count = 1;
    } else if (argc > 4) {
        options.resume = atol(argv[4]);
        options.setting_count = 0;
    }
    if (strcmp(argv[1], "memory") != 0) options.data_folder = argv[1];
    if (seedbed_create(&options, &trainer) != SEEDBED_OK) {
        fprintf(stderr, "%s\n", seedbed_error());
        return 1;
    }
    EXPECT(seedbed_train(trainer, atol(argv[3]) - world_steps(trainer)) == SEEDBED_OK);
    if (options.data_folder != NULL) EXPECT(seedbed_save(trainer, NULL) == SEEDBED_OK);
    return finish(trainer);
}
