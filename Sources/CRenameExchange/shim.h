// Exchanging two names of a directory at once. Swift cannot call it on Linux: glibc declares renameat2 only to those who ask
// for GNU extensions, which Swift's importer does not, and syscall has variable arguments. Empty elsewhere.
#ifdef __linux__
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

// Returns 0, or the errno of the failure. 2 is RENAME_EXCHANGE of <linux/fs.h>, a header that other headers clash with.
static inline int pagefall_exchange_names(int directory, const char *first, const char *second) {
  return syscall(SYS_renameat2, directory, first, directory, second, 2U) == 0 ? 0 : errno;
}
#endif
