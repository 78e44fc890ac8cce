/* SPDX-License-Identifier: Apache-2.0 */
/* Bad input: each mistake gives a code and a text, and training continues where that is possible. */
#include <pthread.h>

#include <world.h>

static void null_arguments(void) {
    seedbed_options options = SEEDBED_OPTIONS_INIT;
    seedbed_trainer* trainer = NULL;
    double value;
    EXPECT_CODE(seedbed_create(NULL, &trainer), SEEDBED_BAD_ARGUMENT, "options is NULL");
    EXPECT_CODE(seedbed_create(&options, NULL), SEEDBED_BAD_ARGUMENT, "NULL");
    EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_BAD_ARGUMENT, "environment");
    EXPECT_CODE(seedbed_train(NULL, 1), SEEDBED_BAD_ARGUMENT, "trainer is NULL");
    EXPECT_CODE(seedbed_pump(NULL, 1), SEEDBED_BAD_ARGUMENT, "trainer is NULL");
    EXPECT_CODE(seedbed_begin(NULL, NULL, NULL), SEEDBED_BAD_ARGUMENT, "trainer is NULL");
    EXPECT_CODE(seedbed_act(NULL, NULL, NULL), SEEDBED_BAD_ARGUMENT, "NULL");
    EXPECT_CODE(seedbed_report(NULL, NULL), SEEDBED_BAD_ARGUMENT, "NULL");
    EXPECT_CODE(seedbed_start(NULL), SEEDBED_BAD_ARGUMENT, "trainer is NULL");
    EXPECT_CODE(seedbed_stop(NULL), SEEDBED_BAD_ARGUMENT, "trainer is NULL");
    EXPECT_CODE(seedbed_set(NULL, "a", "b"), SEEDBED_BAD_ARGUMENT, "trainer is NULL");
    EXPECT_CODE(seedbed_get_metric(NULL, "a", &value), SEEDBED_BAD_ARGUMENT, "trainer is NULL");
    EXPECT_CODE(seedbed_get_progress(NULL, NULL), SEEDBED_BAD_ARGUMENT, "trainer is NULL");
    EXPECT_CODE(seedbed_save(NULL, NULL), SEEDBED_BAD_ARGUMENT, "trainer is NULL");
    EXPECT_CODE(seedbed_export(NULL, NULL, NULL), SEEDBED_BAD_ARGUMENT, "NULL");
    EXPECT(seedbed_get_policy(NULL) == NULL);
    EXPECT(seedbed_destroy(NULL) == SEEDBED_OK);
    EXPECT(seedbed_api_version() == SEEDBED_API_VERSION);
}

static void versions_of_structures(struct world* world) {
    seedbed_environment environment;
    seedbed_options options = world_options(world, &environment, 1);
    seedbed_trainer* trainer = NULL;
    seedbed_progress progress;
    options.struct_size += 8;
    EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_NEWER_VERSION, "newer version of libseedbed");
    EXPECT(trainer == NULL);
    options.struct_size = 0;
    EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_BAD_ARGUMENT, "struct_size");
    options.struct_size = sizeof options;
    environment.struct_size += 16;
    EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_NEWER_VERSION, "newer version of libseedbed");
    environment.struct_size = sizeof environment;
    EXPECT(seedbed_create(&options, &trainer) == SEEDBED_OK);
    memset(&progress, 0, sizeof progress);
    progress.struct_size = sizeof progress + 1;
    EXPECT_CODE(seedbed_get_progress(trainer, &progress), SEEDBED_NEWER_VERSION, "progress");
    EXPECT(seedbed_destroy(trainer) == SEEDBED_OK);
}

