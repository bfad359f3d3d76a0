/* The clock that tells the hour, as a test wants it: the file named by ARENA_TEST_CLOCK holds three numbers of eight bytes, the
   nanosecond from which on it runs otherwise, how often faster, and nanoseconds that are added. Preloaded into a site. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile const int64_t *wanted;

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("ARENA_TEST_CLOCK");
  int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *page = mmap(NULL, 3 * sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (page != MAP_FAILED) wanted = page;
}

int clock_gettime(clockid_t id, struct timespec *told) {
  int failed = (int)syscall(SYS_clock_gettime, id, told);
  if (failed || id != CLOCK_REALTIME || !wanted) return failed;
  int64_t now = (int64_t)told->tv_sec * 1000000000 + told->tv_nsec;
  now = wanted[0] + (now - wanted[0]) * wanted[1] + wanted[2];
  told->tv_sec = now / 1000000000;
  told->tv_nsec = now % 1000000000;
  return 0;
}
