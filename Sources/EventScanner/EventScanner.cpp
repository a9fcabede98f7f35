#include "EventScanner.h"