static void bad_settings(struct world* world) {
    seedbed_environment environment;
    seedbed_options options = world_options(world, &environment, 1);
    const seedbed_setting unknown = {"algo.gama", "0.9"}, none = {NULL, "1"};
    const seedbed_setting many = {"actor.num_envs", "8"}, async = {"run.schedule", "async"};
    seedbed_trainer *trainer = NULL, *other = NULL;
    options.settings = &unknown;
    options.setting_count = 1;
    EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_BAD_SETTING, "gamma");
    options.settings = &none;
    EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_BAD_ARGUMENT, "setting 0");
    options.settings = &many;
    EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_BAD_SETTING, "columns");
    options.settings = &async;
    EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_BAD_SETTING, "sync");
    options.settings = NULL;
    EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_BAD_ARGUMENT, "settings");
    options.setting_count = 0;
    options.config = "{\"algo\": ";
    EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_BAD_SETTING, "config");
    options.config = NULL;
    options.memory_bytes = 1000;
    EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_OUT_OF_MEMORY, "host allows");
    options.memory_bytes = 0;
    environment.columns = 0;
    EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_BAD_ARGUMENT, "columns");
    environment.columns = COLUMNS;
    environment.name = "no spaces please";
    EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_BAD_ARGUMENT, "name");
    environment.name = "world";
    environment.reset = NULL;
    EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_BAD_ARGUMENT, "callbacks");
    environment.reset = world_reset;
    options.environment = NULL;
    options.built_in = "cartpool";
    EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_BAD_SETTING, "cartpole");
    options.built_in = NULL;
    options.environment = &environment;
    EXPECT(seedbed_create(&options, &trainer) == SEEDBED_OK);
    EXPECT_CODE(seedbed_create(&options, &other), SEEDBED_BAD_SETTING, "different name");
    EXPECT_CODE(seedbed_set(trainer, "algo.rollout_length", "8"), SEEDBED_BAD_SETTING, "algo.rollout_length");
    EXPECT_CODE(seedbed_set(trainer, "algo.learning_rate", NULL), SEEDBED_BAD_ARGUMENT, "NULL");
    EXPECT(seedbed_set(trainer, "algo.learning_rate", "0.005") == SEEDBED_OK);
    EXPECT_CODE(seedbed_train(trainer, -1), SEEDBED_BAD_ARGUMENT, "negative");
    EXPECT_CODE(seedbed_pump(trainer, NAN), SEEDBED_BAD_ARGUMENT, "NaN");
    EXPECT_CODE(seedbed_begin(trainer, NULL, NULL), SEEDBED_WRONG_ORDER, "without callbacks");
    EXPECT_CODE(seedbed_save(trainer, NULL), SEEDBED_BAD_SETTING, "memory");
    EXPECT_CODE(seedbed_stop(trainer), SEEDBED_WRONG_ORDER, "no thread");
    EXPECT(seedbed_train(trainer, 256) == SEEDBED_OK);
    {
        double rate = 0;
        EXPECT(seedbed_get_metric(trainer, "optimiser/learning_rate", &rate) == SEEDBED_OK);
        EXPECT(rate > 0.004 && rate <= 0.005);
        EXPECT_CODE(seedbed_get_metric(trainer, "no/metric", &rate), SEEDBED_BAD_ARGUMENT, "no/metric");
    }
    EXPECT(seedbed_destroy(trainer) == SEEDBED_OK);
}

