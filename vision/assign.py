"""No card lies twice on a table: share the cards out among the slots so that all fit best."""

import numpy as np

from calibration.warp import Floats, Indices


def assign(score: Floats) -> Indices:
    """(n,) a different column for each row of (n, m) scores, of the greatest sum; n <= m.

    The Hungarian method: rows enter one by one along shortest paths.
    """
    n, m = score.shape
    if n > m:
        raise ValueError(f"{n} slots cannot hold different cards of {m}")
    best = score.argmax(axis=1)
    if len(np.unique(best)) == n:
        return np.asarray(best, np.intp)
    cost = np.full((n + 1, m + 1), 0.0)
    cost[1:, 1:] = -score
    rows, columns = np.zeros(n + 1), np.zeros(m + 1)
    taken = np.zeros(m + 1, np.intp)
    for row in range(1, n + 1):
        taken[0] = row
        column = 0
        least = np.full(m + 1, np.inf)
        way = np.zeros(m + 1, np.intp)
        used = np.zeros(m + 1, bool)
        while True:
            used[column] = True
            here = taken[column]
            step = cost[here] - rows[here] - columns
            closer = ~used & (step < least)
            least[closer], way[closer] = step[closer], column
            open_ = np.where(used, np.inf, least)
            following = int(open_[1:].argmin()) + 1
            delta = open_[following]
            rows[taken[used]] += delta
            columns[used] -= delta
            least[~used] -= delta
            column = following
            if taken[column] == 0:
                break
        while column:
            taken[column] = taken[way[column]]
            column = int(way[column])
    out = np.zeros(n, np.intp)
    for column in range(1, m + 1):
        if taken[column]:
            out[taken[column] - 1] = column - 1
    return out
