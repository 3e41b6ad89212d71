/*
 * A VFS over SQLite's own, for simulations. It remembers what was written to the database and its log and not synced since, so
 * that a power cut can take it from a copy of the files; it dies at a chosen write, fills the disk and fails syncs. Files of a
 * process that was killed stay open until somebody collects their owners, and touch nothing from then on.
 */
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VISIBLE __attribute__((visibility("default")))

typedef struct SimFile {
  sqlite3_file base;
  sqlite3_file *real;
  char *name;
  int life;
  int tracked;
} SimFile;

/* A write that no sync followed: enough to undo it and to do it again. */
typedef struct Unsynced {
  char *name;
  sqlite3_int64 offset, old_size;
  int length, old_length;
  unsigned char *content, *old_content;
  int is_truncation;
  /* A sync failed with it: the kernel calls its pages clean, and no later sync brings them to the disk. */
  int is_lost;
  struct Unsynced *next, *previous;
} Unsynced;

enum refusal { NOTHING, FULL, BROKEN, SYNC_FAILS };

static sqlite3_vfs *real_vfs;
static sqlite3_vfs sim_vfs;
static const sqlite3_api_routines *routines;
static Unsynced *first, *last;
static int life = 1, newest = 1, crashed, refuses;
/* Processes that run beside the one whose step it is. */
#define BESIDE_MAX 8
static int beside[BESIDE_MAX];
static int32_t writes, crash_at = -1;
static uint64_t state = 1;

static uint64_t chance(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static void remove_unsynced(Unsynced *one) {
  if (one->previous) one->previous->next = one->next; else first = one->next;
  if (one->next) one->next->previous = one->previous; else last = one->previous;
  free(one->name);
  free(one->content);
  free(one->old_content);
  free(one);
}

static void synced(const char *name) {
  for (Unsynced *one = first, *next; one; one = next) {
    next = one->next;
    if (!one->is_lost && !strcmp(one->name, name)) remove_unsynced(one);
  }
}

static void forget(const char *name) {
  for (Unsynced *one = first, *next; one; one = next) {
    next = one->next;
    if (!strcmp(one->name, name)) remove_unsynced(one);
  }
}

static void remember(SimFile *file, sqlite3_int64 offset, int length, const void *content) {
  Unsynced *one = calloc(1, sizeof *one);
  sqlite3_file *real = file->real;
  real->pMethods->xFileSize(real, &one->old_size);
  one->name = strdup(file->name);
  one->offset = offset;
  one->is_truncation = content == NULL;
  sqlite3_int64 behind = one->old_size > offset ? one->old_size - offset : 0;
  one->old_length = (int)(content != NULL && behind > length ? length : behind);
  if (one->old_length > 0) {
    one->old_content = malloc(one->old_length);
    real->pMethods->xRead(real, one->old_content, one->old_length, offset);
  }
  if (content != NULL) {
    one->length = length;
    one->content = malloc(length);
    memcpy(one->content, content, length);
  }
  one->previous = last;
  if (last) last->next = one; else first = one;
  last = one;
}

static int is_alive(int one) {
  if (one == life) return 1;
  for (int i = 0; i < BESIDE_MAX; i += 1) if (beside[i] == one) return 1;
  return 0;
}

/* Whether a call that changes the disk may: it may be the one at which the process dies. */
static int may_change(const SimFile *file) {
  if (!is_alive(file->life) || crashed) return 0;
  writes += 1;
  if (crash_at >= 0 && writes >= crash_at) crashed = 1;
  return !crashed;
}

#define SIM(file) ((SimFile *)(file))
#define REAL(file) (SIM(file)->real)
#define IS_DEAD(file) (!is_alive(SIM(file)->life))
#define PASS(file, method, ...) REAL(file)->pMethods->method(REAL(file), ##__VA_ARGS__)

static int sim_close(sqlite3_file *file) {
  int result = PASS(file, xClose);
  free(SIM(file)->name);
  free(SIM(file)->real);
  return result;
}

static int sim_read(sqlite3_file *file, void *into, int length, sqlite3_int64 offset) {
  return IS_DEAD(file) ? SQLITE_IOERR_READ : PASS(file, xRead, into, length, offset);
}

static int sim_write(sqlite3_file *file, const void *content, int length, sqlite3_int64 offset) {
  if (IS_DEAD(file)) return SQLITE_IOERR_WRITE;
  if (SIM(file)->tracked) {
    if (!may_change(SIM(file))) return SQLITE_IOERR_WRITE;
    if (refuses == FULL) return SQLITE_FULL;
    if (refuses == BROKEN) return SQLITE_IOERR_WRITE;
    remember(SIM(file), offset, length, content);
  }
  return PASS(file, xWrite, content, length, offset);
}

static int sim_truncate(sqlite3_file *file, sqlite3_int64 size) {
  if (IS_DEAD(file)) return SQLITE_IOERR_TRUNCATE;
  if (SIM(file)->tracked) {
    if (!may_change(SIM(file))) return SQLITE_IOERR_TRUNCATE;
    remember(SIM(file), size, 0, NULL);
  }
  return PASS(file, xTruncate, size);
}

static int sim_sync(sqlite3_file *file, int flags) {
  if (IS_DEAD(file)) return SQLITE_IOERR_FSYNC;
  if (!SIM(file)->tracked) return PASS(file, xSync, flags);
  if (!may_change(SIM(file))) return SQLITE_IOERR_FSYNC;
  if (refuses == SYNC_FAILS) {
    for (Unsynced *one = first; one; one = one->next)
      if (!strcmp(one->name, SIM(file)->name)) one->is_lost = 1;
    return SQLITE_IOERR_FSYNC;
  }
  synced(SIM(file)->name);
  return SQLITE_OK;
}

static int sim_size(sqlite3_file *file, sqlite3_int64 *size) { return PASS(file, xFileSize, size); }
static int sim_lock(sqlite3_file *file, int lock) { return IS_DEAD(file) ? SQLITE_IOERR_LOCK : PASS(file, xLock, lock); }
static int sim_unlock(sqlite3_file *file, int lock) { return PASS(file, xUnlock, lock); }
static int sim_check_lock(sqlite3_file *file, int *held) { return PASS(file, xCheckReservedLock, held); }
static int sim_control(sqlite3_file *file, int op, void *arg) { return PASS(file, xFileControl, op, arg); }
static int sim_sector(sqlite3_file *file) { return PASS(file, xSectorSize); }
static int sim_device(sqlite3_file *file) { return PASS(file, xDeviceCharacteristics); }
static int sim_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
  return IS_DEAD(file) ? SQLITE_IOERR_SHMMAP : PASS(file, xShmMap, page, size, extend, memory);
}
static int sim_map_lock(sqlite3_file *file, int offset, int n, int flags) {
  return IS_DEAD(file) && !(flags & SQLITE_SHM_UNLOCK) ? SQLITE_IOERR_SHMLOCK : PASS(file, xShmLock, offset, n, flags);
}
static void sim_barrier(sqlite3_file *file) { PASS(file, xShmBarrier); }
static int sim_unmap(sqlite3_file *file, int remove) { return PASS(file, xShmUnmap, IS_DEAD(file) ? 0 : remove); }