static void bad_descriptions(struct world* world) {
    static const struct {
        seedbed_observation eyes;
        const char* text;
    } observations[] = {
        {{"eyes", SEEDBED_CHOICES, {1, 0, 0}, 0, 0, 1, 0}, "choices is less than 2"},
        {{"eyes", SEEDBED_CHOICES, {1, 0, 0}, 0, 0, -3, 0}, "choices is less than 2"},
        {{"eyes", SEEDBED_CHOICES, {1, 0, 0}, 0, 0, INT32_MAX, 0}, "too large"},
        {{"eyes", SEEDBED_CHOICES, {0, 0, 0}, 0, 0, 3, 0}, "shape[0]"},
        {{"eyes", SEEDBED_VECTOR, {1 << 25, 0, 0}, 0, 0, 0, 0}, "too many elements"},
        {{"eyes", SEEDBED_VECTOR, {1, 0, 0}, 1, 1, 0, 0}, "low is not below high"},
        {{"eyes", SEEDBED_VECTOR, {1, 0, 0}, 0, 0, 0, -1}, "stack"},
        {{"eyes", SEEDBED_IMAGE, {1, 8, 8}, 0, 256, 0, 0}, "within 0 and 255"},
        {{"eyes", (enum seedbed_observation_kind)3, {1, 0, 0}, 0, 0, 0, 0}, "unknown kind 3"},
        {{"two eyes", SEEDBED_VECTOR, {1, 0, 0}, 0, 0, 0, 0}, "[a-z0-9_]+"},
    };
    static const struct {
        seedbed_action guess;
        const char* text;
    } actions[] = {
        {{"guess", 1, 0, 0, 0}, "two or more choices"}, {{"guess", -2, 0, 0, 0}, "two or more choices"},
        {{"guess", 2, 1, 0, 0}, "two or more choices"}, {{"guess", 0, 0, 0, 0}, "words"},
        {{"guess", 0, 1, 1, -1}, "low is not below"},   {{"guess", 0, 1, 0, INFINITY}, "low is not below"},
        {{"guess", 0, 1, 0, 1}, "a mask needs"},        {{NULL, 2, 0, 0, 0}, "[a-z0-9_]+"},
    };
    seedbed_environment environment;
    seedbed_options options = world_options(world, &environment, 1);
    seedbed_trainer* trainer = NULL;
    size_t i;
    environment.observation_count = 1;
    for (i = 0; i < sizeof observations / sizeof observations[0]; ++i) {
        environment.observations = &observations[i].eyes;
        EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_BAD_ARGUMENT, observations[i].text);
    }
    options = world_options(world, &environment, 1);
    for (i = 0; i < sizeof actions / sizeof actions[0]; ++i) {
        environment.actions = &actions[i].guess;
        EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_BAD_ARGUMENT, actions[i].text);
    }
    EXPECT(trainer == NULL);
}

/* A fault ends the call; without it, training continues, and what was learned is kept. */
static void faults_of_callbacks(struct world* world) {
    static const struct {
        enum fault fault;
        const char* text;
    } faults[] = {{FAIL_STEP, "'step' returned 7"},
                  {FAIL_OBSERVE, "'observe' returned 9"},
                  {NAN_REWARD, "reward of NaN (column 2)"},
                  {NAN_OBSERVATION, "NaN to 'number' (column 3)"},
                  {BAD_FLAG, "terminated or truncated"},
                  {FAIL_RESET, "'reset' returned 5"},
                  {NO_CHOICE, "forbids every choice of 'guess' (column 1)"},
                  {BAD_MASK, "a mask with a value other than 0 and 1 (column 2)"},
                  {LARGE_CHOICE, "a value outside 0 to 10 to 'count' (column 2)"},
                  {NEGATIVE_CHOICE, "a value outside 0 to 10 to 'count' (column 0)"}};
    seedbed_environment environment;
    seedbed_options options = world_options(world, &environment, 1);
    seedbed_trainer* trainer = NULL;
    char learned[80], kept[80];
    size_t i;
    world->fault = FAIL_RESET;
    EXPECT_CODE(seedbed_create(&options, &trainer), SEEDBED_BAD_ENVIRONMENT, "'reset' returned 5");
    world->fault = NO_FAULT;
    EXPECT(seedbed_create(&options, &trainer) == SEEDBED_OK);
    for (i = 0; i < sizeof faults / sizeof faults[0]; ++i) {
        const long before = world_steps(trainer);
        EXPECT(seedbed_train(trainer, 128) == SEEDBED_OK);
        world_hash(trainer, learned);
        world->fault = faults[i].fault;
        EXPECT_CODE(seedbed_train(trainer, 1024), SEEDBED_BAD_ENVIRONMENT, faults[i].text);
        EXPECT_CODE(seedbed_pump(trainer, 5), SEEDBED_BAD_ENVIRONMENT, "callback");
        world_hash(trainer, kept);
        EXPECT(strcmp(learned, kept) == 0);
        world->fault = NO_FAULT;
        EXPECT(seedbed_train(trainer, 256) == SEEDBED_OK);
        EXPECT(world_steps(trainer) >= before + 128 + 256);
    }
    world->fault = CALL_BACK;
    world->trainer = trainer;
    EXPECT(seedbed_train(trainer, 64) == SEEDBED_OK);
    EXPECT(world->code == SEEDBED_WRONG_THREAD);
    world->fault = NO_FAULT;
    EXPECT(seedbed_destroy(trainer) == SEEDBED_OK);
}

