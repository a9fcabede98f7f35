#pragma once

#include <stddef.h>

/// Examples/seed-message.json, compiled in: what `pagefall simulate` plays when no other message is named.
const unsigned char *_Nonnull pagefall_example_message(void);

/// Its length in bytes.
extern const size_t pagefall_example_message_bytes;