static const sqlite3_io_methods methods = {
    2,           sim_close,  sim_read,     sim_write,      sim_truncate, sim_sync,
    sim_size,    sim_lock,   sim_unlock,   sim_check_lock, sim_control,  sim_sector,
    sim_device,  sim_map,    sim_map_lock, sim_barrier,    sim_unmap,
};

static int sim_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *told) {
  (void)vfs;
  SimFile *opened = SIM(file);
  opened->base.pMethods = NULL;
  opened->real = calloc(1, real_vfs->szOsFile);
  int result = real_vfs->xOpen(real_vfs, name, opened->real, flags, told);
  if (result != SQLITE_OK) {
    free(opened->real);
    return result;
  }
  opened->name = strdup(name ? name : "");
  opened->life = life;
  opened->tracked = name && strstr(name, "/peyk.db") && (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL));
  opened->base.pMethods = &methods;
  return SQLITE_OK;
}

static int sim_delete(sqlite3_vfs *vfs, const char *name, int sync_folder) {
  (void)vfs;
  if (crashed) return SQLITE_IOERR_DELETE;
  forget(name);
  return real_vfs->xDelete(real_vfs, name, sync_folder);
}

static int sim_randomness(sqlite3_vfs *vfs, int count, char *into) {
  (void)vfs;
  for (int i = 0; i < count; i += 1) into[i] = (char)chance();
  return count;
}

/* From here on for the test. */

