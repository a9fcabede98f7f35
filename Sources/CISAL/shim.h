#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

// Swift cannot call a macro that is more than a number: how much memory the compression levels 1 to 3 ask for.
static inline unsigned int pagefall_level_buffer_bytes(unsigned int level) {
  switch (level) {
    case 1: return ISAL_DEF_LVL1_DEFAULT;
    case 2: return ISAL_DEF_LVL2_DEFAULT;
    case 3: return ISAL_DEF_LVL3_DEFAULT;
    default: return 0;
  }
}
