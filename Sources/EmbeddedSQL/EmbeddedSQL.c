// The migrations of sql/, read by the compiler (C23 #embed): the program carries its schema, and sql/ stays the one source.
// To add a migration: one array and one line of the table below.

#include "EmbeddedSQL.h"

static const unsigned char tables[] = {
#embed "../../sql/0001_tables.sql"
};
static const unsigned char months[] = {
#embed "../../sql/0002_months.sql"
};
static const unsigned char views[] = {
#embed "../../sql/0003_views.sql"
};
static const unsigned char rights[] = {
#embed "../../sql/0004_rights.sql"
};
static const unsigned char retention[] = {
#embed "../../sql/0005_retention.sql"
};
static const unsigned char changes[] = {
#embed "../../sql/0006_changes.sql"
};
static const unsigned char session_views[] = {
#embed "../../sql/0007_session_views.sql"
};
static const unsigned char funnel_view[] = {
#embed "../../sql/0008_funnel_view.sql"
};
static const unsigned char histories[] = {
#embed "../../sql/0009_histories.sql"
};
static const unsigned char page_changes[] = {
#embed "../../sql/0010_page_changes.sql"
};
static const unsigned char stored_batches[] = {
#embed "../../sql/0011_stored_batches.sql"
};
static const unsigned char surfaces[] = {
#embed "../../sql/0012_surfaces.sql"
};
static const unsigned char categories[] = {
#embed "../../sql/0013_categories.sql"
};

static const struct PagefallEmbeddedSQL migrations[] = {
    {"0001_tables", tables, sizeof tables},
    {"0002_months", months, sizeof months},
    {"0003_views", views, sizeof views},
    {"0004_rights", rights, sizeof rights},
    {"0005_retention", retention, sizeof retention},
    {"0006_changes", changes, sizeof changes},
    {"0007_session_views", session_views, sizeof session_views},
    {"0008_funnel_view", funnel_view, sizeof funnel_view},
    {"0009_histories", histories, sizeof histories},
    {"0010_page_changes", page_changes, sizeof page_changes},
    {"0011_stored_batches", stored_batches, sizeof stored_batches},
    {"0012_surfaces", surfaces, sizeof surfaces},
    {"0013_categories", categories, sizeof categories},
};

size_t pagefall_embedded_sql_count(void) { return sizeof migrations / sizeof migrations[0]; }

struct PagefallEmbeddedSQL pagefall_embedded_sql(size_t index) { return migrations[index]; }
