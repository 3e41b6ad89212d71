/* Preloaded: a disk whose fsync takes FSYNC_DELAY_US longer. Bun calls libc's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

typedef int (*sync_call)(int);

static int slowly(const char *name, int file) {
  const char *wanted = getenv("FSYNC_DELAY_US");
  long microseconds = wanted == NULL ? 0 : atol(wanted);
  struct timespec wait = {microseconds / 1000000, microseconds % 1000000 * 1000};
  int result = ((sync_call)dlsym(RTLD_NEXT, name))(file);
  nanosleep(&wait, NULL);
  return result;
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
