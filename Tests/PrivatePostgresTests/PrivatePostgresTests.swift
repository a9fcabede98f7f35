// PrivatePostgresTests