VISIBLE void vfs_seed(uint32_t seed) {
  state = 88172645463325252ull ^ ((uint64_t)seed * 0x9E3779B97F4A7C15ull);
  if (state == 0) state = 1;
  /* SQLite's own generator asks anew. */
  routines->randomness(0, NULL);
  writes = 0;
}

/* The process dies at the so-manieth change of the disk from now; -1: at none. */
VISIBLE void vfs_crash_in(int32_t changes) { crash_at = changes < 0 ? -1 : writes + changes; }
VISIBLE void vfs_refuse(int32_t how) { refuses = how; }
/* A change of a file that SQLite does not write. */
VISIBLE int32_t vfs_may_change(void) {
  if (crashed) return 0;
  writes += 1;
  if (crash_at >= 0 && writes >= crash_at) crashed = 1;
  return !crashed;
}
VISIBLE int32_t vfs_crashed(void) { return crashed; }
VISIBLE int32_t vfs_writes(void) { return writes; }

/* Another process, which runs beside the others: its number, 0 if there are too many. */
VISIBLE int32_t vfs_begin_beside(void) {
  for (int i = 0; i < BESIDE_MAX; i += 1) if (beside[i] == 0) return beside[i] = ++newest;
  return 0;
}

/* The step of this process begins: what it opens is its own. */
VISIBLE void vfs_enter(int32_t one) { life = one; }

VISIBLE void vfs_end_beside(int32_t one) {
  for (int i = 0; i < BESIDE_MAX; i += 1) if (beside[i] == one) beside[i] = 0;
  if (life == one) life = ++newest;
  crashed = 0;
  crash_at = -1;
}

VISIBLE void vfs_end_life(void) {
  life = ++newest;
  memset(beside, 0, sizeof beside);
  crashed = 0;
  refuses = NOTHING;
  crash_at = -1;
}

VISIBLE void vfs_forget(void) { while (first) remove_unsynced(first); }

static int write_at(FILE *file, sqlite3_int64 offset, const void *content, int length) {
  return length == 0 || (fseek(file, offset, SEEK_SET) == 0 && fwrite(content, 1, length, file) == (size_t)length);
}

/*
 * Makes `copy`, a copy of the file `name` as the kernel shows it, what a power cut leaves. `mode` 1: nothing unsynced is kept; 2: each
 * write by chance; 3: the first of them, up to a chosen one. Returns how many writes are gone, -1 for an error.
 */
VISIBLE int32_t vfs_cut(const char *name, const char *copy, int32_t mode) {
  int total = 0, kept = 0, position = 0;
  sqlite3_int64 size = -1;
  FILE *file = fopen(copy, "r+b");
  if (!file) return -1;
  for (Unsynced *one = last; one; one = one->previous) {
    if (strcmp(one->name, name)) continue;
    total += 1;
    if (!write_at(file, one->offset, one->old_content, one->old_length)) return -1;
    size = one->old_size;
  }
  fflush(file);
  if (size >= 0 && ftruncate(fileno(file), size) != 0) return -1;
  int keep_first = mode == 3 ? (int)(chance() % (uint64_t)(total + 1)) : 0;
  for (Unsynced *one = first; one; one = one->next) {
    if (strcmp(one->name, name)) continue;
    int keep = mode == 2 ? (int)(chance() & 1) : mode == 3 && position < keep_first;
    position += 1;
    if (!keep) continue;
    kept += 1;
    if (one->is_truncation) {
      fflush(file);
      if (ftruncate(fileno(file), one->offset) != 0) return -1;
    } else if (!write_at(file, one->offset, one->content, one->length)) return -1;
  }
  fclose(file);
  return total - kept;
}

VISIBLE int sqlite3_vfs_init(sqlite3 *database, char **error, const sqlite3_api_routines *api) {
  (void)database;
  (void)error;
  SQLITE_EXTENSION_INIT2(api);
  if (real_vfs) return SQLITE_OK;
  routines = api;
  real_vfs = sqlite3_vfs_find(NULL);
  sim_vfs = *real_vfs;
  sim_vfs.zName = "simulated";
  sim_vfs.szOsFile = sizeof(SimFile);
  sim_vfs.pNext = NULL;
  sim_vfs.xOpen = sim_open;
  sim_vfs.xDelete = sim_delete;
  sim_vfs.xRandomness = sim_randomness;
  sqlite3_vfs_register(&sim_vfs, 1);
  return SQLITE_OK_LOAD_PERMANENTLY;
}
