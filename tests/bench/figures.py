"""What was measured, beside what must be: one table of goal, must, measured, met."""

import sys

# Numbers, subjects and limits are those of the targets for load, memory and drawing.
GOALS = {
    1: "Chrome JSON open against Perfetto's load",
    2: "Chrome JSON open against simdjson On-Demand",
    3: "1.4 GB of Chrome JSON, 5 million events",
    4: "Chrome JSON open against other viewers",
    5: ".json.gz open against .json open",
    6: "peak memory of open",
    7: "Nsight export open against a bare scan",
    8: "Nsight export open against SQL that asks the same",
    9: "gap attribution, per million records",
    10: "exactness against the generator's truth",
    11: "frame, 10 million events",
    12: "frame, 1 million events",
    13: "pixels against brute force",
    14: "first paint",
    15: "longest stall of the window while loading",
    16: "index build",
    17: "scaling (power of n)",
    18: "instructions of the loader, per byte",
}


def table(title, header, rows):
    print("\n### %s\n" % title)
    print("| " + " | ".join(header) + " |")
    print("|" + " --- |" * len(header))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    sys.stdout.flush()


class Figures:
    def __init__(self):
        self.rows = []  # (goal, what, must, measured, met)

    def add(self, goal, what, value, must, form="%.2f", detail=""):
        """must: "<= 80" or ">= 8". A value per limit; `detail` is shown behind it."""
        relation, limit = must.split()
        met = value <= float(limit) if relation == "<=" else value >= float(limit)
        measured = form % value + (" (%s)" % detail if detail else "")
        self._keep((goal, what, relation + " " + form % float(limit), measured, "yes" if met else "NO"))

    def missing(self, goal, what, why):
        self._keep((goal, what, "", "not measured: " + why, ""))

    def _keep(self, row):
        self.rows.append(row)
        print("  %2d  %s: %s  (must %s) %s" % (row[0], row[1], row[3], row[2] or "-", row[4]), file=sys.stderr,
              flush=True)

    def print(self):
        rows = [(goal, "%s: %s" % (GOALS[goal], what), must, measured, met)
                for goal, what, must, measured, met in sorted(self.rows, key=lambda row: row[0])]
        table("Goals", ["goal", "what", "must", "measured", "met"], rows)
        unmet = sorted({row[0] for row in rows if row[4] == "NO"})
        print("\nnot met: %s" % (", ".join(map(str, unmet)) or "none"))
