/* recompiled(SQL): how often SQLite compiled this connection's prepared statement again, by its own counter. */
#include <sqlite3ext.h>
#include <string.h>
SQLITE_EXTENSION_INIT1

static void recompiled(sqlite3_context *context, int count, sqlite3_value **values) {
  const char *sql = (const char *)sqlite3_value_text(values[0]);
  sqlite3 *database = sqlite3_context_db_handle(context);
  sqlite3_stmt *statement = NULL;
  while (sql != NULL && (statement = sqlite3_next_stmt(database, statement)) != NULL) {
    const char *text = sqlite3_sql(statement);
    if (text == NULL || strcmp(text, sql) != 0) continue;
    sqlite3_result_int(context, sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0));
    return;
  }
}

int sqlite3_counter_init(sqlite3 *database, char **error, const sqlite3_api_routines *api) {
  SQLITE_EXTENSION_INIT2(api);
  return sqlite3_create_function(database, "recompiled", 1, SQLITE_UTF8, NULL, recompiled, NULL, NULL);
}
