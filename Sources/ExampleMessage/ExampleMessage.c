#include "ExampleMessage.h"

static const unsigned char message[] = {
#embed "../../Examples/seed-message.json"
};

const unsigned char *pagefall_example_message(void) { return message; }

const size_t pagefall_example_message_bytes = sizeof message;
