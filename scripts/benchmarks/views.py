"""Questions to the views of docs/views.md over 2.4 M events of 40 days, against a plain count of the sessions in them."""

from benchmarks.common import median, say
from benchmarks.funnel import AGGREGATE, fill, timed
from harness.command import Workbench

ROUNDS = 3
# Without JIT, as docs/views.md says of roles that read the funnel view.
QUESTIONS = {
    "view_sessions_vs_aggregate": "SELECT count(*) FROM pagefall_sessions_v1",
    "view_facts_vs_aggregate": "SELECT sum(events), count(*) FILTER (WHERE has_reached_last) FROM pagefall_sessions_v1",
    "view_day_vs_aggregate":
        "SELECT count(*), sum(dwells) FROM pagefall_funnel_daily_v1 WHERE day = (now() - interval '10 days')::date",
    "view_funnel_vs_aggregate": "SELECT count(*), sum(dwells) FROM pagefall_funnel_daily_v1",
}


def measure():
    with Workbench() as bench:
        stored = fill(bench, over="40d")
        ratios = {key: [] for key in QUESTIONS}
        for number in range(ROUNDS):
            aggregate = timed(lambda: bench.sql(AGGREGATE))
            say(f"round {number + 1}: {stored:,} events, aggregate {aggregate:.2f} s")
            for key, question in QUESTIONS.items():
                seconds = timed(lambda: bench.sql(f"SET jit = off; {question}"))
                ratios[key].append(seconds / aggregate)
                say(f"   {key}: {seconds:.2f} s, ratio {ratios[key][-1]:.1f}")
        return {key: median(values) for key, values in ratios.items()}
