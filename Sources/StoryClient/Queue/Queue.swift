// Queue: events on disk until their answer has come.
//
//   EventQueue      the directory as one process sees it: counts, consent, reset, bounds, what the uploader needs
//   SessionFile     the writer of one session's file
//   QueueEntry      a line of it: written, and read again whatever became of the bytes
//   QueueFiles      the file operations, from outside
//
// The directory is `pagefall/` in the App Group's container, where app and extensions meet. No file is ever locked (the system
// ends a suspended process that holds a lock in a shared container), nothing is synced, and nobody waits for anybody: what two
// processes do at once may at worst send an event twice, which the collector stores once.
//
// Files, version 1 of the format:
//
//   SESSION-PART.open      the events of a session, as its only writer appends them; SESSION is the session's UUID, PART has six
//                          digits. A session goes on in the next part where its file was removed, or is over 256 KiB.
//   SESSION-PART.closed    the same, ended by its writer; or by another, a day after the last write
//   SESSION-PART.removing  the same, while it is removed
//   SESSION-PART.sent      how far it was answered or given up: an entry as below whose payload is the offset in decimal digits
//   generation             an entry as below with a text that changes when the queue is forgotten; absent: `first`
//   identifier             the install identifier, a UUID of version 4 and a line's end
//   consent.given, consent.refused   exist or not
//   dropped, damaged       their sizes in bytes are the counts of dropped events and damaged entries
//   lease                  who may upload, and until when: an entry as below
//   bounds                 exists while somebody drops what is too old or too much: an entry as below with the time of its making, in
//                          microseconds since 1970
//   *.new                  left by a crash while a small file was replaced; means nothing
//
// An entry of a session's file:
//
//   0x1E  KIND  8 hexadecimal digits  0x20  PAYLOAD  0x0A
//
// The digits are CRC-32 (gzip's) of kind and payload. Neither 0x1E nor 0x0A occurs in a payload. KIND `h`, the first entry of each
// file: the generation, a space, and the session's context as a JSON object. KIND `e`: an event as a JSON object (contract §1).
// KIND `p`: of the small files.
//
// Whatever happens to the bytes, an entry is found again at its mark; what lies between two entries is damage, counted and passed
// over. An entry is in the file whole or counted: a write that found no room is cut off again.
//
// A file is removed when everything in it was answered or given up: renamed to `.removing`, its size looked at again, then unlinked.
// Its writer looks for its own name after each write. So either the remover sees the new entry, or the writer misses the name and
// writes the entry again into the next part.
