/* SPDX-License-Identifier: Apache-2.0 */
/* Training in memory writes no file: the kernel ends this process at the first call that opens a file for
 * writing, or creates, renames or removes one.
 *
 *   no_files [FILE]     with FILE: creates it, to show that this ends the process
 *
 * Exit status 77: the kernel has no such filter.
 */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <world.h>

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, member))
#define END BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define REFUSE(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), END
/* Refuses a call if its argument with this index has flags for writing; loads the number of the call again.
 */
#define REFUSE_WRITING(call, index)                                           \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4), LOAD(args[index]), \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, 0, 1), END, LOAD(nr)

static int refuse_writing(void) {
    static struct sock_filter calls[] = {
        LOAD(nr),
        REFUSE_WRITING(openat, 2),
        REFUSE(mkdirat),
        REFUSE(mknodat),
        REFUSE(linkat),
        REFUSE(symlinkat),
        REFUSE(unlinkat),
        REFUSE(renameat2),
        REFUSE(truncate),
#ifdef SYS_openat2
        REFUSE(openat2),
#endif
#ifdef SYS_renameat
        REFUSE(renameat),
#endif
#ifdef SYS_open
        REFUSE_WRITING(open, 1),
        REFUSE(creat),
        REFUSE(mkdir),
        REFUSE(mknod),
        REFUSE(link),
        REFUSE(symlink),
        REFUSE(unlink),
        REFUSE(rmdir),
        REFUSE(rename),
#endif
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof calls / sizeof calls[0], calls};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

/* Everything that a host needs, on the calling thread and on two other ones. */
static void use(seedbed_options* options) {
    seedbed_trainer* trainer = NULL;
    seedbed_actor* actor;
    seedbed_policy* policy;
    const float number = 0.5f;
    const int32_t count = 1;
    const void* const observations[2] = {&number, &count};
    const long steps = 512;
    float action = -1;
    char hash[80];
    options->threads = 2;
    EXPECT(seedbed_create(options, &trainer) == SEEDBED_OK);
    EXPECT(seedbed_train(trainer, steps) == SEEDBED_OK);
    EXPECT(seedbed_pump(trainer, 1) == SEEDBED_OK);
    EXPECT(seedbed_set(trainer, "algo.learning_rate", "0.001") == SEEDBED_OK);
    EXPECT(seedbed_start(trainer) == SEEDBED_OK);
    while (world_steps(trainer) < 2 * steps) continue;
    EXPECT(seedbed_stop(trainer) == SEEDBED_OK);
    EXPECT(strstr(seedbed_metrics(trainer), "policy/entropy") != NULL);
    EXPECT_CODE(seedbed_save(trainer, NULL), SEEDBED_BAD_SETTING, "memory");
    world_hash(trainer, hash);
    policy = seedbed_get_policy(trainer);
    EXPECT(strcmp(hash, seedbed_policy_weights_sha256(policy)) == 0);
    actor = seedbed_actor_new(policy, 1);
    EXPECT(seedbed_actor_act(actor, observations, NULL, NULL, &action) == SEEDBED_OK && action >= 0);
    seedbed_actor_free(actor);
    seedbed_policy_free(policy);
    EXPECT(seedbed_destroy(trainer) == SEEDBED_OK);
}

int main(int argc, char** argv) {
    struct world world;
    seedbed_environment environment;
    seedbed_options options;
    memset(&world, 0, sizeof world);
    options = world_options(&world, &environment, 1);
    if (!refuse_writing()) return 77;
    if (argc > 1) return fopen(argv[1], "w") == NULL;
    use(&options);
    puts("ok");
    return 0;
}
