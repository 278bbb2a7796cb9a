"""The command line of a campaign: cases by seed and family until a time is over; what went wrong is printed.

The exit code is 1 if anything did.
"""

import argparse
import collections
import time
import warnings


def campaign(text, families, case):
    """`case(seed, family)` answers a word that begins with "right", "skipped" or "WRONG", and what was seen."""
    words = argparse.ArgumentParser(description=text.split("\n")[0])
    words.add_argument("--seconds", type=float, default=60.0, help="of all families together")
    words.add_argument("--first", type=int, default=int(time.time()), help="first seed; the time if left out")
    words.add_argument("--cases", type=int, help="of each family, in place of a time")
    words.add_argument("--families", default=",".join(families))
    asked = words.parse_args()
    warnings.simplefilter("ignore")
    wrong, chosen = 0, asked.families.split(",")
    for family in chosen:
        tally, seed, until = collections.Counter(), asked.first, time.monotonic() + asked.seconds / len(chosen)
        while seed < asked.first + asked.cases if asked.cases else time.monotonic() < until:
            outcome, detail = case(seed, family)
            tally[outcome] += 1
            if outcome.startswith("WRONG"):
                wrong += 1
                print(f"  {family} {seed}: {outcome}; {detail}", flush=True)
            seed += 1
        counts = ", ".join(f"{count} {outcome}" for outcome, count in tally.items())
        print(f"{family:14} seeds {asked.first} to {seed - 1}: {counts}", flush=True)
    raise SystemExit(min(wrong, 1))
