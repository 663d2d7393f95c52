/* Preloaded into a worker: its wall clock is off by CLOCK_OFF_BY seconds. Other clocks are as they are. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    long result = syscall(SYS_clock_gettime, clock, time);
    const char *off_by = getenv("CLOCK_OFF_BY");
    if (result == 0 && clock == CLOCK_REALTIME && off_by)
        time->tv_sec += atol(off_by);
    return result;
}
