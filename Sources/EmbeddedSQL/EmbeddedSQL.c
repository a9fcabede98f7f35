#include "EmbeddedSQL.h"
