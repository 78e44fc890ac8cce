/* SPDX-License-Identifier: Apache-2.0 */
/* Time of one decision of an exported C header: cc -std=c99 -O2 -I EXPORT decision_time.c -lm && ./a.out
 * (only for policies with one vector leaf). */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <time.h>

#include <policy.h>

#ifndef INPUTS
#define INPUTS 4
#endif

int main(void) {
    static policy p;
    static float obs[INPUTS];
    float action[16], sum = 0.0f;
    const int count = 1000000;
    struct timespec begin, end;
    int i;
    policy_reset(&p);
    for (i = 0; i < 10000; i++) policy_act(&p, obs, action);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (i = 0; i < count; i++) {
        obs[0] = (float)(i & 7) * 0.01f;
        policy_act(&p, obs, action);
        sum += action[0];
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("{\"us_per_decision\": %.4f, \"sum\": %g}\n",
           ((double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9) * 1e6 / count,
           (double)sum);
    return 0;
}
