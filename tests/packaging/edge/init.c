/* SPDX-License-Identifier: Apache-2.0 */
/* The first process of an emulated machine: runs /budget, prints its status and switches the machine off. */
#include <stdio.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int status = -1;
    pid_t child;
    mkdir("/proc", 0755);
    mount("proc", "/proc", "proc", 0, NULL);
    child = fork();
    if (child == 0) {
        execl("/budget", "/budget", (char*)NULL);
        _exit(127);
    }
    waitpid(child, &status, 0);
    printf("status %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    fflush(stdout);
    reboot(RB_POWER_OFF);
    return 1;
}
