"""The built `pagefall` and a workbench: a data directory with a private PostgreSQL that is kept running."""

import os
import re
import shutil
import subprocess
import tempfile

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARY = os.path.join(REPOSITORY, ".build", "release", "pagefall")


def build():
    """Builds the release binary, quietly where nothing changed."""
    subprocess.run(["swift", "build", "-c", "release", "--product", "pagefall"], cwd=REPOSITORY, check=True,
                   stdout=subprocess.DEVNULL)


class Workbench:
    """A temporary data directory and its PostgreSQL; both are gone when the block ends."""

    def __enter__(self):
        self.directory = tempfile.mkdtemp(prefix="pagefall-", dir="/var/tmp")  # /tmp may be memory, where a sync is free
        os.chmod(self.directory, 0o755)
        self.run("database", "start")
        self.run("database", "migrate")
        self.connection = re.search(r"connection: *(.+)", self.run("database", "status")).group(1)
        return self

    def __exit__(self, *_):
        subprocess.run([BINARY, "database", "stop", "--data-dir", self.directory], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        shutil.rmtree(self.directory, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def run(self, *arguments):
        """Runs a subcommand here and returns what it printed; its failure is ours."""
        done = subprocess.run([BINARY, *arguments, "--data-dir", self.directory], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"pagefall {' '.join(arguments)} failed with {done.returncode}:\n{done.stderr}")
        return done.stdout

    def sql(self, statement):
        """Runs SQL and returns the rows as text, columns parted by `|`."""
        done = subprocess.run(["psql", "-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-d", self.connection],
                              input=statement, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(done.stderr.strip())
        return done.stdout.strip()

    def empty_tables(self):
        """Forgets every event, so that the next round begins like the first."""
        tables = self.sql("SELECT string_agg(format('pagefall.%I', c.relname), ', ') FROM pg_class c"
                          " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'pagefall'"
                          " AND c.relkind IN ('r', 'p') AND NOT c.relispartition"
                          " AND c.relname IN ('stored_events', 'sessions', 'event_fates', 'rejected', 'story_pages',"
                          " 'device_drops', 'spools', 'changes')")
        self.sql(f"TRUNCATE {tables}; CHECKPOINT;")
