// What Swift cannot call of libmicrohttpd: its variadic functions, each with the one set of arguments that the
// collector needs. Everything else is called by its own name.
#ifndef PAGEFALL_MICROHTTPD_SHIM_H
#define PAGEFALL_MICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <stddef.h>

// How a daemon is started; the fields are the options of the same names.
struct pagefall_mhd_options {
  void *context;                                  // the first argument of each callback
  MHD_AccessHandlerCallback handler;
  MHD_RequestCompletedCallback notify_completed;
  MHD_NotifyConnectionCallback notify_connection;
  MHD_socket listen_socket;
  unsigned int connection_limit;
  size_t connection_memory_bytes;
  size_t connection_memory_increment_bytes;
};

// Only Linux has epoll; elsewhere the library selects by itself, in MHD_run_wait.
#if defined(__linux__)
#define PAGEFALL_MHD_POLLING MHD_USE_EPOLL
#else
#define PAGEFALL_MHD_POLLING 0
#endif

// MHD_start_daemon is variadic. No thread of the library's own; suspending allowed; no timeout of the library's (it
// counts inactivity only: the collector keeps deadlines itself).
static inline struct MHD_Daemon *pagefall_mhd_start(const struct pagefall_mhd_options *options) {
  return MHD_start_daemon(
      PAGEFALL_MHD_POLLING | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, options->handler, options->context,
      MHD_OPTION_LISTEN_SOCKET, options->listen_socket,
      MHD_OPTION_NOTIFY_COMPLETED, options->notify_completed, options->context,
      MHD_OPTION_NOTIFY_CONNECTION, options->notify_connection, options->context,
      MHD_OPTION_CONNECTION_LIMIT, options->connection_limit,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->connection_memory_bytes,
      MHD_OPTION_CONNECTION_MEMORY_INCREMENT, options->connection_memory_increment_bytes,
      MHD_OPTION_CONNECTION_TIMEOUT, 0u,
      MHD_OPTION_END);
}

// MHD_get_daemon_info is variadic. The descriptor to wait on; -1 where there is none.
static inline int pagefall_mhd_epoll_descriptor(struct MHD_Daemon *daemon) {
  if (PAGEFALL_MHD_POLLING == 0) { return -1; }
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info == NULL ? -1 : info->epoll_fd;
}

// MHD_get_connection_info is variadic. The connection's socket, for deadlines; -1 where there is none.
static inline int pagefall_mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

// MHD_get_connection_info is variadic. What notify_connection stored for the connection.
static inline void *pagefall_mhd_connection_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

// MHD_get_connection_info is variadic. The bytes of the request's line and headers, once they are complete; -1 where that
// is not known.
static inline long long pagefall_mhd_head_bytes(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info == NULL ? -1 : (long long)info->header_size;
}

// The library's enumerations come into Swift in different shapes from one version of the header to the next, so their
// constants are named here.
static const enum MHD_Result pagefall_mhd_yes = MHD_YES;
static const enum MHD_Result pagefall_mhd_no = MHD_NO;

// As above: whether a notification is of a connection's beginning (else of its end).
static inline int pagefall_mhd_is_start(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}

// As above: calls the iterator for each header of the request.
static inline void pagefall_mhd_each_header(struct MHD_Connection *connection, MHD_KeyValueIteratorN iterator,
                                            void *context) {
  MHD_get_connection_values_n(connection, MHD_HEADER_KIND, iterator, context);
}

// As above: a response with a copy of this body; NULL without memory.
static inline struct MHD_Response *pagefall_mhd_response(size_t bytes, const void *body) {
  return MHD_create_response_from_buffer(bytes, (void *)body, MHD_RESPMEM_MUST_COPY);
}

// The GNU C library declares this only with _GNU_SOURCE, which Swift does not define. Names the calling thread.
#if defined(__linux__)
#include <pthread.h>
extern int pthread_setname_np(pthread_t, const char *);
static inline void pagefall_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
#endif

// <malloc.h> is not in Swift's module of the C library. Memory from this size on goes back to the system when it is freed.
#if defined(__GLIBC__)
#include <malloc.h>
static inline void pagefall_give_back_from(int bytes) { mallopt(M_MMAP_THRESHOLD, bytes); }
#else
static inline void pagefall_give_back_from(int bytes) { (void)bytes; }
#endif

#endif
