// PrivatePostgres
