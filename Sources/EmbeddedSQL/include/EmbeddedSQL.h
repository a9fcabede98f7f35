#pragma once
#include <stddef.h>

/// One migration as it stands in sql/, compiled into the program.
struct PagefallEmbeddedSQL {
  /// The file's name without ".sql"; it begins with the migration's number.
  const char *_Nonnull name;
  const unsigned char *_Nonnull bytes;
  size_t length;
};

/// How many migrations there are.
size_t pagefall_embedded_sql_count(void);

/// The migration at a place in 0 … count − 1, in the order of their numbers.
struct PagefallEmbeddedSQL pagefall_embedded_sql(size_t index);