static void* other_thread(void* given) {
    seedbed_trainer* trainer = given;
    seedbed_policy* policy;
    EXPECT_CODE(seedbed_train(trainer, 64), SEEDBED_WRONG_THREAD, "thread");
    EXPECT_CODE(seedbed_pump(trainer, 1), SEEDBED_WRONG_THREAD, "thread");
    EXPECT_CODE(seedbed_save(trainer, "nowhere"), SEEDBED_WRONG_THREAD, "thread");
    EXPECT_CODE(seedbed_export(trainer, "onnx", "nowhere"), SEEDBED_WRONG_THREAD, "thread");
    EXPECT_CODE(seedbed_start(trainer), SEEDBED_WRONG_THREAD, "thread");
    EXPECT_CODE(seedbed_stop(trainer), SEEDBED_WRONG_THREAD, "thread");
    EXPECT_CODE(seedbed_destroy(trainer), SEEDBED_WRONG_THREAD, "thread");
    EXPECT(world_steps(trainer) >= 0);
    EXPECT(seedbed_set(trainer, "algo.learning_rate", "0.002") == SEEDBED_OK);
    policy = seedbed_get_policy(trainer);
    EXPECT(policy != NULL);
    seedbed_policy_free(policy);
    return NULL;
}

static void threads(struct world* world) {
    seedbed_environment environment;
    seedbed_options options = world_options(world, &environment, 1);
    seedbed_trainer* trainer = NULL;
    pthread_t thread;
    EXPECT(seedbed_create(&options, &trainer) == SEEDBED_OK);
    EXPECT(pthread_create(&thread, NULL, other_thread, trainer) == 0);
    EXPECT(pthread_join(thread, NULL) == 0);
    EXPECT(seedbed_start(trainer) == SEEDBED_OK);
    EXPECT_CODE(seedbed_start(trainer), SEEDBED_WRONG_ORDER, "seedbed_stop()");
    EXPECT_CODE(seedbed_train(trainer, 64), SEEDBED_WRONG_ORDER, "seedbed_stop()");
    EXPECT_CODE(seedbed_destroy(trainer), SEEDBED_WRONG_ORDER, "seedbed_stop()");
    while (world_steps(trainer) < 2000) continue;
    EXPECT(pthread_create(&thread, NULL, other_thread, trainer) == 0);
    EXPECT(pthread_join(thread, NULL) == 0);
    EXPECT(seedbed_stop(trainer) == SEEDBED_OK);
    EXPECT(seedbed_train(trainer, 64) == SEEDBED_OK);
    world->fault = FAIL_STEP;
    EXPECT(seedbed_start(trainer) == SEEDBED_OK);
    {
        const long at = world_steps(trainer);
        long spins = 0;
        while (world_steps(trainer) == at && spins < 200000) ++spins;
    }
    EXPECT_CODE(seedbed_stop(trainer), SEEDBED_BAD_ENVIRONMENT, "'step' returned 7");
    world->fault = NO_FAULT;
    EXPECT(seedbed_train(trainer, 64) == SEEDBED_OK);
    EXPECT(seedbed_destroy(trainer) == SEEDBED_OK);
}

