#include <libpq-fe.h>

#ifdef __linux__
#include <pthread.h>
// The C library declares it only to _GNU_SOURCE, which Swift's importer does not define. Threads have names here.
extern int pthread_setname_np(pthread_t thread, const char *name);
#endif
