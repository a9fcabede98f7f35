#include <zstd.h>
// The codes behind ZSTD_isError: which fault it was.
#include <zstd_errors.h>