/* Training in pieces of any size, and on a thread, gives the weights of training as a whole. */
static void pieces(struct world* world) {
    seedbed_environment environment;
    seedbed_options options = world_options(world, &environment, 1);
    seedbed_trainer* trainer = NULL;
    char whole[80], parts[80];
    int pumps = 0;
    EXPECT(seedbed_create(&options, &trainer) == SEEDBED_OK);
    EXPECT(seedbed_train(trainer, 640) == SEEDBED_OK);
    world_hash(trainer, whole);
    EXPECT(seedbed_destroy(trainer) == SEEDBED_OK);
    memset(world, 0, sizeof *world);
    EXPECT(seedbed_create(&options, &trainer) == SEEDBED_OK);
    for (; world_steps(trainer) < 640; ++pumps) EXPECT(seedbed_pump(trainer, 0) == SEEDBED_OK);
    world_hash(trainer, parts);
    EXPECT(strcmp(whole, parts) == 0);
    EXPECT(pumps > 10 * 16);
    EXPECT(seedbed_destroy(trainer) == SEEDBED_OK);
}

/* The world is learned, and the exported policy decides like the one of the trainer. */
static void policies(struct world* world, const char* folder) {
    seedbed_environment environment;
    seedbed_options options = world_options(world, &environment, 1);
    seedbed_trainer* trainer = NULL;
    seedbed_progress progress;
    char path[512], error[256] = "";
    int target, i;
    EXPECT(seedbed_create(&options, &trainer) == SEEDBED_OK);
    EXPECT(seedbed_train(trainer, 8192) == SEEDBED_OK);
    memset(&progress, 0, sizeof progress);
    progress.struct_size = sizeof progress;
    EXPECT(seedbed_get_progress(trainer, &progress) == SEEDBED_OK);
    EXPECT(progress.mean_return > 9 && progress.updates == 8192 / 64 && progress.run == 0);
    for (target = 0; target < 3; ++target) {
        static const char* const names[] = {"onnx", "safetensors", NULL};
        seedbed_policy *inside = seedbed_get_policy(trainer), *outside;
        seedbed_actor *first, *second;
        snprintf(path, sizeof path, "%s/policy%d", folder, target);
        if (names[target] != NULL) EXPECT(seedbed_export(trainer, names[target], path) == SEEDBED_OK);
        else EXPECT(seedbed_save(trainer, path) == SEEDBED_OK);
        outside = seedbed_policy_load(path, error, sizeof error);
        if (outside == NULL) fprintf(stderr, "%s\n", error);
        EXPECT(inside != NULL && outside != NULL);
        EXPECT(strcmp(seedbed_policy_weights_sha256(inside), seedbed_policy_weights_sha256(outside)) == 0);
        first = seedbed_actor_new(inside, 1);
        second = seedbed_actor_new(outside, 1);
        for (i = -50; i <= 50; ++i) {
            const float number = (float)i / 50;
            const int32_t count = 0;
            const void* const observations[2] = {&number, &count};
            float a = -1, b = -1;
            EXPECT(seedbed_actor_act(first, observations, NULL, NULL, &a) == SEEDBED_OK);
            EXPECT(seedbed_actor_act(second, observations, NULL, NULL, &b) == SEEDBED_OK);
            EXPECT(a == b);
            EXPECT(abs(i) < 10 || (a > 0.5f) == (i > 0));
        }
        seedbed_actor_free(first);
        seedbed_actor_free(second);
        seedbed_policy_free(inside);
        seedbed_policy_free(outside);
    }
    EXPECT(seedbed_save(trainer, path) != SEEDBED_OK);
    EXPECT_CODE(seedbed_export(trainer, "onix", path), SEEDBED_BAD_SETTING, "onnx");
    EXPECT(seedbed_train(trainer, 64) == SEEDBED_OK);
    EXPECT(seedbed_destroy(trainer) == SEEDBED_OK);
}

int main(int argc, char** argv) {
    struct world world;
    memset(&world, 0, sizeof world);
    if (argc < 2) return 2;
    null_arguments();
    versions_of_structures(&world);
    bad_settings(&world);
    bad_descriptions(&world);
    faults_of_callbacks(&world);
    threads(&world);
    pieces(&world);
    policies(&world, argv[1]);
    puts("ok");
    return 0;
}
